// Package history compares the ids of schema versions of a datachain type: which of them
// came back with another meaning, which are gone without an explanation, and what may have
// become of these. Releases must know their evolution (see [taxonomy.Release.Evolved]).
//
// The package does no I/O and has no state.
package history

import (
	"iter"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Item is something with an id that documents or suggestions use.
type Item struct {
	Kind taxonomy.IDKind `json:"kind"`
	// In is the element or category that has a variable, option or context value, and
	// Variable the variable that has an option.
	In       string `json:"in,omitempty"`
	Variable string `json:"variable,omitempty"`
	ID       string `json:"id"`

	title, description taxonomy.Localized
}

// key identifies an item in one release.
type key struct {
	kind             taxonomy.IDKind
	in, variable, id string
}

func (i *Item) key() key { return key{i.Kind, i.In, i.Variable, i.ID} }

// String names the item for messages.
func (i *Item) String() string {
	switch i.Kind {
	case taxonomy.OptionID:
		return "The option " + i.ID + " of the variable " + i.Variable + " of " + i.In
	case taxonomy.VariableID:
		return "The variable " + i.ID + " of " + i.In
	case taxonomy.ContextValueID:
		return "The context value " + i.ID + " of " + i.In
	}
	return "The " + string(i.Kind) + " " + i.ID
}

// Items yields all ids of a release. What elements inherit belongs to their category.
func Items(r *taxonomy.Release) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, c := range r.Categories() {
			if !yield(Item{Kind: taxonomy.CategoryID, ID: c.ID, title: c.Name, description: c.Description}) {
				return
			}
			for _, v := range c.Context.Values {
				if !yield(Item{Kind: taxonomy.ContextValueID, In: c.ID, ID: v.ID, title: v.Label, description: v.Description}) {
					return
				}
			}
			if !variables(c.ID, c.Variables, nil, yield) {
				return
			}
			for _, e := range r.ElementsOf(c.ID) {
				if !yield(Item{Kind: taxonomy.ElementID, ID: e.ID, title: e.Title, description: e.Description}) ||
					!variables(e.ID, e.Variables, c.Variables, yield) {
					return
				}
			}
		}
	}
}

// variables yields variables with their options, without those that are inherited.
func variables(in string, list, inherited []taxonomy.Variable, yield func(Item) bool) bool {
	for _, v := range list {
		if slices.ContainsFunc(inherited, func(w taxonomy.Variable) bool { return w.ID == v.ID }) {
			continue
		}
		if !yield(Item{Kind: taxonomy.VariableID, In: in, ID: v.ID, title: v.Label}) {
			return false
		}
		for _, o := range v.Options {
			if !yield(Item{Kind: taxonomy.OptionID, In: in, Variable: v.ID, ID: o.ID, title: o.Label, description: o.Description}) {
				return false
			}
		}
	}
	return true
}

// place says where an item of an older version would be in a release: with the same id,
// in what its owner became. It is false if the owner is gone.
func place(r *taxonomy.Release, i *Item, from taxonomy.Version) (key, bool) {
	k := i.key()
	if !i.Kind.Owned() {
		return k, true
	}
	owner, ok := owner(r, i.In, from)
	if !ok {
		return k, false
	}
	k.in = owner
	if i.Kind == taxonomy.OptionID {
		k.variable, ok = variable(r, owner, i.Variable, from)
	}
	return k, ok
}

// owner returns the id that an element or a category has in a release.
func owner(r *taxonomy.Release, id string, from taxonomy.Version) (string, bool) {
	if c := categoryNow(r, id, from); c != nil {
		return c.ID, true
	}
	if gone, ok := r.RemovedAfter(id, from); ok {
		next, single := r.SuccessionOf(gone).Single()
		return next.ID, single
	}
	return id, r.HasElement(id)
}

// categoryNow returns what became of a category, or nil.
func categoryNow(r *taxonomy.Release, id string, from taxonomy.Version) *taxonomy.Category {
	id, _ = r.Renamed(taxonomy.CategoryID, id, from)
	if c, ok := r.Category(id); ok {
		return c
	}
	for _, c := range r.Categories() {
		if slices.Contains(c.RenamedFrom, id) {
			return c
		}
	}
	return nil
}

// variable returns the id that a variable has in a release.
func variable(r *taxonomy.Release, owner, id string, from taxonomy.Version) (string, bool) {
	var list []taxonomy.Variable
	owners := []string{owner}
	if c, ok := r.Category(owner); ok {
		list = c.Variables
	} else if e, ok := r.Element(owner); ok {
		list, owners = e.Variables, append(owners, e.CategoryID)
	}
	if now, ok := r.Renamed(taxonomy.VariableID, id, from, owners...); ok {
		return now, true
	}
	for _, v := range list {
		if v.ID == id || slices.Contains(v.RenamedFrom, id) {
			return v.ID, true
		}
	}
	return id, false
}

// became returns the key of what an item of an older version is in a release, and false
// if nothing says so. Elements that were removed are explained as well.
func became(r *taxonomy.Release, i *Item, from taxonomy.Version, has map[key]*Item) (now key, explained bool) {
	now, ok := place(r, i, from)
	if !ok {
		return now, true // as its owner is, or the owner is reported
	}
	owners := []string{now.in}
	if e, ok := r.Element(now.in); ok {
		owners = append(owners, e.CategoryID)
	}
	switch i.Kind {
	case taxonomy.ElementID:
		if gone, ok := r.RemovedAfter(i.ID, from); ok {
			if next, single := r.SuccessionOf(gone).Single(); single {
				now.id = next.ID
			}
			return now, true
		}
		return now, r.HasElement(i.ID)
	case taxonomy.CategoryID:
		if c := categoryNow(r, i.ID, from); c != nil {
			now.id = c.ID
		}
		return now, has[now] != nil
	case taxonomy.VariableID:
		now.id, ok = variable(r, now.in, i.ID, from)
		return now, ok
	}
	if id, ok := r.Renamed(i.Kind, i.ID, from, owners...); ok {
		now.id = id
	}
	if has[now] == nil {
		now.id = formerly(r, now)
	}
	return now, has[now] != nil || now.id != ""
}

// formerly returns the id of the option or context value that had another one, or "".
func formerly(r *taxonomy.Release, k key) string {
	if c, ok := r.Category(k.in); ok && k.kind == taxonomy.ContextValueID {
		for _, v := range c.Context.Values {
			if slices.Contains(v.RenamedFrom, k.id) {
				return v.ID
			}
		}
		return ""
	}
	var list []taxonomy.Variable
	if c, ok := r.Category(k.in); ok {
		list = c.Variables
	} else if e, ok := r.Element(k.in); ok {
		list = e.Variables
	}
	for _, v := range list {
		for _, o := range v.Options {
			if v.ID == k.variable && (o.ID == k.id || slices.Contains(o.RenamedFrom, k.id)) {
				return o.ID
			}
		}
	}
	return ""
}

// items returns the items of a release by their keys.
func items(r *taxonomy.Release) map[key]*Item {
	all := make(map[key]*Item)
	for i := range Items(r) {
		all[i.key()] = &i
	}
	return all
}

// Gone returns the items of an older version that a release does not have, although
// nothing says what became of them. What belongs to something that is gone is not listed.
func Gone(before, after *taxonomy.Release) []Item {
	var gone []Item
	has := items(after)
	for i := range Items(before) {
		if _, explained := became(after, &i, before.Version(), has); !explained {
			gone = append(gone, i)
		}
	}
	return gone
}

// Reuse is an id that a version has again.
type Reuse struct {
	Item
	// Last is the newest version that has the id before a version that lacks it, and
	// LastTitle and Title are the titles in Last and in the version itself.
	Last             taxonomy.Version
	LastTitle, Title string
}

// Changed reports whether the id has another title.
func (r *Reuse) Changed() bool { return r.Title != r.LastTitle }

// Reused returns the ids of a release that an older version has, and one between lacks or
// the evolution records as removed or renamed, unless the evolution revives them. What beta
// versions try out, stable versions need not have, and the other way round: between two
// versions of one status, those of the other do not count if the title stays. Versions that
// are not older are ignored.
func Reused(r *taxonomy.Release, others []*taxonomy.Release) []Reuse {
	older := slices.DeleteFunc(slices.Clone(others), func(o *taxonomy.Release) bool {
		return o.Version().Date() >= r.Version().Date() || o.Version().Type() != r.Version().Type()
	})
	slices.SortFunc(older, func(a, b *taxonomy.Release) int { return b.Version().Compare(a.Version()) })
	type sighting struct {
		at    int
		title taxonomy.Localized
		// gap is the last sighting before a version that lacks the id, or -1.
		gap      int
		gapTitle taxonomy.Localized
	}
	seen := make(map[key]*sighting)
	note := func(s *sighting, next int, in *taxonomy.Release, title taxonomy.Localized) {
		first, last := older[s.at].Version().Status(), in.Version().Status()
		same := first == last && title.Pick(r.Locales()...) == s.title.Pick(r.Locales()...)
		for k := s.at + 1; k < next; k++ {
			if !same || older[k].Version().Status() == first {
				s.gap, s.gapTitle = s.at, s.title
			}
		}
	}
	for n, o := range older {
		for i := range Items(o) {
			k, ok := place(r, &i, o.Version())
			if !ok {
				continue
			}
			s := seen[k]
			if s == nil {
				s = &sighting{at: n, gap: -1}
				seen[k] = s
			}
			note(s, n, o, i.title)
			s.at, s.title = n, i.title
			if recorded(r, k, o.Version()) {
				s.gap, s.gapTitle = s.at, s.title
			}
		}
	}
	var all []Reuse
	for i := range Items(r) {
		s := seen[i.key()]
		if s == nil {
			continue
		}
		note(s, len(older), r, i.title)
		if s.gap >= 0 && !r.Revived(i.Kind, i.In, i.ID) {
			all = append(all, Reuse{i, older[s.gap].Version(), s.gapTitle.Pick(r.Locales()...), i.title.Pick(r.Locales()...)})
		}
	}
	return all
}

// recorded reports whether an evolution says that an id of an older version was removed or
// renamed since.
func recorded(r *taxonomy.Release, k key, from taxonomy.Version) bool {
	if k.kind == taxonomy.ElementID {
		_, ok := r.RemovedAfter(k.id, from)
		return ok
	}
	owners := []string{k.in}
	if e, ok := r.Element(k.in); ok {
		owners = append(owners, e.CategoryID)
	}
	_, ok := r.Renamed(k.kind, k.id, from, owners...)
	return ok
}
