package lsp

import (
	"context"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/document"
)

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

// fileRename renames a file, as a part of a workspace edit.
type fileRename struct {
	Kind   string `json:"kind"`
	OldURI string `json:"oldUri"`
	NewURI string `json:"newUri"`
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

// rename gives an id another name in all files of its version. A symbol is a file,
// which only some clients can rename.
func (q *sourceQuery) rename(_ context.Context, p *renameParams) (any, error) {
	d := q.target(p.Position)
	if d == nil {
		return nil, failed(codeRequestFailed, "There is no id to rename here.")
	}
	if d.Kind == source.KindSymbol && !q.session.client.renameFiles {
		return nil, failed(codeRequestFailed, "A symbol is a file, and the editor can't rename files.")
	}
	renaming, err := q.outline.Rename(d, p.NewName)
	if err != nil {
		return nil, failed(codeRequestFailed, "%v", err)
	}
	var edit workspaceEdit
	for _, file := range slices.Sorted(maps.Keys(renaming.Edits)) {
		t := q.files.text(file, q.session.client.encoding)
		edits := t.edits(renaming.Edits[file])
		if !q.session.client.documentChanges {
			if edit.Changes == nil {
				edit.Changes = make(map[string][]textEdit)
			}
			edit.Changes[t.uri] = edits
			continue
		}
		edit.DocumentChanges = append(edit.DocumentChanges, newDocumentEdit(t, q.files.open[file] != nil, edits))
	}
	for _, file := range slices.Sorted(maps.Keys(renaming.Files)) {
		edit.DocumentChanges = append(edit.DocumentChanges, fileRename{"rename", q.files.uri(file), q.files.uri(renaming.Files[file])})
	}
	return edit, nil
}
