package validate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy"
)

// ApplyFixes makes the edits that the issues of a document describe, and
// returns the new text with the issues whose edits were made, in the order of
// the text. Every other byte stays as it is. An edit is left out where it
// overlaps one before it, where it would give an object the same key twice, and
// where the document has no such place.
func ApplyFixes(doc *taxonomy.Document, issues taxonomy.Issues) ([]byte, taxonomy.Issues) {
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
	applied := taxonomy.Issues{}
	keys := make(map[newKey]bool)
	end, added := 0, -1 // where the last edit ended, and the last addition is
	for _, e := range edits {
		addition := e.at.Start == e.at.End
		switch {
		case e.at.Start < end, e.key != (newKey{}) && keys[e.key]:
			continue
		case addition && e.at.Start == added: // they do not know of each other
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

// edit is a fix in terms of the text.
type edit struct {
	at    taxonomy.Range
	text  []byte
	key   newKey
	issue taxonomy.Issue
}

// newKey is a key that an edit gives to an object, which is known by where it
// begins. The zero newKey is none: no object has a key of its own start.
type newKey struct {
	object int
	key    string
}

// newEdit finds the place of a fix.
func newEdit(doc *taxonomy.Document, f *taxonomy.Fix) (edit, bool) {
	if f.Key == "" && !jsontext.Value(f.Value).IsValid() {
		return edit{}, false
	}
	v, there := doc.Find(f.Path)
	if there && f.Key == "" {
		return edit{at: v.Range(), text: f.Value}, true
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

// addition adds a member to an object, spaced as the one before it.
func addition(text []byte, object taxonomy.Value, name string, value []byte) edit {
	at := object.Range().Start + len("{")
	member := slices.Concat(quote(name), []byte(": "), value)
	for last := range object.All() {
		at = last.Range().End
		before := text[:last.KeyRange().Start]
		space := before[len(bytes.TrimRight(before, " \t\r\n")):]
		colon := text[last.KeyRange().End:last.Range().Start]
		if object.Len() == 1 && len(space) == 0 {
			space = colon[bytes.IndexByte(colon, ':')+1:] // no comma to look at
		}
		member = slices.Concat([]byte(","), space, quote(name), colon, value)
	}
	return edit{at: taxonomy.Range{Start: at, End: at}, text: member}
}

// quote returns a string as JSON. Names come from strict documents and from
// releases, so they are UTF-8.
func quote(name string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, name)
	return quoted
}

const (
	// maxRounds bounds [Mend]: an edit can uncover another, but not for ever.
	maxRounds = 8
	// maxAlone is how many edits are tried one by one.
	maxAlone = 64
)

// Mend judges a document and makes the edits that its issues describe, until
// there are none or they lead nowhere. An edit that would make two names the
// same, and so place something once too often, is not made. It returns the
// document as it is then, its result, and the issues that are gone; judge is
// how to judge, such as a call of [Instance].
func Mend(doc *taxonomy.Document, judge func(*taxonomy.Document) (*Result, error)) (*taxonomy.Document, *Result, taxonomy.Issues, error) {
	mended := taxonomy.Issues{}
	result, err := judge(doc)
	if err != nil {
		return nil, nil, nil, err
	}
	m := mending{doc, result, judge}
	for range maxRounds {
		applied, err := m.try(m.result.Issues)
		if err != nil {
			return nil, nil, nil, err
		}
		if len(applied) == 0 {
			break
		}
		mended = append(mended, applied...)
	}
	return m.doc, m.result, mended, nil
}

// mending is a document on its way to fewer issues.
type mending struct {
	doc    *taxonomy.Document
	result *Result
	judge  func(*taxonomy.Document) (*Result, error)
}

// try makes the edits that the issues describe, all at once or, where that does
// not do, those that do one by one. It returns the issues whose edits it made.
func (m *mending) try(issues taxonomy.Issues) (taxonomy.Issues, error) {
	text, applied := ApplyFixes(m.doc, issues)
	if len(applied) == 0 {
		return nil, nil
	}
	doc, err := taxonomy.ParseDocument(text)
	if err != nil {
		return nil, fmt.Errorf("validate: a fix breaks the document: %w", err)
	}
	result, err := m.judge(doc)
	if err != nil {
		return nil, err
	}
	if harmless(m.result, result) {
		m.doc, m.result = doc, result
		return applied, nil
	}
	if len(applied) == 1 {
		return nil, nil
	}
	var made taxonomy.Issues
	for _, i := range applied[:min(len(applied), maxAlone)] {
		alone, err := m.try(taxonomy.Issues{i})
		if err != nil {
			return nil, err
		}
		made = append(made, alone...)
	}
	return made, nil
}

// crowded are the issues of things that are there once too often. An edit that
// gives rise to one has made two names the same, so it was no slip.
var crowded = []taxonomy.Code{
	taxonomy.CodeInstanceCategoryTooMany, taxonomy.CodeInstanceElementTooMany, taxonomy.CodeInstanceVariableDuplicate,
	taxonomy.CodeInstanceElementInstanceIDDuplicate, taxonomy.CodeInstanceElementInstanceIDCollides,
	taxonomy.CodeInstanceSubchainInstanceIDDuplicate, taxonomy.CodeElementIDCollision,
}

// harmless reports whether an edit has not made two names the same. That it
// uncovers another issue is no harm.
func harmless(before, after *Result) bool {
	count := func(r *Result) (n int) {
		for _, i := range r.Issues {
			if slices.Contains(crowded, i.Code) {
				n++
			}
		}
		return n
	}
	return count(after) <= count(before)
}
