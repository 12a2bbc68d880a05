package lsp

import (
	"bytes"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxPlaced is how many elements are offered for a category that lacks placements.
const maxPlaced = 12

// place offers placements of the categories that lack them, one action for each
// element: which one is right is for the author to say.
func (q *query) place(findings []datachain.Finding, p *codeActionParams) []codeAction {
	list, _ := q.document().Get("elements")
	if q.schema == nil || list.Kind() != '[' || !list.Closed() {
		return nil
	}
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	var shown []diagnostic
	for _, f := range findings {
		lacks := f.Code == issue.CodeRequiredCategoryMissing || f.Code == issue.CodeElementRequired ||
			isEmpty(list) && f.Path.Equal(elementsPath) // a wrong shape, which is reported first
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
				Edit: q.edit(q.appended(list, q.placement(text, e).String())),
			})
		}
	}
	return actions
}

var elementsPath = issue.Root.Key("elements")

// isEmpty reports whether a list has no items.
func isEmpty(list tolerant.Node) bool {
	for range list.All() {
		return false
	}
	return true
}

// appended returns the edit that adds an item at the end of an array, in the manner of
// the one before it.
func (q *query) appended(list tolerant.Node, item string) textEdit {
	at, before := list.Range().Start+1, ""
	for last := range list.All() {
		at, before = last.Range().End, ", "
		if indent, ok := q.indent(last.Range().Start); ok {
			before = ",\n" + indent
		}
	}
	return textEdit{q.text.lines().span(at, at), before + item}
}

// indent returns the white space before an offset, if the line has nothing else there.
func (q *query) indent(offset int) (string, bool) {
	line := q.text.content[bytes.LastIndexByte(q.text.content[:offset], '\n')+1 : offset]
	return string(line), strings.Trim(string(line), " \t") == ""
}
