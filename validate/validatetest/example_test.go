package validatetest_test

import (
	"context"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
	"github.com/datachain-go/datachain/validate/validatetest"
)

// A test of a rule has a document that the rule reports, and one that it does not.
func ExampleRun() {
	var t *testing.T              // as TestRule gets it
	var release *taxonomy.Release // of a store
	rule := &validate.Rule{
		Name:  "untitled",
		Doc:   "A document has a title.",
		Codes: []issue.Code{"ACME_UNTITLED"},
		Run: func(_ context.Context, p *validate.Pass) error {
			if len(p.Instance.Title) == 0 {
				p.Report(issue.Issue{Code: "ACME_UNTITLED", Path: issue.Root.Key("title"), Message: "The document has no title."})
			}
			return nil
		},
	}
	const rest = `"id":"a","schema_version":"ai@2026-11-15-stable","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"purpose.benefits"}]`
	validatetest.Run(t, rule, []validatetest.Case{
		{Name: "titled", Release: release, Document: `{"title":[{"locale":"en","value":"A"}],` + rest + `}`},
		{Name: "untitled", Release: release, Document: `{` + rest + `}`, Want: []validatetest.Finding{
			{Code: "ACME_UNTITLED", Path: "title", Message: "no title"},
		}},
	})
}
