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
				w.oneSided(Removed, at.Key(m.Key()), m)
			}
		}
		for m := range b.All() {
			if _, both := a.Get(m.Key()); !both {
				w.oneSided(Added, at.Key(m.Key()), m)
			}
		}
	case a.Kind() == '[' && b.Kind() == '[':
		w.lists(at, a, b)
	default:
		w.note(Changed, at, a.Raw(), b.Raw())
	}
}

// oneSided notes a member that only one side has. Its items are noted one by one, as
// if the other side had it empty, so that the first item of an optional list is
// reported like the second.
func (w *walker) oneSided(k Kind, at issue.Path, v document.Value) {
	switch list, ok := keyed(v); {
	case v.Len() > 0 && v.Kind() == '{':
		for m := range v.All() {
			w.oneSided(k, at.Key(m.Key()), m)
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

// renamed compares an item of a list that has a new id. Its id and the note of the
// old one are part of that change.
func (w *walker) renamed(at issue.Path, old, now string, a, b document.Value) {
	w.note(Renamed, at, canonical(old), canonical(now))
	mark := len(w.changes)
	w.values(at, a, b)
	idAt, fromAt := at.Key("id"), at.Key("renamed_from").Key(old)
	rest := slices.DeleteFunc(w.changes[mark:], func(c Change) bool {
		return c.Path.Equal(idAt) || c.Kind == Added && c.Path.Equal(fromAt)
	})
	w.changes = w.changes[:mark+len(rest)]
}
