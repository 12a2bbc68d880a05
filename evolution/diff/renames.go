package diff

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// former is an item of a list with the ids that it had.
type former struct {
	id   string
	from []string
}

// formerIDs returns the old ids of the items that were renamed, by their new ones. An
// item was renamed if the old list has none with its id, but one with an id that it
// had, and that the new list does not have. If two items claim an id, the first of
// them has it.
func formerIDs(before []string, after []former) map[string]string {
	if !slices.ContainsFunc(after, func(f former) bool { return len(f.from) > 0 }) {
		return nil
	}
	known, gone := make(map[string]bool, len(before)), make(map[string]bool, len(before))
	for _, id := range before {
		known[id], gone[id] = true, true
	}
	for _, item := range after {
		delete(gone, item.id)
	}
	renamed := make(map[string]string)
	for _, item := range after {
		if known[item.id] {
			continue
		}
		if i := slices.IndexFunc(item.from, func(id string) bool { return gone[id] }); i >= 0 {
			renamed[item.id] = item.from[i]
			delete(gone, item.from[i])
		}
	}
	return renamed
}

// formers returns the items of a list with the ids that they had.
func formers[T any](list []T, read func(*T) former) []former {
	items := make([]former, len(list))
	for i := range list {
		items[i] = read(&list[i])
	}
	return items
}

func formerCategory(c **taxonomy.Category) former   { return former{(*c).ID, (*c).RenamedFrom} }
func formerContext(v *taxonomy.ContextValue) former { return former{v.ID, v.RenamedFrom} }
func formerVariable(v *taxonomy.Variable) former    { return former{v.ID, v.RenamedFrom} }
func formerOption(o *taxonomy.Option) former        { return former{o.ID, o.RenamedFrom} }

// renames are the categories that have a new id.
type renames struct {
	was    map[string]string // by the new id
	became map[string]string // by the old id
}

func newRenames(before, after *taxonomy.Release) renames {
	var ids []string
	for _, c := range before.Categories() {
		ids = append(ids, c.ID)
	}
	r := renames{was: formerIDs(ids, formers(after.Categories(), formerCategory)), became: make(map[string]string)}
	for id, old := range r.was {
		r.became[old] = id
	}
	return r
}

// oldID returns the id that a category of the new release had, which is its id unless
// it was renamed.
func (r renames) oldID(id string) string {
	if old, ok := r.was[id]; ok {
		return old
	}
	return id
}

// newID returns the id that a category of the old release has in the new one.
func (r renames) newID(id string) string {
	if renamed, ok := r.became[id]; ok {
		return renamed
	}
	return id
}

// formers returns the items of a list of objects with the ids that they had.
func (l *keyedList) formers() []former {
	if l.by != "id" {
		return nil
	}
	items := make([]former, len(l.keys))
	for i, key := range l.keys {
		items[i].id = key
		from, _ := l.items[i].Get("renamed_from")
		if from.Kind() != '[' {
			continue
		}
		for id := range from.All() {
			if id.Kind() == '"' {
				items[i].from = append(items[i].from, id.Text())
			}
		}
	}
	return items
}

// rename gives items of a list of strings the ids that they have now.
func (l *keyedList) rename(became map[string]string) {
	if l.by != "" || len(became) == 0 {
		return
	}
	l.at = make(map[string]int, len(l.keys))
	for i, key := range l.keys {
		if id, ok := became[key]; ok {
			l.keys[i] = id
		}
		l.at[l.keys[i]] = i
	}
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
