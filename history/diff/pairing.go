package diff

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// pairing says which items of two lists belong together.
type pairing struct {
	became map[string]string // the new ids, by the old ones
	was    map[string]string // the old ids of what is compared, by the new ones
}

// newPairing asks for the new id of each item of the old list, which is "" if it was removed.
// If several items became one, it is compared with the one that had its id, or else with the
// first.
func newPairing(before []string, now func(string) string) pairing {
	p := pairing{make(map[string]string, len(before)), make(map[string]string, len(before))}
	for _, id := range before {
		next := now(id)
		if next == "" {
			continue
		}
		p.became[id] = next
		if _, taken := p.was[next]; !taken || next == id {
			p.was[next] = id
		}
	}
	return p
}

// now returns a function that returns what an id is in the new release, or "". All but the id is
// given.
func (p *pair) now(of history.ID) func(string) string {
	return func(id string) string {
		of.ID = id
		now, _ := p.history.CurrentID(of)
		return now
	}
}

// newElementIDs returns a function that returns the id that an element has in the new release: its
// own, or the one that the evolution says it was renamed to. It is "" if the element was removed.
// Something else that had the new id before is not the element.
func (p *pair) newElementIDs() func(string) string {
	ends := make(map[*history.Removal]string) // chains of renames can have a common end
	return func(id string) string {
		now, since := id, p.before.Version()
		var chain []*history.Removal
		for !p.after.HasElement(id) {
			removal, ok := p.history.Lineage.RemovedAfter(now, since)
			if !ok {
				break
			}
			if end, known := ends[removal]; known {
				now = end
				break
			}
			chain = append(chain, removal)
			if !removal.Renamed {
				now = ""
				break
			}
			now, since = removal.ReplacedBy[0].ID, removal.Since
		}
		for _, removal := range chain {
			ends[removal] = now
		}
		if !p.after.HasElement(now) || now != id && p.before.HasElement(now) {
			return ""
		}
		return now
	}
}

// oldElement returns the element of the old release that one of the new release is compared with or,
// if it was removed, the one with the id; or nil.
func (p *pair) oldElement(id string) *taxonomy.Element {
	e, _ := p.before.Element(cmp.Or(p.elementRenames.was[id], id))
	return e
}

// listed returns what has an id in a list of a part, if it can be renamed.
func listed(s Subject, owner string, at issue.Path) (of history.ID, ok bool) {
	of = history.ID{In: owner, OfElement: s == Element}
	names := make([]string, len(at))
	for i := range at {
		names[i] = at[i].Name()
	}
	switch {
	case s != Category && s != Element:
		return of, false
	case slices.Equal(names, []string{"context", "values"}):
		of.Kind = codes.IDContextValue
	case slices.Equal(names, []string{"variables"}):
		of.Kind = codes.IDVariable
	case len(names) == 3 && names[2] == "options":
		of.Kind, of.Variable = codes.IDOption, names[1]
	}
	return of, of.Kind != ""
}

// items are the items of two lists, to look up by their ids.
type items[T any] struct {
	before, after map[string]*T
	pairing
}

func newItems[T any](before, after []T, id func(*T) string, now func(string) string) *items[T] {
	l := &items[T]{before: make(map[string]*T, len(before)), after: make(map[string]*T, len(after))}
	ids := make([]string, len(before))
	for i := range before {
		ids[i] = id(&before[i])
		l.before[ids[i]] = &before[i]
	}
	for i := range after {
		l.after[id(&after[i])] = &after[i]
	}
	l.pairing = newPairing(ids, now)
	return l
}

// of returns the item that a change is about, which a step of its path names, as it was and as
// it is, or nil where there is none.
func (l *items[T]) of(c *Change, step int) (before, after *T) {
	id := c.Path[step].Name()
	old, paired := l.was[id]
	after = l.after[id]
	switch {
	case c.Kind == Renamed && len(c.Path) == step+1:
		old = Text(c.Old) // one of several that became it
	case !paired && after == nil:
		old = id
	}
	return l.before[old], after
}

// elementItems are the variables and options of an element that both releases have.
type elementItems struct {
	id        string
	variables *items[taxonomy.Variable]
	options   map[string]*items[taxonomy.Option] // by the id of the variable
}

// itemsOf returns those of an element. The changes of an element follow one another, so
// they are kept for one.
func (p *pair) itemsOf(id string) *elementItems {
	if p.current == nil || p.current.id != id {
		before := p.oldElement(id)
		after, _ := p.after.Element(id)
		p.current = &elementItems{
			id: id, options: make(map[string]*items[taxonomy.Option]),
			variables: newItems(before.Variables, after.Variables, func(v *taxonomy.Variable) string { return v.ID },
				p.now(history.ID{Kind: codes.IDVariable, In: id, OfElement: true})),
		}
	}
	return p.current
}

// choices returns the options of a variable that is selected from.
func choices(v *taxonomy.Variable) []taxonomy.Option {
	if v == nil || v.Type != taxonomy.SelectVariable {
		return nil
	}
	return v.Options
}

// newID returns the id of the category of the new release that one of the old release is compared
// with, which is its id unless it was renamed.
func (p *pair) newID(id string) string {
	if now := p.renames.became[id]; p.renames.was[now] == id {
		return now
	}
	return id
}
