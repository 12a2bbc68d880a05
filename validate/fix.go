package validate

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ApplyFixes makes the edits of issues. It returns the new text and the issues whose
// edits were made, in the order of the text. All other bytes stay the same. An edit is
// skipped if it changes nothing, overlaps an edit before it, would give an object the
// same key twice, or has no place in the document.
func ApplyFixes(doc *document.Document, issues issue.Issues) ([]byte, issue.Issues) {
	var edits []edit
	for _, i := range issues {
		if i.Fix == nil {
			continue
		}
		if e, ok := newEdit(doc, i.Fix); ok {
			e.issue = i
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at.Start - b.at.Start })

	var text []byte
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
		text = append(append(text, doc.Text()[end:e.at.Start]...), e.text...)
		end, keys[e.key] = e.at.End, true
		applied = append(applied, e.issue)
	}
	return append(text, doc.Text()[end:]...), applied
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
func newEdit(doc *document.Document, f *issue.Fix) (edit, bool) {
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
	e := addition(doc.Text(), object, name, f.Value)
	e.key = key
	return e, true
}

// addition returns an edit that adds a member to an object, with the white space of
// the member before it.
func addition(text []byte, object document.Value, name string, value []byte) edit {
	at := object.Range().Start + len("{")
	member := slices.Concat(quote(name), []byte(": "), value)
	for last := range object.All() {
		at = last.Range().End
		before := text[:last.KeyRange().Start]
		space := before[len(bytes.TrimRight(before, " \t\r\n")):]
		colon := text[last.KeyRange().End:last.Range().Start]
		if object.Len() == 1 && len(space) == 0 {
			space = colon[bytes.IndexByte(colon, ':')+1:] // there is no comma yet
		}
		member = slices.Concat([]byte(","), space, quote(name), colon, value)
	}
	return edit{at: document.Range{Start: at, End: at}, text: member}
}
