package lsp

import (
	"github.com/datachain-go/datachain/taxonomy/document"
)

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

// edit returns edits of an open text.
func (s *session) edit(t *text, edits ...document.Edit) workspaceEdit {
	if !s.client.documentChanges {
		return workspaceEdit{Changes: map[string][]textEdit{t.uri: t.edits(edits)}}
	}
	d := documentEdit{Edits: t.edits(edits)}
	d.Document.URI = t.uri
	if t.open {
		d.Document.Version = &t.version
	}
	return workspaceEdit{DocumentChanges: []any{d}}
}

// edits returns edits of bytes as those of an editor.
func (t *text) edits(edits []document.Edit) []textEdit {
	list := make([]textEdit, len(edits))
	for i, e := range edits {
		list[i] = textEdit{t.lines().span(e.Range.Start, e.Range.End), string(e.Text)}
	}
	return list
}
