package lsp

import (
	"context"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// actions returns the fixes of the findings of lint in a range of a source file, and one
// that makes all fixes of the file.
func (q *sourceQuery) actions(ctx context.Context, p *codeActionParams) (any, error) {
	list := []codeAction{}
	findings := slices.DeleteFunc(q.findings(), func(i issue.Issue) bool { return i.Fix == nil || i.Position.File != q.file })
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	for _, i := range findings {
		start, end := q.text.place(i.Position)
		if !p.wants(actionQuickFix) || end < from || start > to {
			continue
		}
		edits, fixed := q.outline.Fixes(q.files, issue.Issues{i})
		if len(fixed) == 0 {
			continue
		}
		list = append(list, codeAction{
			Title: prose.Sentence(i.FixHint), Kind: actionQuickFix, IsPreferred: true, Edit: q.edit(edits[q.file]),
			Diagnostics: []diagnostic{q.session.newDiagnostic(q.text, datachain.Finding{
				Issue: i, Span: document.Span{Start: document.Point{Offset: start}, End: document.Point{Offset: end}},
			})},
		})
	}
	if p.wants(actionFixAll) {
		if edits, fixed := q.outline.Fixes(q.files, findings); len(fixed) > 0 {
			list = append(list, codeAction{
				Title: "Fix all problems that can be fixed safely (" + prose.Count(len(fixed), "finding") + ")", Kind: actionFixAll,
				Edit: q.edit(edits[q.file]),
			})
		}
	}
	return list, ctx.Err()
}

// findings returns the findings of lint in the version of the file. It returns none if the
// text has changed since, because their places may be wrong.
func (q *sourceQuery) findings() issue.Issues {
	q.session.mu.Lock()
	defer q.session.mu.Unlock()
	linted := &q.root.linter.linted
	if linted.open[q.file] != q.text {
		return nil
	}
	return slices.Clone(linted.issues[q.outline.Version])
}

// edit returns edits of the file of the query.
func (q *sourceQuery) edit(edits []document.Edit) workspaceEdit {
	document := &query{session: q.session, text: q.text}
	return document.edit(q.text.edits(edits)...)
}
