package validate

import (
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Rules returns a function that runs only the rules on a document.
func Rules(t testing.TB, release *taxonomy.Release, doc *document.Document) func() (*Result, error) {
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
		p.runRules(p.suite(InstanceRules()))
		return p.result()
	}
}
