package tolerant_test

import (
	"bytes"
	"testing"

	"github.com/datachain-go/datachain/internal/tolerant"
)

// BenchmarkParse parses what an editor parses at each keystroke: a document of 20 KB
// whose end is missing.
func BenchmarkParse(b *testing.B) {
	text := bytes.Repeat([]byte(`{"element_id": "purpose.safety", "variables": [{"id": "v", "value": []}]},`+"\n"), 20_000/75)
	text = append([]byte(`{"id": "chain-1", "elements": [`), text...)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tolerant.Parse(text)
	}
}
