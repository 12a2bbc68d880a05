package validate_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// typicalDocument is a valid document of about 6 KB: 12 placements whose
// variables have values in three locales.
func typicalDocument() []byte {
	var b strings.Builder
	b.WriteString(`{"id":"typical","title":[{"locale":"en","value":"Camera at the door"},{"locale":"fr","value":"Caméra à la porte"},{"locale":"es","value":"Cámara en la puerta"}],` +
		`"schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00:00Z","elements":[`)
	for i := range 12 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"element_id":"purpose.element-%d","context_type_id":"identifiable","element_instance_id":"placement-%[1]d","variables":[`+
			`{"id":"organisation","value":[{"locale":"en","value":"The city of Example"},{"locale":"fr","value":"La ville d’Exemple"},{"locale":"es","value":"La ciudad de Ejemplo"}]},`+
			`{"id":"retention","value":[{"locale":"en","value":"72 hours"},{"locale":"fr","value":"72 heures"},{"locale":"es","value":"72 horas"}]},`+
			`{"id":"method","value":["rules","learned"]}],"label":"Placement number %[1]d","priority":%[1]d}`, i)
	}
	b.WriteString(`],"authoring_provenance":{"kind":"human"}}`)
	return []byte(b.String())
}

// BenchmarkShape parses a document and checks its shape. The peer is jsonschema with
// its own decoder, which is not strict.
func BenchmarkShape(b *testing.B) {
	text := typicalDocument()
	doc, err := document.Parse(text)
	if err != nil || !validate.Fits("instance", doc) {
		b.Fatal("the document is not valid")
	}
	for _, way := range []struct {
		name string
		run  func() bool
	}{
		{"jsonschema", func() bool {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			return err == nil && peers()["instance"].Validate(value) == nil
		}},
		{"decode+fits", func() bool {
			doc, err := document.Parse(text)
			return err == nil && validate.Fits("instance", doc)
		}},
		{"decode+fits+instance", func() bool {
			doc, err := document.Parse(text)
			if err != nil || !validate.Fits("instance", doc) {
				return false
			}
			_, err = taxonomy.DecodeInstance(doc)
			return err == nil
		}},
		{"decode", func() bool {
			_, err := document.Parse(text)
			return err == nil
		}},
		{"fits", func() bool { return validate.Fits("instance", doc) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if !way.run() {
					b.Fatal("the document was refused")
				}
			}
		})
	}
}

// BenchmarkExplainShape explains one mistake, and a document full of mistakes.
func BenchmarkExplainShape(b *testing.B) {
	release := sample(b)
	for name, text := range map[string][]byte{
		"one":  bytes.Replace(typicalDocument(), []byte(`"priority":7`), []byte(`"priority":"7"`), 1),
		"many": []byte(head + `,"elements":[{}` + strings.Repeat(",{}", 1<<20/3) + `]}`),
	} {
		b.Run(name, func(b *testing.B) {
			doc, err := document.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if r, err := validate.Instance(release, doc, nil); err != nil || r.OK() {
					b.Fatal("the document was accepted")
				}
			}
		})
	}
}
