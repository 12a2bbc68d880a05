package lsp

import "github.com/datachain-go/datachain/taxonomy/document"

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit has one of its fields: the first, for clients that know it, applies
// only to the version of the text that the edit was made for.
type workspaceEdit struct {
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
	Changes         map[string][]textEdit `json:"changes,omitempty"`
}

type documentEdit struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

// edit returns edits of the document of the query.
func (q *query) edit(edits ...textEdit) workspaceEdit {
	if !q.session.client.documentChanges {
		return workspaceEdit{Changes: map[string][]textEdit{q.text.uri: edits}}
	}
	d := documentEdit{Edits: edits}
	d.Document.URI, d.Document.Version = q.text.uri, q.text.version
	return workspaceEdit{DocumentChanges: []documentEdit{d}}
}

// textEdits returns edits of bytes as those of an editor.
func (q *query) textEdits(edits []document.Edit) []textEdit {
	list := make([]textEdit, len(edits))
	for i, e := range edits {
		list[i] = textEdit{q.text.lines().span(e.Range.Start, e.Range.End), string(e.Text)}
	}
	return list
}
