package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
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

// actions returns the fixes of the findings in a range, placements for categories that
// lack them, one that makes all fixes of the document, and those that upgrade to the
// latest version or only pin it.
func (q *query) actions(ctx context.Context, p *codeActionParams) (any, error) {
	list := []codeAction{}
	if p.wants(actionQuickFix) || p.wants(actionFixAll) {
		v, err := q.session.verdict(ctx, q.root, q.text, p.wants(actionFixAll))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil { // otherwise it is not JSON, or there is nothing to judge it by
			list = q.fixes(v, p)
		}
	}
	if p.wants(actionRewrite) {
		list = q.repin(ctx, p, list)
	}
	return list, ctx.Err()
}

// fixes returns the actions that fix findings.
func (q *query) fixes(v *datachain.Verdict, p *codeActionParams) []codeAction {
	list := []codeAction{}
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	findings := v.Findings()
	for _, f := range findings {
		if f.Fix == nil || !p.wants(actionQuickFix) || f.Span.End.Offset < from || f.Span.Start.Offset > to {
			continue
		}
		edits, _ := v.Edits(f.Issue)
		if len(edits) == 0 {
			continue
		}
		list = append(list, codeAction{
			Title: prose.Sentence(f.FixHint), Kind: actionQuickFix, IsPreferred: true,
			Diagnostics: []diagnostic{q.session.newDiagnostic(q.text, f)}, Edit: q.edit(q.textEdits(edits)...),
		})
	}
	if p.wants(actionQuickFix) {
		list = append(list, q.place(v, findings, p)...)
	}
	if v.Fixed != nil && len(v.Fixed.Resolved) > 0 {
		list = append(list, codeAction{
			Title: "Fix all problems that can be fixed safely (" + prose.Count(len(v.Fixed.Resolved), "finding") + ")", Kind: actionFixAll,
			Edit: q.edit(q.textEdits(v.Fixed.Edits)...),
		})
	}
	return list
}

// repin adds the actions that upgrade to the latest version and that only pin it, if the
// range touches the pin.
func (q *query) repin(ctx context.Context, p *codeActionParams, list []codeAction) []codeAction {
	pin, _ := q.document().Get("schema_version")
	lines := q.text.lines()
	if pin.Kind() != '"' || lines.offset(p.Range.End) < pin.Whole().Start || lines.offset(p.Range.Start) > pin.Whole().End {
		return list
	}
	latest, ok := q.latest(ctx)
	if !ok || latest == pin.Text() {
		return list
	}
	list = q.upgrade(ctx, latest, list)
	quoted, err := jsontext.AppendQuote(nil, latest)
	if err != nil {
		return list
	}
	return append(list, codeAction{
		Title: "Pin the latest version, " + latest, Kind: actionRewrite,
		Edit: q.edit(textEdit{lines.span(pin.Range().Start, pin.Range().End), string(quoted)}),
	})
}
