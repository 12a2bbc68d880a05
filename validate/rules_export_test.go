package validate

import (
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// RunRules returns a function that runs only the rules on a document.
func RunRules(t testing.TB, release *taxonomy.Release, doc *document.Document) func() (*Result, error) {
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		t.Fatal(err)
	}
	return func() (*Result, error) {
		p, err := newPass(doc, nil)
		if err != nil {
			return nil, err
		}
		p.Version, p.Schema, p.Instance = release.Version(), release, instance
		p.findElements()
		p.runRules(instanceRules(p.opts))
		return p.result()
	}
}
