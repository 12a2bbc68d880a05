package validate

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/jsonedit"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ApplyFixes makes the [Edits] of issues. It returns the new text and the issues whose
// fixes were made, in the order of the text. All other bytes stay the same.
func ApplyFixes(doc *document.Document, issues issue.Issues) ([]byte, issue.Issues) {
	edits, applied := Edits(doc, issues)
	text, err := document.ApplyEdits(doc.Text(), edits)
	if err != nil {
		panic("validate: " + err.Error()) // Edits returns none that overlap
	}
	return text, applied
}

// Edits returns the fixes of issues as edits of the text of a document, in order, and
// the issues that they fix. They keep the white space and the order of the document,
// and those of one issue are independent of the others. A fix is left out if it changes
// nothing, overlaps one before it, would give an object the same key twice, or has no
// place in the document.
func Edits(doc *document.Document, issues issue.Issues) ([]document.Edit, issue.Issues) {
	var edits []edit
	editor := jsonedit.New(doc)
	for _, i := range issues {
		if i.Fix == nil {
			continue
		}
		if e, ok := newEdit(doc, editor, i.Fix); ok {
			e.issue = i
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at.Start - b.at.Start })

	var made []document.Edit
	applied := issue.Issues{}
	keys := make(map[newKey]bool)
	end, added := 0, -1 // of the last edit, and of the last addition
	for _, e := range edits {
		addition := e.at.Start == e.at.End
		switch {
		case e.at.Start < end, e.key != (newKey{}) && keys[e.key]:
			continue
		case addition && e.at.Start == added: // both would add their own comma
			continue
		case addition:
			added = e.at.Start
		}
		made = append(made, e.small(doc.Text())...)
		end, keys[e.key] = e.at.End, true
		applied = append(applied, e.issue)
	}
	return made, applied
}

// small returns the edit, as two insertions if the new text contains the old one.
func (e *edit) small(text []byte) []document.Edit {
	if old := text[e.at.Start:e.at.End]; len(old) > 0 {
		if before, after, found := bytes.Cut(e.text, old); found {
			return slices.DeleteFunc([]document.Edit{
				{Range: document.Range{Start: e.at.Start, End: e.at.Start}, Text: before},
				{Range: document.Range{Start: e.at.End, End: e.at.End}, Text: after},
			}, func(e document.Edit) bool { return len(e.Text) == 0 })
		}
	}
	return []document.Edit{{Range: e.at, Text: e.text}}
}

// edit is a fix as a change of the text.
type edit struct {
	at    document.Range
	text  []byte
	key   newKey
	issue issue.Issue
}

// newKey is a key that an edit gives to an object, which is identified by its offset.
// The zero newKey is none.
type newKey struct {
	object int
	key    string
}

// newEdit returns the edit of a fix, if it has a place in the document.
func newEdit(doc *document.Document, editor *jsonedit.Editor, f *issue.Fix) (edit, bool) {
	if f.Key == "" && !jsontext.Value(f.Value).IsValid() {
		return edit{}, false
	}
	v, there := doc.Find(f.Path)
	if there && f.Key == "" {
		return edit{at: v.Range(), text: f.Value}, !bytes.Equal(v.Raw(), f.Value)
	}
	if len(f.Path) == 0 || !there && f.Key != "" {
		return edit{}, false
	}
	last := len(f.Path) - 1
	object, ok := doc.Find(f.Path[:last])
	if !ok || object.Kind() != '{' {
		return edit{}, false
	}
	name := f.Key
	if !there {
		name = f.Path[last].Name()
	}
	if _, taken := object.Get(name); taken {
		return edit{}, false
	}
	key := newKey{object.Range().Start, name}
	if there {
		return edit{at: v.KeyRange(), text: quote(name), key: key}, true
	}
	added := editor.Addition(object, name, f.Value)
	return edit{at: added.Range, text: added.Text, key: key}, true
}
