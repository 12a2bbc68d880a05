package diff

import (
	"bytes"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// walker collects the changes of one part.
type walker struct {
	*pair
	subject Subject
	id      string
	changes []Change
}

func (w *walker) note(k Kind, at issue.Path, before, after []byte) {
	w.changes = append(w.changes, Change{Kind: k, Subject: w.subject, ID: w.id, Path: at, Old: before, New: after})
}

// values compares two values. They are equal if their canonical texts are.
func (w *walker) values(at issue.Path, a, b document.Value) {
	switch {
	case bytes.Equal(a.Raw(), b.Raw()):
	case a.Kind() == '{' && b.Kind() == '{':
		for m := range a.All() {
			if other, ok := b.Get(m.Key()); ok {
				w.values(at.Key(m.Key()), m, other)
			} else {
				w.lone(Removed, at.Key(m.Key()), m)
			}
		}
		for m := range b.All() {
			if _, both := a.Get(m.Key()); !both {
				w.lone(Added, at.Key(m.Key()), m)
			}
		}
	case a.Kind() == '[' && b.Kind() == '[':
		w.lists(at, a, b)
	default:
		w.note(Changed, at, a.Raw(), b.Raw())
	}
}

// lone notes a member that only one side has. Its items are noted one by one, as
// if the other side had it empty, so that the first item of an optional list is
// reported like the second.
func (w *walker) lone(k Kind, at issue.Path, v document.Value) {
	switch list, ok := keyed(v); {
	case v.Len() > 0 && v.Kind() == '{':
		for m := range v.All() {
			w.lone(k, at.Key(m.Key()), m)
		}
	case v.Len() > 0 && ok:
		for i, key := range list.keys {
			w.item(k, at.Key(key), list.items[i])
		}
	default:
		w.item(k, at, v)
	}
}

// item notes a value that only one side has.
func (w *walker) item(k Kind, at issue.Path, v document.Value) {
	if k == Added {
		w.note(k, at, nil, v.Raw())
	} else {
		w.note(k, at, v.Raw(), nil)
	}
}

// lists compares two lists by the keys of their items, or as a whole if the
// items have none.
func (w *walker) lists(at issue.Path, a, b document.Value) {
	before, okBefore := keyed(a)
	after, okAfter := keyed(b)
	if !okBefore || !okAfter || before.by != after.by && a.Len() > 0 && b.Len() > 0 {
		w.note(Changed, at, a.Raw(), b.Raw())
		return
	}
	if w.subject == DatachainType && before.by == "" { // categories
		before.at = make(map[string]int, len(before.keys))
		for i, key := range before.keys {
			before.keys[i] = w.newID(key)
			before.at[before.keys[i]] = i
		}
	}
	now := func(key string) string {
		if _, both := after.at[key]; both {
			return key
		}
		return ""
	}
	if of, ok := listed(w.subject, w.id, at); ok {
		now = w.pair.now(of)
	}
	pairs := newPairing(before.keys, now)
	var common []string
	for i, key := range before.keys {
		now := pairs.became[key]
		switch {
		case now == "":
			w.item(Removed, at.Key(key), before.items[i])
		case pairs.was[now] != key: // several became one
			w.note(Renamed, at.Key(now), canonical(key), canonical(now))
		case now != key:
			common = append(common, now)
			w.renamed(at.Key(now), key, now, before.items[i], after.items[after.at[now]])
		default:
			common = append(common, key)
			if before.by != "" {
				w.values(at.Key(key), before.items[i], after.items[after.at[key]])
			}
		}
	}
	var kept []string
	for k, key := range after.keys {
		if _, both := pairs.was[key]; both {
			kept = append(kept, key)
		} else {
			w.item(Added, at.Key(key), after.items[k])
		}
	}
	if !slices.Equal(common, kept) {
		w.note(Reordered, at, canonical(slices.Clone(common)), canonical(slices.Clone(kept))) // the lists themselves stay on the stack
	}
}

// keyedList is a list whose items have keys.
type keyedList struct {
	by    string // "id", "locale", or "" for a list of strings
	keys  []string
	items []document.Value
	at    map[string]int
}

// keyed reads a list whose items all have an id, or all a locale, or are all
// strings, without duplicates. An item that is a text in a locale is replaced
// by the text.
func keyed(v document.Value) (keyedList, bool) {
	l := keyedList{at: make(map[string]int, v.Len())}
	if v.Kind() != '[' {
		return l, false
	}
	for item := range v.All() {
		by, key, ok := keyOf(item)
		if _, twice := l.at[key]; !ok || twice || len(l.keys) > 0 && by != l.by {
			return l, false
		}
		if text, ok := item.Get("value"); ok && by == "locale" && item.Len() == 2 {
			item = text
		}
		l.by, l.at[key] = by, len(l.keys)
		l.keys, l.items = append(l.keys, key), append(l.items, item)
	}
	return l, true
}

func keyOf(item document.Value) (by, key string, ok bool) {
	if item.Kind() == '"' {
		return "", item.Text(), true
	}
	for _, by := range []string{"id", "locale"} {
		if key, ok := item.Get(by); ok && key.Kind() == '"' {
			if scheme, ok := item.Get("scheme"); ok && scheme.Kind() == '"' { // ids of mappings are those of their scheme
				return by, scheme.Text() + " " + key.Text(), true
			}
			return by, key.Text(), true
		}
	}
	return "", "", false
}

// inheritance omits the changes that elements inherit from their category: its
// variables, and its context values as icon variants.
type inheritance struct {
	*pair
	changes []Change      // of the categories
	byPlace map[place]int // in changes
	// variants has the renamed context values: the places of their changes by
	// category and by the old and the new id.
	variants map[[2]string]int
}

// place identifies a change of a category.
type place struct {
	category string
	kind     Kind
	path     string
	old      string // the old id, if it was renamed: several can become one
}

func placeOf(category string, c *Change) place {
	at := place{category: category, kind: c.Kind, path: c.Path.String()}
	if c.Kind == Renamed {
		at.old = Text(c.Old)
	}
	return at
}

func newInheritance(p *pair, changes []Change) *inheritance {
	h := &inheritance{pair: p, changes: changes, byPlace: make(map[place]int, len(changes)), variants: make(map[[2]string]int)}
	renamedValue := on(Category, Renamed, "context.values.*")
	for i, c := range changes {
		h.byPlace[placeOf(c.ID, &c)] = i
		if renamedValue.matches(&c) {
			h.variants[[2]string{c.ID, Text(c.Old)}], h.variants[[2]string{c.ID, c.Path[2].Name()}] = i, i
		}
	}
	return h
}

// own returns the changes of an element that are not inherited. It counts the
// others at the category, where a change has the effect that it has at the
// elements: it breaks documents if it does so at one of them.
func (h *inheritance) own(id string, changes []Change) []Change {
	before, _ := h.before.Element(id)
	after, _ := h.after.Element(id)
	if before == nil || after == nil || h.newID(before.CategoryID) != after.CategoryID {
		return changes
	}
	var own []Change
	for _, c := range changes {
		i, ok := h.source(after.CategoryID, &c)
		if !ok {
			own = append(own, c)
			continue
		}
		from := &h.changes[i]
		// A renamed context value is an icon variant less and one more.
		if c.Kind != Removed || from.Kind != Renamed {
			from.Inherited++
		}
		// What a renamed category allows is the subject of its own changes.
		if c.weight() > from.weight() && c.Path[0].Name() != "category_id" {
			from.Rule, from.Severity, from.Warns, from.Consequence = c.Rule, c.Severity, c.Warns, c.Consequence
		}
	}
	return own
}

// weight sorts changes by what they mean for documents.
func (c *Change) weight() int {
	switch {
	case c.Severity == Breaking:
		return 3
	case c.Severity == Notable:
		return 2
	case c.Warns:
		return 1
	}
	return 0
}

// source returns the change of the category that a change of an element comes
// from.
func (h *inheritance) source(category string, c *Change) (int, bool) {
	if len(c.Path) == 0 {
		return 0, false
	}
	switch c.Path[0].Name() {
	case "category_id": // it did not move
		i, ok := h.byPlace[place{category, Renamed, "", Text(c.Old)}]
		return i, ok
	case "variables":
		i, ok := h.byPlace[placeOf(category, c)]
		return i, ok && bytes.Equal(h.changes[i].Old, c.Old) && bytes.Equal(h.changes[i].New, c.New)
	case "icon_variants":
		if len(c.Path) == 2 {
			if i, ok := h.variants[[2]string{category, c.Path[1].Name()}]; ok {
				return i, true
			}
		}
		path := issue.Root.Key("context").Key("values")
		i, ok := h.byPlace[place{category: category, kind: c.Kind, path: append(path, c.Path[1:]...).String()}]
		return i, ok
	}
	return 0, false
}
