package lsp

import (
	"unicode/utf8"
)

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

// difference returns the edit that makes a text of the current one: the part between
// the common start and the common end.
func (q *query) difference(after []byte) []textEdit {
	before := q.text.content
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	for start > 0 && start < len(before) && !utf8.RuneStart(before[start]) {
		start--
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(before[len(before)-end]) {
		end--
	}
	return []textEdit{{q.text.lines().span(start, len(before)-end), string(after[start : len(after)-end])}}
}
