package validate

import (
	"context"
	"fmt"
	"iter"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var contextType = &Rule{
	Name:         "context_type",
	Doc:          "A placement names a context value of its category, if there are any.",
	Codes:        []issue.Code{codes.ContextTypeUnknown, codes.ContextTypeMissing},
	DespiteShape: true,
	Needs:        WholeSchema,
	Run: func(_ context.Context, p *Pass) error {
		for placed := range p.Placements() {
			switch {
			case placed.Category == nil:
			case placed.ContextTypeID != "":
				checkContext(p, placed)
			case len(placed.Category.Context.Values) > 0 && !p.Open(placed.Path().Key("context_type_id")):
				reportNoContext(p, placed)
			}
		}
		return nil
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
	if k := former(p, taxonomy.IDContextValue, c, c.Context.Values, contextID, contextFrom, id, c.ID); k >= 0 {
		p.reportRenamed(unknown, c.Context.Values[k].ID)
		return
	}
	p.reportMisspelled(unknown, id, contextIDs(c))
}

func contextIDs(c *taxonomy.Category) iter.Seq[string] {
	return idsOf(c.Context.Values, contextID)
}
