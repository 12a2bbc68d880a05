package lsp

import "github.com/datachain-go/datachain/taxonomy/document"

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit has one of its fields: the first, for clients that know it, applies
// only to the version of the text that the edit was made for.
type workspaceEdit struct {
	DocumentChanges []any                 `json:"documentChanges,omitempty"`
	Changes         map[string][]textEdit `json:"changes,omitempty"`
}

type documentEdit struct {
	Document struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"` // null for a file that is not open
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

func newDocumentEdit(t *text, open bool, edits []textEdit) documentEdit {
	d := documentEdit{Edits: edits}
	d.Document.URI = t.uri
	if open {
		d.Document.Version = &t.version
	}
	return d
}

// edit returns edits of the document of the query.
func (q *query) edit(edits ...textEdit) workspaceEdit {
	if !q.session.client.documentChanges {
		return workspaceEdit{Changes: map[string][]textEdit{q.text.uri: edits}}
	}
	return workspaceEdit{DocumentChanges: []any{newDocumentEdit(q.text, true, edits)}}
}

// textEdits returns edits of bytes as those of an editor.
func (q *query) textEdits(edits []document.Edit) []textEdit { return q.text.edits(edits) }

func (t *text) edits(edits []document.Edit) []textEdit {
	list := make([]textEdit, len(edits))
	for i, e := range edits {
		list[i] = t.edit(e)
	}
	return list
}

func (t *text) edit(e document.Edit) textEdit {
	return textEdit{t.lines().span(e.Range.Start, e.Range.End), string(e.Text)}
}
