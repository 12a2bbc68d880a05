package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var elementKnown = &Rule{
	Name:  "element_known",
	Doc:   "A placement refers to an element of the schema version.",
	Codes: []issue.Code{codes.InstanceElementUnknown},
	Needs: "the element_id",
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.unread {
				p.noElement(issue.Issue{
					Code: codes.InstanceElementUnknown, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("There is no element %q in %s.", prose.Clip(placed.ElementID), p.Version),
					FixHint: fmt.Sprintf("search the elements of %s for the right id", p.Version),
				}, placed.ElementID)
			}
		}
	},
}

// elementResolved is elementKnown for resolved documents.
var elementResolved = &Rule{
	Name:  "element_resolved",
	Doc:   "A placement refers to an element of the snapshot or a suggested element (R15).",
	Codes: []issue.Code{codes.UnknownElementID},
	Needs: "the element_id, the whole snapshot and all suggested elements",
	Run: func(p *Pass) {
		if p.unread.schema {
			return
		}
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.unread {
				p.noElement(issue.Issue{
					Code: codes.UnknownElementID, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("The element %q is neither in schema_snapshot.elements nor in suggested_elements.", prose.Clip(placed.ElementID)),
					FixHint: "resolve the document again, or add the element to suggested_elements",
				}, placed.ElementID)
			}
		}
	},
}
