package validate

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var elementKnown = &Rule{
	Name:         "element_known",
	Doc:          "A placement refers to an element of the schema version.",
	Codes:        []issue.Code{codes.InstanceElementUnknown},
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.brokenID {
				p.reportUnknownElement(issue.Issue{
					Code: codes.InstanceElementUnknown, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("There is no element %q in %s.", wording.Clip(placed.ElementID), p.Version),
					FixHint: fmt.Sprintf("search the elements of %s for the right id", p.Version),
				}, placed.ElementID)
			}
		}
		return nil
	},
}

// elementResolved is elementKnown for resolved documents.
var elementResolved = &Rule{
	Name:         "element_resolved",
	Doc:          "A placement refers to an element of the snapshot or a suggested element.",
	Codes:        []issue.Code{codes.UnknownElementID},
	DespiteShape: true,
	Needs:        WholeSchema,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.brokenID {
				p.reportUnknownElement(issue.Issue{
					Code: codes.UnknownElementID, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("The element %q is neither in schema_snapshot.elements nor in suggested_elements.", wording.Clip(placed.ElementID)),
					FixHint: "resolve the document again, or add the element to suggested_elements",
				}, placed.ElementID)
			}
		}
		return nil
	},
}

var elementDeprecated = &Rule{
	Name:         "element_deprecated",
	Doc:          "A placement does not refer to a deprecated element.",
	Codes:        []issue.Code{codes.InstanceElementDeprecated},
	DespiteShape: true,
	Needs:        WholeSchema,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			if e := placed.Element; e != nil && e.Deprecated() {
				p.Report(issue.Issue{
					Code: codes.InstanceElementDeprecated, Path: placed.Path().Key("element_id"), Severity: issue.SeverityWarning,
					Message: fmt.Sprintf("The element %s is deprecated.", ident.Name(e.ID)),
					FixHint: p.instead(e),
				})
			}
		}
		return nil
	},
}

// instead returns the hint for a deprecated element.
func (p *Pass) instead(e *taxonomy.Element) string {
	successors := e.ReplacedBy
	if r := p.release(); r != nil && r.HasElement(e.ID) {
		f, _ := r.Fate(e.ID)
		successors = f.Successors // those that exist
	}
	if len(successors) == 0 {
		return "place another element of the category " + ident.Name(e.CategoryID)
	}
	return "place " + p.alternatives(successors) + " instead"
}
