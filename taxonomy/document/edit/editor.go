// Package edit changes JSON documents in place: an [Editor] replaces, adds and removes values,
// keeps every other byte, and formats what it adds like the rest of the document.
//
// # Experimental
//
// This package may change in a minor version.
package edit

import (
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Editor collects edits of a document. Make one with [New].
type Editor struct {
	doc   *document.Document
	style func() style
	edits []document.Edit
	lists []*list
	byAt  map[document.Value]*list
}

// New returns an editor without edits.
func New(doc *document.Document) *Editor {
	e := &Editor{doc: doc, byAt: make(map[document.Value]*list)}
	var known *style
	e.style = func() style {
		if known == nil {
			s := styleOf(doc)
			known = &s
		}
		return *known
	}
	return e
}

// Clone returns an independent editor with the same edits.
func (e *Editor) Clone() *Editor {
	c := New(e.doc)
	c.style = e.style
	c.edits = slices.Clone(e.edits)
	for _, l := range e.lists {
		clone := *l
		clone.removed, clone.added = slices.Clone(l.removed), slices.Clone(l.added)
		c.lists, c.byAt[l.at] = append(c.lists, &clone), &clone
	}
	return c
}

// Replace replaces a value.
func (e *Editor) Replace(v document.Value, json []byte) {
	e.edits = append(e.edits, document.Edit{Range: v.Range(), Text: json})
}

// Rewrite replaces an object or array, formatted like the rest of the document. Its items are on
// lines of their own if those of the old one are.
func (e *Editor) Rewrite(v document.Value, json []byte) {
	s, like := e.style(), layout{}
	if spreads(e.doc.Text(), v) {
		like = layout{true, s.lineIndent(e.doc.Text(), v.Range().Start)}
	}
	e.Replace(v, s.append(nil, json, like))
}

// RenameKey replaces the key of a value.
func (e *Editor) RenameKey(v document.Value, key string) {
	e.edits = append(e.edits, document.Edit{Range: v.KeyRange(), Text: jcs.AppendQuote(nil, key)})
}

// SetUpdatedAt sets the updated_at of an instance to a time, or to its created_at if that is later.
func (e *Editor) SetUpdatedAt(at time.Time) {
	at = at.UTC().Truncate(time.Second)
	root, text := e.doc.Root(), at.Format(time.RFC3339)
	if v, ok := root.Get("created_at"); ok {
		if created, ok := ident.ParseTimestamp(v.Text()); ok && created.After(at) {
			text = v.Text()
		}
	}
	if v, ok := root.Get("updated_at"); ok {
		e.Replace(v, jcs.AppendQuote(nil, text))
	} else {
		e.Add(root, "updated_at", jcs.AppendQuote(nil, text))
	}
}

// Remove removes an item of an array or a member of an object.
func (e *Editor) Remove(from document.Value, i int) {
	if l := e.list(from); !l.removed[i] {
		l.removed[i] = true
		l.remaining--
	}
}

// RemoveMember removes the member with a key.
func (e *Editor) RemoveMember(from document.Value, key string) {
	i := 0
	for m := range from.All() {
		if m.Key() == key {
			e.Remove(from, i)
		}
		i++
	}
}

// Add adds an item to an array, or a member with a key to an object, and returns its index
// in the edited list. It comes last, except for the fields with which a document begins.
func (e *Editor) Add(to document.Value, key string, json []byte) int {
	l := e.list(to)
	l.added = append(l.added, addition{key: key, json: json})
	return l.remaining + len(l.added) - 1
}

// AddTo adds an item to an array that is a new member of an object, and adds the member if
// this editor has not yet. It returns the index of the item.
func (e *Editor) AddTo(object document.Value, key string, json []byte) int {
	l := e.list(object)
	i := slices.IndexFunc(l.added, func(a addition) bool { return a.key == key })
	if i < 0 {
		i = len(l.added)
		l.added = append(l.added, addition{key: key, json: []byte("[]")})
	}
	a := &l.added[i]
	if a.json = a.json[:len(a.json)-1]; a.items > 0 {
		a.json = append(a.json, ',')
	}
	a.json = append(append(a.json, json...), ']')
	a.items++
	return a.items - 1
}

// Addition returns the edit that adds an item to an array or a member to an object, without
// the edits of the editor. The white space in the JSON stays as it is.
func (e *Editor) Addition(to document.Value, key string, json []byte) document.Edit {
	l := &list{at: to, items: slices.Collect(to.All()), removed: make([]bool, to.Len()), added: []addition{{key: key, json: json, asIs: true}}}
	return e.appendList(nil, l)[0]
}

// list is an array or object with items that are removed or added.
type list struct {
	at        document.Value
	items     []document.Value
	removed   []bool
	remaining int // items that are not removed
	added     []addition
}

// addition is a new item of an array, or member of an object.
type addition struct {
	key   string // "" in an array
	json  []byte
	items int  // how many items AddTo has added to json
	asIs  bool // json is not formatted
}

func (e *Editor) list(at document.Value) *list {
	if l := e.byAt[at]; l != nil {
		return l
	}
	l := &list{at: at, items: slices.Collect(at.All()), removed: make([]bool, at.Len()), remaining: at.Len()}
	e.lists, e.byAt[at] = append(e.lists, l), l
	return l
}

// Edits returns all edits in the order of the text. It omits those inside a removed or
// replaced value.
func (e *Editor) Edits() []document.Edit {
	edits := slices.Clone(e.edits)
	for _, l := range e.lists {
		edits = e.appendList(edits, l)
	}
	slices.SortStableFunc(edits, func(a, b document.Edit) int {
		// An insertion comes before a removal at its place, a large removal before
		// a small one.
		if a.Range.Start != b.Range.Start {
			return a.Range.Start - b.Range.Start
		}
		if aEmpty, bEmpty := a.Range.End == a.Range.Start, b.Range.End == b.Range.Start; aEmpty != bEmpty {
			if aEmpty {
				return -1
			}
			return 1
		}
		return b.Range.End - a.Range.End
	})
	end := 0
	return slices.DeleteFunc(edits, func(x document.Edit) bool {
		if x.Range.Start < end {
			return true
		}
		end = x.Range.End
		return false
	})
}

// itemStart returns where an item or its key begins.
func itemStart(v document.Value) int {
	if key := v.KeyRange(); key != (document.Range{}) {
		return key.Start
	}
	return v.Range().Start
}

// appendList appends the edits of a list.
func (e *Editor) appendList(edits []document.Edit, l *list) []document.Edit {
	cut := func(start, end int, text []byte) {
		edits = append(edits, document.Edit{Range: document.Range{Start: start, End: end}, Text: text})
	}
	if l.at.Kind() == '{' && len(l.at.Path()) == 0 {
		l = e.leading(l, cut)
	}
	n, last := len(l.items), -1 // the last item that is kept
	for i := 0; i < n; i++ {
		if !l.removed[i] {
			last = i
			continue
		}
		end := i + 1
		for end < n && l.removed[end] {
			end++
		}
		switch {
		case last >= 0: // with the comma before it
			cut(l.items[last].Range().End, l.items[end-1].Range().End, nil)
		case end < n: // with the comma after it
			cut(itemStart(l.items[i]), itemStart(l.items[end]), nil)
		}
		i = end - 1
	}
	inside := document.Range{Start: l.at.Range().Start + 1, End: l.at.Range().End - 1}
	switch {
	case last >= 0 && len(l.added) > 0:
		at := l.items[last].Range().End
		cut(at, at, e.additions(l, true))
	case last >= 0:
	case n > 0 && len(l.added) > 0:
		cut(itemStart(l.items[0]), l.items[n-1].Range().End, e.additions(l, false))
	case n > 0:
		cut(inside.Start, inside.End, nil)
	case len(l.added) > 0:
		cut(inside.Start, inside.End, e.additions(l, false))
	}
	return edits
}

// headFields are the fields with which a document begins, in their order.
var headFields = []string{"$schema", "id", "title", "description", "schema_version", "created_at", "updated_at"}

// leading inserts the fields with which a document begins, each after the nearest field before
// it in their order, or else before all others. It returns the list with the other additions.
func (e *Editor) leading(l *list, cut func(start, end int, text []byte)) *list {
	others := &list{at: l.at, items: l.items, removed: l.removed}
	first := slices.Index(l.removed, false) // the first item that is kept
	afterItem := make(map[int]*list)        // additions by the index of the item before them, or -1
	for _, a := range l.added {
		order := slices.Index(headFields, a.key)
		if order < 0 || first < 0 {
			others.added = append(others.added, a)
			continue
		}
		after, nearest := -1, -1
		for i, item := range l.items {
			if at := slices.Index(headFields, item.Key()); at > nearest && at < order && !l.removed[i] {
				after, nearest = i, at
			}
		}
		if afterItem[after] == nil {
			afterItem[after] = &list{at: l.at, items: l.items}
		}
		afterItem[after].added = append(afterItem[after].added, a)
	}
	for after, group := range afterItem {
		slices.SortStableFunc(group.added, func(a, b addition) int { return slices.Index(headFields, a.key) - slices.Index(headFields, b.key) })
		if after >= 0 {
			at := l.items[after].Range().End
			cut(at, at, e.additions(group, true))
			continue
		}
		at := itemStart(l.items[first])
		between, _ := e.layout(group)
		cut(at, at, append(append(e.additions(group, false), ','), between...))
	}
	return others
}

// additions returns the text of the added items. It begins with a comma if they follow
// another item.
func (e *Editor) additions(l *list, follow bool) []byte {
	s := e.style()
	between, like := e.layout(l)
	if len(l.items) == 0 && s.expanded { // on lines of their own
		indent := s.lineIndent(e.doc.Text(), l.at.Range().Start)
		between = s.newline + indent + s.unit
		like = layout{true, indent + s.unit}
	}
	var b []byte
	for i, a := range l.added {
		switch {
		case i > 0 || follow:
			b = append(append(b, ','), between...)
		case len(l.items) == 0 && s.expanded:
			b = append(b, between...)
		}
		if l.at.Kind() == '{' {
			b = append(jcs.AppendQuote(b, a.key), e.colon(l)...)
		}
		if a.asIs {
			b = append(b, a.json...)
		} else {
			b = s.append(b, a.json, like)
		}
	}
	if len(l.items) == 0 && s.expanded && !follow {
		b = append(append(b, s.newline...), s.lineIndent(e.doc.Text(), l.at.Range().Start)...)
	}
	return b
}

// layout returns the white space between the items of a list, and the layout of another item.
func (e *Editor) layout(l *list) (between string, like layout) {
	s := e.style()
	if len(l.items) == 0 {
		return s.space(), layout{}
	}
	first, last := l.items[0], l.items[len(l.items)-1]
	between = spaceBefore(e.doc.Text(), itemStart(last))
	switch { // a single item has no comma before it
	case len(l.items) > 1 || isBreak(between):
	case l.at.Kind() == '[':
		between = s.space()
	case between == "":
		_, between, _ = strings.Cut(e.colon(l), ":")
	}
	if !isBreak(spaceBefore(e.doc.Text(), itemStart(first))) {
		return between, layout{}
	}
	expanded := s.expanded
	if l.at.Kind() == '[' {
		expanded = spreads(e.doc.Text(), last)
	}
	return between, layout{expanded, indentOf(between)}
}

// colon returns the colon of another member of a list, with the white space around it.
func (e *Editor) colon(l *list) string {
	if len(l.items) == 0 {
		return e.style().colon
	}
	last := l.items[len(l.items)-1]
	return string(e.doc.Text()[last.KeyRange().End:last.Range().Start])
}
