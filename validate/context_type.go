package validate

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var contextType = &Rule{
	Name:  "context_type",
	Doc:   "A placement chooses a context value of its category where that has any.",
	Codes: []issue.Code{issue.CodeContextTypeUnknown, issue.CodeContextTypeMissing},
	Run: func(p *Pass) {
		for placed := range p.Placements() {
			switch {
			case placed.Category == nil:
			case placed.ContextTypeID == "":
				checkContextMissing(p, placed)
			default:
				checkContext(p, placed)
			}
		}
	},
}

// checkContextMissing judges a placement that chooses no context.
func checkContextMissing(p *Pass, placed *Placed) {
	c := placed.Category
	values := c.Context.Values
	if len(values) == 0 {
		return
	}
	missing := issue.Issue{
		Code: issue.CodeContextTypeMissing, Path: placed.Path().Key("context_type_id"), Severity: issue.SeverityWarning,
		Message: fmt.Sprintf("The placement of %s has no context_type_id, though the category %s has contexts to choose from.", name(placed.ElementID), name(c.ID)),
		FixHint: "add context_type_id with one of " + some(contextIDs(c)),
	}
	if c.Context.Required {
		missing.Severity = issue.SeverityError
		missing.Message = fmt.Sprintf("The placement of %s needs a context_type_id, since the category %s requires a context.", name(placed.ElementID), name(c.ID))
		if len(values) == 1 {
			missing.FixHint = fmt.Sprintf(`add "context_type_id": %s`, quote(prose.Clip(values[0].ID)))
			missing.Fix = &issue.Fix{Path: missing.Path, Value: quote(values[0].ID)}
		}
	}
	p.Report(missing)
}

// checkContext judges the context that a placement chooses.
func checkContext(p *Pass, placed *Placed) {
	c, id := placed.Category, placed.ContextTypeID
	values := c.Context.Values
	if p.index.find(c, len(values), func(i int) string { return values[i].ID }, id) >= 0 {
		return
	}
	at := placed.Path().Key("context_type_id")
	if len(values) == 0 {
		p.fail(issue.CodeContextTypeUnknown, at,
			fmt.Sprintf("The category %s has no contexts, so %q can't be one.", name(c.ID), prose.Clip(id)), "remove context_type_id")
		return
	}
	all := some(contextIDs(c))
	p.misspelt(issue.Issue{
		Code: issue.CodeContextTypeUnknown, Path: at,
		Message: fmt.Sprintf("The category %s has no context %q; it has %s.", name(c.ID), prose.Clip(id), all),
		FixHint: "write one of " + all,
	}, id, contextIDs(c))
}

func contextIDs(c *taxonomy.Category) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := range c.Context.Values {
			if !yield(c.Context.Values[i].ID) {
				return
			}
		}
	}
}
