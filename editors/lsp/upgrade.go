package lsp

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// addPinActions adds the actions for the pinned version, if the range touches it: to upgrade to
// its successor or a newer beta, to upgrade to the latest version, and only to pin that one. What
// the list has already under another name, as for a pin of an unknown version, is not added again.
func (q *query) addPinActions(ctx context.Context, p *codeActionParams, list []codeAction) []codeAction {
	pin, _ := q.document().Get("schema_version")
	if pin.Kind() != '"' || !q.text.tree().Settled(pin.Range()) || !p.touches(q.text, pin.Whole().Start, pin.Whole().End) {
		return list
	}
	latest, ok := q.latest(ctx)
	if next, newer := q.newer(ctx); newer && next != latest {
		list = q.addUpgrade(ctx, next, list)
	}
	if !ok || latest == pin.Text() {
		return list
	}
	return addRewrite(q.addUpgrade(ctx, latest, list), "Pin the latest version, "+latest,
		q.session.edit(q.text, document.Edit{Range: pin.Range(), Text: []byte(quote(latest))}))
}

// addRewrite adds an action, unless the list has one with the same edit.
func addRewrite(list []codeAction, title string, edit workspaceEdit) []codeAction {
	if slices.ContainsFunc(list, func(a codeAction) bool { return reflect.DeepEqual(a.Edit, edit) }) {
		return list
	}
	return append(list, codeAction{Title: title, Kind: actionRewrite, Edit: edit})
}

// latest returns the newest version of the type that the document pins, as its alias says, unless that
// is older than the pinned one.
func (q *query) latest(ctx context.Context) (string, bool) {
	pin := q.pin()
	typ, _, _ := strings.Cut(pin, "@")
	ref, err := taxonomy.ParseRef(typ + "@" + codes.AliasLatest)
	if err != nil {
		return "", false
	}
	index, err := q.releases.Service.Versions(ctx)
	if err != nil {
		return "", false
	}
	entry, ok := index.Lookup(ref)
	pinned, err := taxonomy.ParseVersion(pin)
	older := err == nil && entry.ID.Compare(pinned) > 0
	return entry.ID.String(), ok && !older
}

// newer returns the version to upgrade to, if there is one.
func (q *query) newer(ctx context.Context) (string, bool) {
	pinned, err := taxonomy.ParseVersion(q.pin())
	if err != nil {
		return "", false // an alias is always as new as it can be
	}
	index, err := q.releases.Service.Versions(ctx)
	if err != nil {
		return "", false
	}
	next, ok := upgrade.Newer(index, pinned)
	return next.String(), ok
}

// addUpgrade adds the action that moves the document to a version. The title says what is left to
// do, and the findings afterwards where.
func (q *query) addUpgrade(ctx context.Context, version string, list []codeAction) []codeAction {
	r, left, err := q.upgradeTo(ctx, version)
	if err != nil || !r.Report.Changed {
		return list // not JSON, or not a datachain
	}
	title := "Upgrade to " + version
	if left != "" {
		title += " (" + left + ")"
	}
	return addRewrite(list, title, q.session.edit(q.text, r.Edits...))
}

// upgradeTo moves the document to a version. It says what is left for a person to do, or "".
func (q *query) upgradeTo(ctx context.Context, version string) (r *upgrade.Result, left string, err error) {
	schema, err := q.releases.Service.Open(ctx, version)
	if err != nil {
		return nil, "", err
	}
	if r, err = upgrade.Run(ctx, schema, q.text.content, nil); err != nil {
		return nil, "", err
	}
	var todo []string
	if open := r.Report.Counts.NeedsPerson + r.Report.Counts.Cannot; open > 0 {
		todo = append(todo, wording.Count(open, "place")+" left for you")
	}
	if slices.ContainsFunc(r.Report.Entries, func(e upgrade.ReportEntry) bool { return e.Kind == "old_version_unknown" }) {
		todo = append(todo, "read the whole document, since its old version is not available")
	}
	return r, strings.Join(todo, "; "), nil
}

type upgradeResult struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	// Text is the new document.
	Text   string          `json:"text"`
	Report *upgrade.Report `json:"report"`
}

// upgradeToLatest moves the document to the version that is offered.
func (q *query) upgradeToLatest(ctx context.Context, doc snapshot, show bool) (any, error) {
	latest, ok := q.newer(ctx)
	if !ok {
		return nil, failed(codeRequestFailed, "There is no newer version than the one that the document pins.")
	}
	r, left, err := q.upgradeTo(ctx, latest)
	if err != nil || !r.Report.Changed {
		return nil, q.refused(ctx, "The document can't be upgraded", err)
	}
	if !show {
		return upgradeResult{doc.text.uri, doc.text.version, string(r.Document.Text()), &r.Report}, nil
	}
	if !q.session.client.applyEdit {
		return nil, failed(codeRequestFailed, "The editor can't apply edits: it must support workspace/applyEdit.")
	}
	q.session.ask("workspace/applyEdit", object{"label": "Upgrade to " + latest, "edit": q.session.edit(q.text, r.Edits...)})
	if left != "" {
		q.session.warn("Upgraded to " + latest + " (" + left + "). See the problems of the document.")
	}
	return nil, nil
}
