package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

// prepareRename returns the id at a position that can be renamed, or null.
func (q *sourceQuery) prepareRename(_ context.Context, p *positionParams) (any, error) {
	d, ref := q.outline.At(q.file, q.text.lines().offset(p.Position))
	at := document.Range{}
	switch {
	case ref != nil && ref.Definition != nil:
		at = ref.Range
	case ref == nil && d != nil:
		at = d.IDRange
	}
	if at.Start == at.End {
		return nil, nil
	}
	return q.text.lines().span(at.Start, at.End), nil
}

// prepareRename returns the id at a position of a document that can be renamed, or null.
func (q *query) prepareRename(_ context.Context, p *positionParams) (any, error) {
	in, _, at := q.definitionAt(p.Position)
	if in == nil {
		return nil, nil
	}
	return q.text.lines().span(at.Start, at.End), nil
}

// rename gives an id another name in all files of its version, and in the documents that
// pin it. A symbol is a file, which only some clients can rename.
func (q *sourceQuery) rename(ctx context.Context, p *renameParams) (any, error) {
	d := q.target(p.Position)
	if d == nil {
		return nil, failed(codeRequestFailed, "There is no id to rename here.")
	}
	return q.renameTo(ctx, d, p.NewName)
}

// rename renames an id of the source, there and in documents.
func (q *query) rename(ctx context.Context, p *renameParams) (any, error) {
	in, d, _ := q.definitionAt(p.Position)
	if in == nil {
		return nil, failed(codeRequestFailed, "There is no id of a schema source to rename here.")
	}
	return in.renameTo(ctx, d, p.NewName)
}

func (q *sourceQuery) renameTo(ctx context.Context, d *outline.Definition, name string) (any, error) {
	if v := q.outline.Version; v.Status() != taxonomy.Beta {
		return nil, failed(codeRequestFailed, "%s is stable, so its ids do not change: rename %s in a beta version.", v, d.ID)
	}
	if d.Kind == source.KindSymbol && !q.session.client.renameFiles {
		return nil, failed(codeRequestFailed, "A symbol is a file, and the editor can't rename files.")
	}
	renaming, err := q.outline.Rename(d, name)
	if err != nil {
		return nil, failed(codeRequestFailed, "%v", err)
	}
	documents, others, err := q.mentions(ctx, d)
	if err != nil {
		return nil, err
	}
	var edit workspaceEdit
	for _, file := range slices.Sorted(maps.Keys(renaming.Edits)) {
		t := q.files.text(file, q.session.client.encoding)
		q.session.addEdits(&edit, t, renaming.Edits[file])
	}
	for _, m := range documents {
		var edits []document.Edit
		for _, at := range m.places {
			edits = append(edits, document.Edit{Range: at, Text: []byte(name)})
		}
		q.session.addEdits(&edit, m.text, edits)
	}
	q.session.warnNotRenamed(q.outline.Version, d.ID, others)
	for _, file := range slices.Sorted(maps.Keys(renaming.Files)) {
		edit.DocumentChanges = append(edit.DocumentChanges, fileRename{"rename", q.files.uri(file), q.files.uri(renaming.Files[file])})
	}
	return edit, nil
}

// warnNotRenamed lists the documents that a rename did not change.
func (s *session) warnNotRenamed(version taxonomy.Version, id string, others []mention) {
	if len(others) == 0 {
		return
	}
	const most = 10
	var names []string
	for _, m := range others[:min(len(others), most)] {
		names = append(names, m.text.at.path)
	}
	if more := len(others) - most; more > 0 {
		names = append(names, wording.Count(more, "other"))
	}
	s.warn(fmt.Sprintf("%s was renamed in %s and in documents that pin it. Resolved documents and those that pin other versions still have it: %s.",
		id, version, wording.And(names)))
}
