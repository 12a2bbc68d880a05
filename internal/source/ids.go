package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
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
	element            bool // In is an element: a category can have the same id
	valueType          taxonomy.VariableType
}

// key identifies an item in one release.
type key struct {
	kind             taxonomy.IDKind
	in, variable, id string
	element          bool
}

func (i *Item) key() key { return key{i.Kind, i.In, i.Variable, i.ID, i.element} }

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
			if !yield(Item{Kind: codes.IDCategory, ID: c.ID, title: c.Name, description: c.Description}) {
				return
			}
			for _, v := range c.Context.Values {
				if !yield(Item{Kind: codes.IDContextValue, In: c.ID, ID: v.ID, title: v.Label, description: v.Description}) {
					return
				}
			}
			for i := range c.Variables {
				if !variableItems(Item{In: c.ID}, &c.Variables[i], yield) {
					return
				}
			}
			for _, e := range r.ElementsOf(c.ID) {
				if !yield(Item{Kind: codes.IDElement, ID: e.ID, title: e.Title, description: e.Description}) {
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
	of.Kind, of.ID, of.title, of.valueType = codes.IDVariable, v.ID, v.Label, v.Type
	if !yield(of) {
		return false
	}
	of.Kind, of.Variable = codes.IDOption, v.ID
	for _, o := range v.Options {
		of.ID, of.title, of.description = o.ID, o.Label, o.Description
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

// keyIn says where an item of an older version would be in a release: with the same id,
// in what its owner became. It is false if the owner is gone.
func keyIn(r *taxonomy.Release, i *Item, from taxonomy.Version) (k key, ok bool) {
	k, ok = i.key(), true
	switch {
	case !owned(i.Kind):
	case i.element:
		k.in, ok = elementNow(r, i.In, from)
	default:
		c := categoryNow(r, i.In, from)
		if c == nil {
			return k, false
		}
		k.in = c.ID
	}
	if ok && i.Kind == codes.IDOption {
		k.variable, ok = variable(r, k, i.Variable, from)
	}
	return k, ok && (k.variable != "" || i.Variable == "")
}

// elementNow returns the id that an element has in a release.
func elementNow(r *taxonomy.Release, id string, from taxonomy.Version) (string, bool) {
	if gone, ok := r.RemovedAfter(id, from); ok {
		next, single := r.SuccessionOf(gone).Single()
		return next.ID, single
	}
	return id, r.HasElement(id)
}

// categoryNow returns what became of a category, or nil.
func categoryNow(r *taxonomy.Release, id string, from taxonomy.Version) *taxonomy.Category {
	id, _ = r.Renamed(codes.IDCategory, id, from)
	if c, ok := r.Category(id); ok {
		return c
	}
	for _, c := range r.Categories() {
		if formerly(r, codes.IDCategory, id, c.RenamedFrom, from) {
			return c
		}
	}
	return nil
}

// owned returns the variables of the owner of an item, and the ids by which an evolution
// can name the owner.
func (k *key) owned(r *taxonomy.Release) (variables []taxonomy.Variable, owners []string) {
	if c, ok := r.Category(k.in); ok && !k.element {
		return c.Variables, []string{k.in}
	}
	if e, ok := r.Element(k.in); ok && k.element {
		return e.Variables, []string{k.in, e.CategoryID}
	}
	return nil, []string{k.in}
}

// variable returns the id that a variable of the owner of an item has in a release, or "" if
// it was removed and an evolution says so.
func variable(r *taxonomy.Release, of key, id string, from taxonomy.Version) (string, bool) {
	list, owners := of.owned(r)
	if now, ok := r.Renamed(codes.IDVariable, id, from, owners...); ok {
		return now, true
	}
	for _, v := range list {
		if v.ID == id || formerly(r, codes.IDVariable, id, v.RenamedFrom, from, owners...) {
			return v.ID, true
		}
	}
	return id, false
}

// became returns the key of what an item of an older version is in a release, and false
// if nothing says so. Ids that were removed are explained as well.
func became(r *taxonomy.Release, i *Item, from taxonomy.Version, has map[key]*Item) (now key, explained bool) {
	now, ok := keyIn(r, i, from)
	if !ok {
		return now, true // as its owner is, or the owner is reported
	}
	_, owners := now.owned(r)
	if id, recorded := r.Renamed(i.Kind, i.ID, from, owners...); recorded && id == "" {
		now.id = ""
		return now, true
	}
	switch i.Kind {
	case codes.IDElement:
		if gone, ok := r.RemovedAfter(i.ID, from); ok {
			if next, single := r.SuccessionOf(gone).Single(); single {
				now.id = next.ID
			}
			return now, true
		}
		return now, r.HasElement(i.ID)
	case codes.IDCategory:
		if c := categoryNow(r, i.ID, from); c != nil {
			now.id = c.ID
		}
		return now, has[now] != nil
	case codes.IDVariable:
		now.id, ok = variable(r, now, i.ID, from)
		return now, ok
	}
	if id, ok := recordedAs(r, now, from); ok {
		now.id = id
	}
	if has[now] == nil {
		now.id = choiceNow(r, now, from)
	}
	return now, has[now] != nil || now.id != ""
}

// choiceNow returns the id that an option or context value of an older version has in a
// release, as far as renamed_from says so, or "".
func choiceNow(r *taxonomy.Release, k key, from taxonomy.Version) string {
	if c, ok := r.Category(k.in); ok && k.kind == codes.IDContextValue {
		for _, v := range c.Context.Values {
			if formerly(r, k.kind, k.id, v.RenamedFrom, from, k.in) {
				return v.ID
			}
		}
		return ""
	}
	list, owners := k.owned(r)
	for _, v := range list {
		for _, o := range v.Options {
			if v.ID == k.variable && (o.ID == k.id || formerly(r, k.kind, k.id, o.RenamedFrom, from, owners...)) {
				return o.ID
			}
		}
	}
	return ""
}

// formerly reports whether the old ids of something include the id that it had in an older
// version. If an evolution only says what became of the id before that version, the older
// version has something else with the id.
func formerly(r *taxonomy.Release, k taxonomy.IDKind, id string, renamedFrom []string, from taxonomy.Version, owners ...string) bool {
	if !slices.Contains(renamedFrom, id) {
		return false
	}
	_, since := r.Renamed(k, id, from, owners...)
	_, ever := r.Renamed(k, id, taxonomy.Version{}, owners...)
	return since || !ever
}

// byKey returns the items of a release by their keys.
func byKey(r *taxonomy.Release) map[key]*Item {
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
	has := byKey(after)
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
	// Now is the id that has LastTitle in the version itself, if no version between lacks
	// the id.
	Now string
	// As is the id in Last if it differs in letter case, or "".
	As string
}

// Changed reports whether the id has another title.
func (r *Reuse) Changed() bool { return r.Title != r.LastTitle }

// sighting is an id in one of several versions.
type sighting struct {
	at    int // the last version that has it
	title taxonomy.Localized
	// gap is the last sighting before a version that lacks the id, or -1.
	gap      int
	gapTitle taxonomy.Localized
}

// note remembers a gap in which some of the releases since the last sighting lack the id. If the
// title is the same again in a release of the same status, releases of another status don't count.
func (s *sighting) note(until []*taxonomy.Release, same bool) {
	for k := s.at + 1; k < len(until); k++ {
		if !same || until[k].Version().Status() == until[s.at].Version().Status() {
			s.gap, s.gapTitle = s.at, s.title
		}
	}
}

// ReusedIDs returns the ids of a release that an older version has, and one between lacks or
// the evolution records as removed or renamed, unless the evolution revives them. So are ids
// that left their title to another one since the last version, such as two that were
// exchanged, and ids that differ from an older one only in letter case, unless the evolution
// records that this one became them. What beta versions try out, stable versions need not have, and the other way
// round: between two versions of one status, those of the other do not count if the title
// stays. Versions that are not older are ignored.
func ReusedIDs(r *taxonomy.Release, others []*taxonomy.Release) []Reuse {
	older := slices.DeleteFunc(slices.Clone(others), func(o *taxonomy.Release) bool {
		return o.Version().Date() >= r.Version().Date() || o.Version().Type() != r.Version().Type()
	})
	slices.SortFunc(older, func(a, b *taxonomy.Release) int { return b.Version().Compare(a.Version()) })
	seen := make(map[key]*sighting)
	expanded := elementVariables(append(older, r))
	note := func(s *sighting, next int, in *taxonomy.Release, title taxonomy.Localized) {
		same := older[s.at].Version().Status() == in.Version().Status() && title.Pick(r.Locales()...) == s.title.Pick(r.Locales()...)
		s.note(older[:next], same)
	}
	for n, o := range older {
		for i := range items(o, expanded) {
			k, ok := keyIn(r, &i, o.Version())
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
			if _, recorded := recordedAs(r, k, o.Version()); recorded {
				s.gap, s.gapTitle = s.at, s.title
			}
		}
	}
	var all []Reuse
	found, moved, folded := make(map[key]bool), movedTitles(r, older), foldedIDs(seen)
	for i := range items(r, expanded) {
		k := i.key()
		s := seen[k]
		var as string
		if s == nil {
			as = folded[k.folded()]
			was := k
			was.id = as
			if s = seen[was]; s == nil || renamedTo(r, was, older[s.at].Version()) == k.id {
				continue
			}
			s.gap, s.gapTitle = s.at, s.title
		}
		note(s, len(older), r, i.title)
		_, owners := k.owned(r)
		inherited := k
		inherited.in, inherited.element = owners[len(owners)-1], false
		reuse, left := moved[k]
		last := older[max(s.gap, 0)].Version() // or the first, if there is no gap
		if s.gap < 0 && !left || slices.ContainsFunc(owners, func(in string) bool { return r.Revived(i.Kind, in, i.ID, last) }) || found[inherited] {
			continue // what elements inherit is reported once
		}
		found[k] = true
		if s.gap >= 0 {
			reuse = Reuse{Last: older[s.gap].Version(), LastTitle: s.gapTitle.Pick(r.Locales()...), As: as}
		}
		reuse.Item, reuse.Title = i, i.title.Pick(r.Locales()...)
		all = append(all, reuse)
	}
	return all
}

// folded returns the key with its id in lower case.
func (k key) folded() key {
	k.id = strings.ToLower(k.id)
	return k
}

// foldedIDs returns the ids of sightings by their folded keys, the newest of several.
func foldedIDs(seen map[key]*sighting) map[key]string {
	ids := make(map[key]string, len(seen))
	for k, s := range seen {
		was := k
		was.id = ids[k.folded()]
		if last := seen[was]; last == nil || last.at < s.at || last.at == s.at && was.id < k.id {
			ids[k.folded()] = k.id
		}
	}
	return ids
}

// movedTitles returns the ids of a release whose titles in the last version of the same
// status, or the last one if there is none, are those of other ids now.
func movedTitles(r *taxonomy.Release, older []*taxonomy.Release) map[key]Reuse {
	moved := make(map[key]Reuse)
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
	before := make(map[key]taxonomy.Localized)
	for i := range Items(last) {
		if k, ok := keyIn(r, &i, last.Version()); ok {
			before[k] = i.title
		}
	}
	now := make(map[titled]string) // what did not have its title before
	for i := range Items(r) {
		if title := text(i.title); title != "" && text(before[i.key()]) != title {
			now[titled{i.group(), title}] = i.ID
		}
	}
	for i := range Items(r) {
		title := before[i.key()]
		if id := now[titled{i.group(), text(title)}]; id != "" && text(title) != text(i.title) {
			moved[i.key()] = Reuse{Last: last.Version(), LastTitle: title.Pick(r.Locales()...), Now: id}
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

// recordedAs reports whether an evolution says that an id of an older version was removed or
// renamed since, and returns the only id that it became, or "".
func recordedAs(r *taxonomy.Release, k key, from taxonomy.Version) (id string, ok bool) {
	if k.kind == codes.IDElement {
		gone, ok := r.RemovedAfter(k.id, from)
		if !ok {
			return "", false
		}
		next, _ := r.SuccessionOf(gone).Single()
		return next.ID, true
	}
	variables, owners := k.owned(r)
	id, ok = r.Renamed(k.kind, k.id, from, owners...)
	for i := range variables {
		// An entry does not say which variable of the owner has the option.
		if v := &variables[i]; ok && id != "" && k.kind == codes.IDOption && v.ID == k.variable &&
			!slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return o.ID == id }) {
			return k.id, false
		}
	}
	return id, ok
}

// renamedTo returns the id that something of an older version has in a release, as far as the
// release or an evolution says so.
func renamedTo(r *taxonomy.Release, k key, from taxonomy.Version) string {
	switch k.kind {
	case codes.IDCategory:
		if c := categoryNow(r, k.id, from); c != nil {
			return c.ID
		}
	case codes.IDVariable:
		id, _ := variable(r, k, k.id, from)
		return id
	}
	if id, ok := recordedAs(r, k, from); ok {
		return id
	}
	return choiceNow(r, k, from)
}
