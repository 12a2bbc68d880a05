package lsp

import (
	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/jsonedit"
	"github.com/datachain-go/datachain/internal/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxPlaced is how many elements are offered for a category that lacks placements.
const maxPlaced = 12

// place offers placements of the categories that lack them, one action for each
// element: which one is right is for the author to say.
func (q *query) place(v *datachain.Verdict, findings []datachain.Finding, p *codeActionParams) []codeAction {
	doc := v.Document()
	list, _ := doc.Root().Get("elements")
	if q.schema == nil || list.Kind() != '[' {
		return nil
	}
	editor := jsonedit.New(doc)
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	var shown []diagnostic
	for _, f := range findings {
		lacks := f.Code == issue.CodeRequiredCategoryMissing || f.Code == issue.CodeElementRequired ||
			list.Len() == 0 && f.Path.Equal(elementsPath) // a wrong shape, which is reported first
		if lacks && f.Span.End.Offset >= from && f.Span.Start.Offset <= to {
			shown = append(shown, q.session.newDiagnostic(q.text, f))
		}
	}
	if len(shown) == 0 {
		return nil
	}
	free := q.newRoom(tolerant.Cursor{})
	var actions []codeAction
	for _, c := range q.schema.Release().Categories() {
		if !free.needed(c.ID) {
			continue
		}
		n := 0
		for _, e := range q.schema.Release().ElementsOf(c.ID) {
			if n == maxPlaced || !free.has(e) {
				continue
			}
			n++
			text := &snippet{plain: true}
			actions = append(actions, codeAction{
				Title: "Place “" + q.title(e) + "” (" + q.pick(c.Name) + ")", Kind: actionQuickFix, Diagnostics: shown,
				Edit: q.edit(q.text.edit(editor.Addition(list, "", []byte(q.placement(text, e).String())))),
			})
		}
	}
	return actions
}

var elementsPath = issue.Root.Key("elements")
