package document_test

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// BenchmarkParseDocument parses a datachain of 6 KB. The peer decodes the same bytes
// into maps, without positions and not strictly.
func BenchmarkParseDocument(b *testing.B) {
	text := datachain(6_000)
	b.Run("taxonomy", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := document.Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := stdjson.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// datachain returns an instance of at least size bytes.
func datachain(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"id":"chain-1","schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00:00Z","elements":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"element_id":"category-%02d.element-%06d","context_type_id":"anonymous","element_instance_id":"e%d",`+
			`"variables":[{"id":"retention","value":[{"locale":"en","value":"thirty days"},{"locale":"fr","value":"trente jours"}]}]}`, i%20, i, i)
	}
	b.WriteString("]}")
	return []byte(b.String())
}
