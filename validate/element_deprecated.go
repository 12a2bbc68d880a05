package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var elementDeprecated = &Rule{
	Name:  "element_deprecated",
	Doc:   "A placement does not refer to a deprecated element.",
	Codes: []issue.Code{codes.InstanceElementDeprecated},
	Needs: "the element_id; in a resolved document also the snapshot",
	Run: func(p *Pass) {
		if p.unread.schema {
			return
		}
		for placed := range p.Placements() {
			if e := placed.Element; e != nil && e.Deprecated() {
				p.Report(issue.Issue{
					Code: codes.InstanceElementDeprecated, Path: placed.Path().Key("element_id"), Severity: issue.SeverityWarning,
					Message: fmt.Sprintf("The element %s is deprecated.", name(e.ID)),
					FixHint: p.instead(e),
				})
			}
		}
	},
}

// instead returns the hint for a deprecated element.
func (p *Pass) instead(e *taxonomy.Element) string {
	successors := e.ReplacedBy
	if r := p.release(); r != nil && r.HasElement(e.ID) {
		successors = r.Succession(e.ID).Elements // those that exist
	}
	if len(successors) == 0 {
		return "place another element of the category " + name(e.CategoryID)
	}
	return "place " + p.alternatives(successors) + " instead"
}
