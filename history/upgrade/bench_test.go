package upgrade_test

import (
	"testing"

	"github.com/datachain-go/datachain/history/upgrade"
)

// BenchmarkDocument upgrades the documents of some cases: one that only changes its pin,
// and one in which much changes.
func BenchmarkDocument(b *testing.B) {
	for _, name := range []string{"pin", "variables", "references", "resolved"} {
		a := readArchive(b, "testdata/"+name+".txtar")
		from, to := readSchema(b, a.files["old.yaml"]), readSchema(b, a.files["new.yaml"])
		doc := parsed(b, a.files["document.json"])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(doc.Text())))
			for b.Loop() {
				if _, err := upgrade.Document(doc, from, to, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
