package validate

import (
	"fmt"
	"iter"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var elementKnown = &Rule{
	Name:  "element_known",
	Doc:   "A placement refers to an element of the schema version.",
	Codes: []issue.Code{codes.InstanceElementUnknown},
	Needs: "the element_id",
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.brokenID {
				p.reportUnknownElement(issue.Issue{
					Code: codes.InstanceElementUnknown, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("There is no element %q in %s.", wording.Clip(placed.ElementID), p.Version),
					FixHint: fmt.Sprintf("search the elements of %s for the right id", p.Version),
				}, placed.ElementID)
			}
		}
	},
}

// elementResolved is elementKnown for resolved documents.
var elementResolved = &Rule{
	Name:  "element_resolved",
	Doc:   "A placement refers to an element of the snapshot or a suggested element.",
	Codes: []issue.Code{codes.UnknownElementID},
	Needs: "the element_id, the whole snapshot and all suggested elements",
	Run: func(p *Pass) {
		if p.incomplete.schema {
			return
		}
		for placed := range p.Placements() {
			if placed.Element == nil && !placed.brokenID {
				p.reportUnknownElement(issue.Issue{
					Code: codes.UnknownElementID, Path: placed.Path().Key("element_id"),
					Message: fmt.Sprintf("The element %q is neither in schema_snapshot.elements nor in suggested_elements.", wording.Clip(placed.ElementID)),
					FixHint: "resolve the document again, or add the element to suggested_elements",
				}, placed.ElementID)
			}
		}
	},
}

var elementDeprecated = &Rule{
	Name:  "element_deprecated",
	Doc:   "A placement does not refer to a deprecated element.",
	Codes: []issue.Code{codes.InstanceElementDeprecated},
	Needs: "the element_id; in a resolved document also the snapshot",
	Run: func(p *Pass) {
		if p.incomplete.schema {
			return
		}
		for placed := range p.Placements() {
			if e := placed.Element; e != nil && e.Deprecated() {
				p.Report(issue.Issue{
					Code: codes.InstanceElementDeprecated, Path: placed.Path().Key("element_id"), Severity: issue.SeverityWarning,
					Message: fmt.Sprintf("The element %s is deprecated.", ident.Name(e.ID)),
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
		return "place another element of the category " + ident.Name(e.CategoryID)
	}
	return "place " + p.alternatives(successors) + " instead"
}

var instanceIDs = &Rule{
	Name:  "instance_ids",
	Doc:   "An element_instance_id is unique in the document, and is not an element_id that is placed in it.",
	Codes: []issue.Code{codes.InstanceElementInstanceIDDuplicate, codes.InstanceElementInstanceIDCollides},
	Needs: "the element_instance_id; more ids only add findings",
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			id := placed.ElementInstanceID
			if id == "" {
				continue
			}
			if i := p.instancePositions()[id]; i != placed.Index {
				p.clash(codes.InstanceElementInstanceIDDuplicate, placed.Path().Key("element_instance_id"), p.placed[i].Path().Key("element_instance_id"),
					fmt.Sprintf("The element_instance_id %q is already used by elements[%d].", wording.Clip(id), i),
					"write an id that no other placement has")
			}
			if at, collides := p.elementOccurrences()[id]; collides {
				p.clash(codes.InstanceElementInstanceIDCollides, placed.Path().Key("element_instance_id"), p.placed[at.first].Path().Key("element_id"),
					fmt.Sprintf("The element_instance_id %q is also the element_id of elements[%d].", wording.Clip(id), at.first),
					"write an id that is not an element_id of the document")
			}
		}
	},
}

var contextType = &Rule{
	Name:  "context_type",
	Doc:   "A placement names a context value of its category, if there are any.",
	Codes: []issue.Code{codes.ContextTypeUnknown, codes.ContextTypeMissing},
	Needs: "element_id and context_type_id; in a resolved document also the snapshot and the suggested elements",
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			switch {
			case placed.Category == nil, p.incomplete.schema:
			case placed.ContextTypeID != "":
				checkContext(p, placed)
			case len(placed.Category.Context.Values) > 0 && !p.Broken(placed.Path().Key("context_type_id")):
				reportNoContext(p, placed)
			}
		}
	},
}

// reportNoContext reports a placement without a context.
func reportNoContext(p *Pass, placed *Placed) {
	c := placed.Category
	missing := issue.Issue{
		Code: codes.ContextTypeMissing, Path: placed.Path().Key("context_type_id"), Severity: issue.SeverityWarning,
		Message: fmt.Sprintf("The placement of %s has no context_type_id, but the category %s has contexts.", ident.Name(placed.ElementID), ident.Name(c.ID)),
		FixHint: "add context_type_id with one of " + some(contextIDs(c)),
	}
	if c.Context.Required {
		missing.Severity = issue.SeverityError
		missing.Message = fmt.Sprintf("The placement of %s has no context_type_id, which the category %s requires.", ident.Name(placed.ElementID), ident.Name(c.ID))
		if values := c.Context.Values; len(values) == 1 {
			missing.FixHint = fmt.Sprintf(`add "context_type_id": %s`, quote(wording.Clip(values[0].ID)))
			missing.Fix = &issue.Fix{Path: missing.Path, Value: quote(values[0].ID)}
		}
	}
	p.Report(missing)
}

// checkContext checks the context of a placement.
func checkContext(p *Pass, placed *Placed) {
	c, id := placed.Category, placed.ContextTypeID
	n := len(c.Context.Values)
	if find(&p.index, c, c.Context.Values, contextID, id) >= 0 {
		return
	}
	at := placed.Path().Key("context_type_id")
	if n == 0 {
		p.Report(issue.Issue{
			Code: codes.ContextTypeUnknown, Path: at,
			Message: fmt.Sprintf("The category %s has no contexts, but context_type_id is %q.", ident.Name(c.ID), wording.Clip(id)),
			FixHint: "remove context_type_id", Fix: &issue.Fix{Path: at, Remove: true},
		})
		return
	}
	all := some(contextIDs(c))
	unknown := issue.Issue{
		Code: codes.ContextTypeUnknown, Path: at,
		Message: fmt.Sprintf("The category %s has no context %q; it has %s.", ident.Name(c.ID), wording.Clip(id), all),
		FixHint: "write one of " + all,
	}
	if k := former(&p.index, c, c.Context.Values, contextFrom, id); k >= 0 {
		p.reportRenamed(unknown, c.Context.Values[k].ID)
		return
	}
	p.reportMisspelled(unknown, id, contextIDs(c))
}

func contextIDs(c *taxonomy.Category) iter.Seq[string] {
	return idsOf(c.Context.Values, contextID)
}
