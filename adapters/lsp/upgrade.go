package lsp

import (
	"context"

	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// newer returns the latest stable version, if it is newer than the pinned one.
func (q *query) newer(ctx context.Context) (string, bool) {
	pin, _ := q.document().Get("schema_version")
	pinned, err := taxonomy.ParseVersion(pin.Text())
	if err != nil {
		return "", false // an alias is always as new as it can be
	}
	latest, ok := q.latest(ctx)
	if !ok {
		return "", false
	}
	v, err := taxonomy.ParseVersion(latest)
	return latest, err == nil && v.Date() > pinned.Date()
}

type upgradeResult struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	// Text is the new document.
	Text   string          `json:"text"`
	Report *upgrade.Report `json:"report"`
}

// upgradeToLatest moves the document to the latest stable version.
func (q *query) upgradeToLatest(ctx context.Context, doc snapshot, show bool) (any, error) {
	latest, ok := q.newer(ctx)
	if !ok {
		return nil, failed(codeRequestFailed, "There is no stable version that is newer than the one that the document pins.")
	}
	schema, err := q.root.releases.Service.Open(ctx, latest)
	if err != nil {
		return nil, err
	}
	const intent = "The document can't be upgraded"
	r, err := schema.Upgrade(ctx, q.text.content, nil)
	if err != nil || !r.Report.Changed {
		return nil, q.refused(ctx, intent, err)
	}
	if !show {
		return upgradeResult{doc.text.uri, doc.text.version, string(r.Document.Text()), &r.Report}, nil
	}
	if !q.session.client.applyEdit {
		return nil, failed(codeRequestFailed, "The editor can't apply edits: it must support workspace/applyEdit.")
	}
	q.session.ask("workspace/applyEdit", applyEditParams{Label: "Upgrade to " + latest, Edit: q.edit(q.textEdits(r.Edits)...)})
	if open := r.Report.Counts.NeedsPerson + r.Report.Counts.Cannot; open > 0 {
		q.session.message(messageWarning, "Upgraded to "+latest+". "+prose.Count(open, "place")+" left for you: see the problems of the document.")
	}
	return nil, nil
}
