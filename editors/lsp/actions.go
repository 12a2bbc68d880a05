package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

type codeActionParams struct {
	documentParams
	Range   span `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitzero"`
	Edit        workspaceEdit `json:"edit"`
}

// The kinds of code actions.
const (
	actionQuickFix = "quickfix"
	actionFixAll   = "source.fixAll.datachain"
	actionRewrite  = "refactor.rewrite"
)

// wants reports whether the client asked for actions of a kind.
func (p *codeActionParams) wants(kind string) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
		return kind == only || strings.HasPrefix(kind, only+".")
	})
}

// touches reports whether the range that the client asked about touches a part of a text.
func (p *codeActionParams) touches(t *text, start, end int) bool {
	return end >= t.lines().offset(p.Range.Start) && start <= t.lines().offset(p.Range.End)
}

// actions returns the fixes of the findings in a range, placements for categories that
// lack them, one that makes all fixes of the document, and those that upgrade to the
// latest version or only pin it.
func (q *query) actions(ctx context.Context, p *codeActionParams) (any, error) {
	list := []codeAction{}
	if p.wants(actionQuickFix) || p.wants(actionFixAll) {
		v, err := q.session.verdict(ctx, q.releases, q.text, p.wants(actionFixAll))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil { // otherwise there is nothing to validate it by
			list = q.fixes(ctx, v, p)
		}
	}
	if p.wants(actionRewrite) {
		list = q.addPinActions(ctx, p, list)
	}
	return list, ctx.Err()
}

// fixes returns the actions that fix findings, also those that leave something for a
// person to fill in.
func (q *query) fixes(ctx context.Context, v *datachain.Verdict, p *codeActionParams) []codeAction {
	list := []codeAction{}
	findings := v.Findings()
	for _, f := range findings {
		if !p.wants(actionQuickFix) || !p.touches(q.text, f.Span.Start.Offset, f.Span.End.Offset) {
			continue
		}
		action := codeAction{Kind: actionQuickFix, Diagnostics: []diagnostic{q.session.newDiagnostic(q.text, f)}}
		if f.Fix == nil {
			for _, a := range q.suggest(ctx, v, f, action) {
				list = addAction(list, a)
			}
			continue
		}
		edits, _ := v.Edits(f.Issue)
		if len(edits) == 0 {
			continue
		}
		action.Title, action.IsPreferred, action.Edit = wording.Sentence(f.FixHint), true, q.session.edit(q.text, edits...)
		list = append(list, action)
	}
	if p.wants(actionQuickFix) {
		list = append(list, q.placeMissing(v, findings, p)...)
	}
	if v.Fixed != nil {
		list = q.session.addFixAll(list, q.text, len(v.Fixed.Resolved), v.Fixed.Edits)
	}
	return list
}

// addFixAll adds the action that makes all fixes of a text, if there are any.
func (s *session) addFixAll(list []codeAction, t *text, fixed int, edits []document.Edit) []codeAction {
	if fixed == 0 {
		return list
	}
	title := "Fix all problems that can be fixed safely (" + wording.Count(fixed, "finding") + ")"
	return append(list, codeAction{Title: title, Kind: actionFixAll, Edit: s.edit(t, edits...)})
}

// addAction adds an action to a list. If it is there already for another finding about the same
// value, such as another missing variable, that one gets the diagnostic, too.
func addAction(list []codeAction, a codeAction) []codeAction {
	for i := range list {
		if list[i].Title == a.Title && list[i].Diagnostics[0].Data.Path.Equal(a.Diagnostics[0].Data.Path) {
			list[i].Diagnostics = append(list[i].Diagnostics, a.Diagnostics...)
			return list
		}
	}
	return append(list, a)
}

// actions returns the fixes of the findings of lint in a range of a source file, and one
// that makes all fixes of the file.
func (q *sourceQuery) actions(ctx context.Context, p *codeActionParams) (any, error) {
	list := []codeAction{}
	findings := slices.DeleteFunc(q.findings(), func(i issue.Issue) bool { return i.Fix == nil || i.Position.File != q.file })
	for _, i := range findings {
		start, end := q.text.restOfLine(i.Position)
		if !p.wants(actionQuickFix) || !p.touches(q.text, start, end) {
			continue
		}
		edits, fixed := q.outline.Fixes(q.files, issue.Issues{i})
		if len(fixed) == 0 {
			continue
		}
		list = append(list, codeAction{
			Title: wording.Sentence(i.FixHint), Kind: actionQuickFix, IsPreferred: true, Edit: q.session.edit(q.text, edits[q.file]...),
			Diagnostics: []diagnostic{q.session.newDiagnostic(q.text, datachain.Finding{
				Issue: i, Span: document.Span{Start: document.Point{Offset: start}, End: document.Point{Offset: end}},
			})},
		})
	}
	if p.wants(actionFixAll) {
		edits, fixed := q.outline.Fixes(q.files, findings)
		list = q.session.addFixAll(list, q.text, len(fixed), edits[q.file])
	}
	return list, ctx.Err()
}

// findings returns the findings of lint in the version of the file. It returns none if the
// text has changed since, because their places may be wrong.
func (q *sourceQuery) findings() issue.Issues {
	q.session.mu.Lock()
	defer q.session.mu.Unlock()
	linted := &q.releases.linter.linted
	if linted.open[q.file] != q.text {
		return nil
	}
	return slices.Clone(linted.issues[q.outline.Version])
}
