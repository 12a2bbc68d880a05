package lsp

import (
	"context"

	"github.com/datachain-go/datachain/internal/prose"
)

// upgrade adds the action that moves the document to a version. What is left to do is in the title, and afterwards in the findings.
func (q *query) upgrade(ctx context.Context, version string, list []codeAction) []codeAction {
	schema, err := q.root.releases.Service.Open(ctx, version)
	if err != nil {
		return list
	}
	result, err := schema.Upgrade(ctx, q.text.content, nil)
	if err != nil || !result.Report.Changed {
		return list // not JSON, or not a datachain
	}
	title := "Upgrade to " + version
	if open := result.Report.Counts.NeedsPerson + result.Report.Counts.Cannot; open > 0 {
		title += " (" + prose.Count(open, "place") + " left for you)"
	}
	return append(list, codeAction{Title: title, Kind: actionRewrite, Edit: q.edit(q.textEdits(result.Edits)...)})
}
