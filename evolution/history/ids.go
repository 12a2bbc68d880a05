package history

import (
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// Item is something with an id that documents or suggestions use.
type Item struct {
	Kind taxonomy.IDKind
	// In is the element or category that has a variable, option or context value, and
	// Variable the variable that has an option.
	In, Variable string
	ID           string
	// Title is the title, name or label that it has in its release.
	Title taxonomy.Localized

	description taxonomy.Localized
	element     bool // In is an element: a category can have the same id
	valueType   taxonomy.VariableType
}

// Key returns what a [History] knows the item by.
func (i *Item) Key() ID {
	return ID{Kind: i.Kind, In: i.In, OfElement: i.element, Variable: i.Variable, ID: i.ID}
}

// String names the item for messages.
func (i *Item) String() string {
	switch i.Kind {
	case codes.IDOption:
		return "The option " + i.ID + " of the variable " + i.Variable + " of " + i.In
	case codes.IDVariable:
		return "The variable " + i.ID + " of " + i.In
	case codes.IDContextValue:
		return "The context value " + i.ID + " of " + i.In
	}
	return "The " + string(i.Kind) + " " + i.ID
}

// Items yields all ids of a release. What elements inherit belongs to their category.
func Items(r *taxonomy.Release) iter.Seq[Item] { return items(r, nil) }

// items is [Items], with variables that elements inherit for these as well if they are
// among the given ones.
func items(r *taxonomy.Release, expanded map[string]bool) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, c := range r.Categories() {
			if !yield(Item{Kind: codes.IDCategory, ID: c.ID, Title: c.Name, description: c.Description}) {
				return
			}
			for _, v := range c.Context.Values {
				if !yield(Item{Kind: codes.IDContextValue, In: c.ID, ID: v.ID, Title: v.Label, description: v.Description}) {
					return
				}
			}
			for i := range c.Variables {
				if !variableItems(Item{In: c.ID}, &c.Variables[i], yield) {
					return
				}
			}
			for _, e := range r.ElementsOf(c.ID) {
				if !yield(Item{Kind: codes.IDElement, ID: e.ID, Title: e.Title, description: e.Description}) {
					return
				}
				for i := range e.Variables {
					v := &e.Variables[i]
					if (!has(c.Variables, v.ID) || expanded[v.ID]) && !variableItems(Item{In: e.ID, element: true}, v, yield) {
						return
					}
				}
			}
		}
	}
}

// has reports whether a list has a variable with an id.
func has(list []taxonomy.Variable, id string) bool {
	return slices.ContainsFunc(list, func(v taxonomy.Variable) bool { return v.ID == id })
}

// variableItems yields a variable of an owner with its options.
func variableItems(of Item, v *taxonomy.Variable, yield func(Item) bool) bool {
	of.Kind, of.ID, of.Title, of.valueType = codes.IDVariable, v.ID, v.Label, v.Type
	if !yield(of) {
		return false
	}
	of.Kind, of.Variable = codes.IDOption, v.ID
	for _, o := range v.Options {
		of.ID, of.Title, of.description = o.ID, o.Label, o.Description
		if !yield(of) {
			return false
		}
	}
	return true
}

// onlySymbol is the symbol of all elements of [OnlyIDs].
const onlySymbol = "none"

// OnlyIDs returns a release with the ids of another one and their titles, and nothing else
// that [ReusedIDs] does not need: descriptions, symbols and rules are left out. Its
// release.json is small, and [ReadOnlyIDs] reads it.
func OnlyIDs(r *taxonomy.Release) (*taxonomy.Release, error) {
	c := taxonomy.Content{
		Title: r.Manifest().Title, Locales: r.Locales(), Symbols: map[string]string{onlySymbol: "<svg/>"},
		Type: taxonomy.Type{ID: r.Type().ID, Name: r.Type().Name, Categories: r.Type().Categories, Subchains: []taxonomy.Subchain{}},
	}
	variables := func(list []taxonomy.Variable) []taxonomy.Variable {
		only := make([]taxonomy.Variable, len(list))
		for i, v := range list {
			only[i] = taxonomy.Variable{ID: v.ID, Label: v.Label, Type: v.Type}
			for _, o := range v.Options {
				only[i].Options = append(only[i].Options, taxonomy.Option{ID: o.ID, Label: o.Label})
			}
		}
		return only
	}
	for _, old := range r.Categories() {
		category := taxonomy.Category{ID: old.ID, Name: old.Name, Shape: old.Shape, Variables: variables(old.Variables), Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}}
		for _, v := range old.Context.Values {
			category.Context.Values = append(category.Context.Values, taxonomy.ContextValue{ID: v.ID, Label: v.Label})
		}
		c.Categories = append(c.Categories, category)
		for _, e := range r.ElementsOf(old.ID) {
			c.Elements = append(c.Elements, taxonomy.Element{
				ID: e.ID, Title: e.Title, CategoryID: e.CategoryID, SymbolID: onlySymbol, Order: e.Order,
				IconVariants: category.IconVariants(), Variables: variables(e.Variables),
			})
		}
	}
	return taxonomy.NewRelease(r.Version(), c)
}

// ReadOnlyIDs reads the release.json of [OnlyIDs].
func ReadOnlyIDs(text []byte) (*taxonomy.Release, error) {
	return taxonomy.DecodeRelease(text, map[string]string{onlySymbol: "<svg/>"})
}

// now returns the id that something of an older version has in a release, if there is one and
// the evolution does not say that it was removed.
func now(h History, of ID) (string, bool) {
	id, removed := h.CurrentID(of)
	return id, id != "" && !removed
}

// became returns the key of what an item of an older version is in a release, and false
// if nothing says so. Ids that were removed are explained as well.
func became(h History, i *Item) (k ID, explained bool) {
	k, ok := h.Owned(i.Key())
	if !ok {
		return k, true // as its owner is, or the owner is reported
	}
	id, removed := h.CurrentID(k)
	if k.ID = id; removed { // what has the id is something else
		k.ID = ""
	}
	return k, id != "" || removed
}

// Unexplained returns the items of an older version that a release does not have, although
// nothing says what became of them. What belongs to something that was removed is not listed.
func Unexplained(before, after *taxonomy.Release) []Item {
	var gone []Item
	h := Of(before.Version(), after)
	for i := range Items(before) {
		if _, explained := became(h, &i); !explained {
			gone = append(gone, i)
		}
	}
	return gone
}

// Reuse is an id that a version has again.
type Reuse struct {
	Item
	// Last is the newest version that has the id before a version that lacks it, and
	// LastTitle and NewTitle are the titles in Last and in the version itself.
	Last                taxonomy.Version
	LastTitle, NewTitle string
	// Now is the id that has LastTitle in the version itself, if no version between lacks
	// the id.
	Now string
	// As is the id in Last if it differs in letter case, or "".
	As string
}

// Changed reports whether the id has another title.
func (r *Reuse) Changed() bool { return r.NewTitle != r.LastTitle }

// sighting is an id in one of several versions.
type sighting struct {
	at    int // the last version that has it
	title taxonomy.Localized
	// gap is the last sighting before a version that lacks the id, or -1.
	gap      int
	gapTitle taxonomy.Localized
}

// note remembers a gap in which some of the older releases before the next one, or before the
// release itself, lack the id. If the title is the same again in a release of the same status,
// releases of another status don't count.
func (s *sighting) note(r *taxonomy.Release, older []*taxonomy.Release, next int, title taxonomy.Localized) {
	in := r
	if next < len(older) {
		in = older[next]
	}
	last := older[s.at].Version().Status()
	same := last == in.Version().Status() && title.Pick(r.Locales()...) == s.title.Pick(r.Locales()...)
	for k := s.at + 1; k < next; k++ {
		if !same || older[k].Version().Status() == last {
			s.gap, s.gapTitle = s.at, s.title
		}
	}
}

// sightings returns where older versions have ids, the oldest first, by what has them in a
// release.
func sightings(r *taxonomy.Release, older []*taxonomy.Release, expanded map[string]bool) map[ID]*sighting {
	seen := make(map[ID]*sighting)
	for n, o := range older {
		h := Of(o.Version(), r)
		for i := range items(o, expanded) {
			k, ok := h.Owned(i.Key())
			if !ok {
				continue
			}
			s := seen[k]
			if s == nil {
				s = &sighting{at: n, gap: -1}
				seen[k] = s
			}
			s.note(r, older, n, i.Title)
			s.at, s.title = n, i.Title
			if id, ok := now(h, k); !ok || id != k.ID {
				s.gap, s.gapTitle = s.at, s.title
			}
		}
	}
	return seen
}

// ReusedIDs returns the ids of a release that an older version has, and one between lacks or
// the evolution records as removed or renamed, unless the evolution revives them. So are ids
// that left their title to another one since the last version, such as two that were
// exchanged, and ids that differ from an older one only in letter case, unless the evolution
// records that this one became them. What beta versions try out, stable versions need not have,
// and the other way round: between two versions of one status, those of the other do not count if
// the title stays. Versions that are not older are ignored.
func ReusedIDs(r *taxonomy.Release, others []*taxonomy.Release) []Reuse {
	older := slices.DeleteFunc(slices.Clone(others), func(o *taxonomy.Release) bool {
		return o.Version().Date() >= r.Version().Date() || o.Version().Type() != r.Version().Type()
	})
	slices.SortFunc(older, func(a, b *taxonomy.Release) int { return b.Version().Compare(a.Version()) })
	expanded := elementVariables(append(older, r))
	seen := sightings(r, older, expanded)
	var all []Reuse
	found, moved, folded := make(map[ID]bool), movedTitles(r, older), foldedIDs(seen)
	for i := range items(r, expanded) {
		k := i.Key()
		s := seen[k]
		var as string
		if s == nil {
			as = folded[lower(k)]
			was := k
			was.ID = as
			if s = seen[was]; s == nil {
				continue
			}
			if id, _ := now(Of(older[s.at].Version(), r), was); id == k.ID {
				continue
			}
			s.gap, s.gapTitle = s.at, s.title
		}
		s.note(r, older, len(older), i.Title)
		owners := []string{k.In}
		inherited := k
		if e, ok := r.Element(k.In); ok && k.OfElement {
			owners = append(owners, e.CategoryID)
			inherited.In, inherited.OfElement = e.CategoryID, false
		}
		reuse, left := moved[k]
		last := older[max(s.gap, 0)].Version() // or the first, if there is no gap
		if s.gap < 0 && !left || slices.ContainsFunc(owners, func(in string) bool { return r.Revived(i.Kind, in, i.ID, last) }) || found[inherited] {
			continue // what elements inherit is reported once
		}
		found[k] = true
		if s.gap >= 0 {
			reuse = Reuse{Last: older[s.gap].Version(), LastTitle: s.gapTitle.Pick(r.Locales()...), As: as}
		}
		reuse.Item, reuse.NewTitle = i, i.Title.Pick(r.Locales()...)
		all = append(all, reuse)
	}
	return all
}

// lower returns a key with its id in lower case.
func lower(k ID) ID {
	k.ID = strings.ToLower(k.ID)
	return k
}

// foldedIDs returns the ids of sightings by their folded keys, the newest of several.
func foldedIDs(seen map[ID]*sighting) map[ID]string {
	ids := make(map[ID]string, len(seen))
	for k, s := range seen {
		was := k
		was.ID = ids[lower(k)]
		if last := seen[was]; last == nil || last.at < s.at || last.at == s.at && was.ID < k.ID {
			ids[lower(k)] = k.ID
		}
	}
	return ids
}

// movedTitles returns the ids of a release whose titles in the last version of the same
// status, or the last one if there is none, are those of other ids now.
func movedTitles(r *taxonomy.Release, older []*taxonomy.Release) map[ID]Reuse {
	moved := make(map[ID]Reuse)
	if len(older) == 0 {
		return moved
	}
	last := older[len(older)-1]
	for _, o := range older {
		if o.Version().Status() == r.Version().Status() {
			last = o
		}
	}
	text := func(title taxonomy.Localized) string { return comparedText(title, r.Locales()) }
	before := make(map[ID]taxonomy.Localized)
	h := Of(last.Version(), r)
	for i := range Items(last) {
		if k, ok := h.Owned(i.Key()); ok {
			before[k] = i.Title
		}
	}
	now := make(map[titled]string) // what did not have its title before
	for i := range Items(r) {
		if title := text(i.Title); title != "" && text(before[i.Key()]) != title {
			now[titled{i.group(), title}] = i.ID
		}
	}
	for i := range Items(r) {
		title := before[i.Key()]
		if id := now[titled{i.group(), text(title)}]; id != "" && text(title) != text(i.Title) {
			moved[i.Key()] = Reuse{Last: last.Version(), LastTitle: title.Pick(r.Locales()...), Now: id}
		}
	}
	return moved
}

// elementVariables returns the ids of variables that elements of some version have on their
// own, so that they may have been inherited in another.
func elementVariables(versions []*taxonomy.Release) map[string]bool {
	ids := make(map[string]bool)
	for _, r := range versions {
		for _, e := range r.Elements() {
			c, _ := r.Category(e.CategoryID)
			for i := range e.Variables {
				if !has(c.Variables, e.Variables[i].ID) {
					ids[e.Variables[i].ID] = true
				}
			}
		}
	}
	return ids
}

// HasOwner reports whether ids of a kind belong to an element or a category.
func HasOwner(k taxonomy.IDKind) bool { return k != codes.IDCategory && k != codes.IDElement }

// Before returns the version that a version is compared with to find the ids that it lacks: the
// next older one or, for a stable version, the next older stable one, if there is one. What only
// beta versions tried out needs no explanation. It returns nil if no version is older.
func Before(r *taxonomy.Release, others []*taxonomy.Release) (last *taxonomy.Release) {
	for _, stable := range []bool{true, false} {
		for _, o := range others {
			older := o.Version().Type() == r.Version().Type() && o.Version().Compare(r.Version()) > 0
			if older && (!stable || r.Version().Status() == taxonomy.Stable && o.Version().Status() == taxonomy.Stable) &&
				(last == nil || o.Version().Compare(last.Version()) < 0) {
				last = o
			}
		}
		if last != nil {
			break
		}
	}
	return last
}
