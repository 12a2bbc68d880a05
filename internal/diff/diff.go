// Package diff compares two versions of a schema and reports which changes
// break documents that move from the older version to the newer one.
//
// [Releases] compares the published JSON of the parts, so it covers every
// field, unknown ones included. Lists whose items have an id or a locale, and
// lists of strings, are compared item by item and not by position:
//
//	changed  element purpose.safety: title.fr
//	added    element purpose.safety: variables.contact
//	removed  category data: context.values.identified
//
// What elements inherit is reported once, for their category: a variable that
// all elements of a category get is one [Change], which has the number of
// elements.
//
// A change is breaking if some document that is valid under the older version
// is invalid under the newer one when its schema_version is changed and nothing
// else, and notable if documents stay valid but mean something else, or if those of
// older versions can no longer follow, because the newer version forgets what became
// of an id. Documents name elements, not categories: renaming a category, or moving
// elements to another one, breaks nothing unless it changes what may be placed.
//
// Each change has the id of the rule that judged it; [Rules] returns them all, and
// docs/changes.md is generated from them. A new id that the newer version declares
// with renamed_from is one change of kind [Renamed]. The id, the status and the content
// hash of a version are not part of its content: a beta version that became stable has
// not changed.
//
// Releases can know what became of ids from the evolution of their type (see
// [taxonomy.Release.Evolved]), which counts like what versions say themselves.
//
// A [Set] presents the changes to people: by category, and as release notes in
// Markdown. A [Judge] looks at documents that exist: which become invalid, which only
// mean something else, by which change, and where. Validation decides whether a
// document becomes invalid. The changes that explain it are found by asking each change
// which placements it concerns, so that an effect names changes and places, not only
// findings.
//
// The package does no I/O and has no state.
package diff

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Releases compares two releases, which are usually versions of one datachain
// type. Parts with the same JSON cost one comparison of strings, so the time
// depends on what has changed.
func Releases(before, after *taxonomy.Release) *Report {
	report, _ := Compare(before, after, nil) // it fails only if it is interrupted
	return report
}

// Options configure [Compare]. Nil and the zero value mean the defaults.
type Options struct {
	// Between are versions between the two, in any order. An id that one of them
	// lacks may mean something else in the newer version.
	Between []*taxonomy.Release
	// Interrupt is called now and then; its first error ends the comparison.
	Interrupt func() error
}

// Compare is [Releases] with options. The error is that of [Options.Interrupt].
func Compare(before, after *taxonomy.Release, o *Options) (*Report, error) {
	p := &pair{before: before, after: after, counts: &counts{
		before: before, after: after, renames: newRenames(before, after), byCategory: make(map[string]count),
	}}
	if o != nil {
		p.interrupt, p.counts.between = o.Interrupt, o.Between
	}
	categories := p.categories()
	elements := p.elements(categories) // completes the changes of categories
	changes := slices.Concat(p.manifest(), p.datachainType(), categories, elements, p.symbols())
	if p.stopped != nil {
		return nil, p.stopped
	}
	return &Report{Old: before.Version(), New: after.Version(), Changes: append([]Change{}, changes...)}, nil
}

// pair is the two releases to compare.
type pair struct {
	before, after *taxonomy.Release
	counts        *counts
	interrupt     func() error // or nil
	stopped       error        // by interrupt; nothing else is done then
}

// goOn reports whether to go on.
func (p *pair) goOn() bool {
	if p.stopped == nil && p.interrupt != nil {
		p.stopped = p.interrupt()
	}
	return p.stopped == nil
}

// manifest compares the manifests without the fields that name the version. What they
// say about an element that was removed belongs to that change.
func (p *pair) manifest() []Change {
	listed := on(Manifest, Added, "removed", anyStep)
	changes := p.part(Manifest, "", p.before.ManifestJSON(), p.after.ManifestJSON())
	return slices.DeleteFunc(changes, func(c Change) bool {
		return len(c.Path) > 0 && slices.Contains([]string{"id", "status", "content_hash"}, c.Path[0].Name()) ||
			listed.matches(&c) && p.before.HasElement(c.Path[1].Name()) && !p.after.HasElement(c.Path[1].Name())
	})
}

// datachainType compares the datachain types. That its list has one category more or
// less is part of the change of that category.
func (p *pair) datachainType() []Change {
	listed := on(DatachainType, "", "categories", anyStep)
	changes := p.part(DatachainType, "", p.before.TypeJSON(), p.after.TypeJSON())
	return slices.DeleteFunc(changes, func(c Change) bool { return listed.matches(&c) })
}

func (p *pair) categories() (changes []Change) {
	idOf := func(c *taxonomy.Category) string { return p.counts.newID(c.ID) }
	for _, id := range union(p.before.Categories(), p.after.Categories(), idOf) {
		old := p.counts.oldID(id)
		if old == id {
			changes = append(changes, p.part(Category, id, categoryJSON(p.before, id), categoryJSON(p.after, id))...)
		} else {
			changes = append(changes, p.renamedCategory(old, id)...)
		}
	}
	return changes
}

// renamedCategory compares a category that has a new id.
func (p *pair) renamedCategory(old, id string) []Change {
	before, errBefore := document.Parse([]byte(categoryJSON(p.before, old)))
	after, errAfter := document.Parse([]byte(categoryJSON(p.after, id)))
	w := walker{subject: Category, id: id}
	if errBefore == nil && errAfter == nil { // as in every release
		w.renamed(issue.Root, old, id, before.Root(), after.Root())
	}
	return p.judged(w.changes)
}

// elements compares the elements. What they inherit is counted in the changes
// of their categories instead.
func (p *pair) elements(categories []Change) (changes []Change) {
	h := newHeritage(p, categories)
	idOf := func(e *taxonomy.Element) string { return e.ID }
	for _, id := range union(p.before.Elements(), p.after.Elements(), idOf) {
		if !p.goOn() {
			return nil
		}
		changes = append(changes, h.own(id, p.part(Element, id, elementJSON(p.before, id), elementJSON(p.after, id)))...)
	}
	return changes
}

// categoryJSON returns the canonical JSON of a category with the old ids that an evolution
// adds, which the published JSON does not have, or "" if there is no such category.
func categoryJSON(r *taxonomy.Release, id string) string {
	now, _ := r.Category(id)
	published, _ := r.Evolved(nil).Category(id)
	return evolvedJSON(now, published, r.CategoryJSON(id))
}

// elementJSON is categoryJSON for an element.
func elementJSON(r *taxonomy.Release, id string) string {
	original := r.Evolved(nil)
	if original == r { // most are: a release can have many elements
		return r.ElementJSON(id)
	}
	now, _ := r.Element(id)
	published, _ := original.Element(id)
	return evolvedJSON(now, published, r.ElementJSON(id))
}

func evolvedJSON[T any](now, published *T, otherwise string) string {
	if now == published {
		return otherwise
	}
	text, err := document.MarshalCanonical(now)
	if err != nil { // which was decoded from valid JSON
		return otherwise
	}
	return string(text)
}

func (p *pair) symbols() (changes []Change) {
	idOf := func(id string) string { return id }
	for _, id := range union(p.before.SymbolIDs(), p.after.SymbolIDs(), idOf) {
		changes = append(changes, p.part(Symbol, id, symbolJSON(p.before, id), symbolJSON(p.after, id))...)
	}
	return changes
}

// symbolJSON returns a symbol as a JSON string, or "" if there is none.
func symbolJSON(r *taxonomy.Release, id string) string {
	svg, ok := r.Symbol(id)
	if !ok {
		return ""
	}
	return string(canonical(svg))
}

// part compares and judges the canonical JSON of one part, which is "" if the
// release does not have it.
func (p *pair) part(s Subject, id, before, after string) []Change {
	w := walker{subject: s, id: id}
	if s == DatachainType {
		w.became = p.counts.became
	}
	switch {
	case before == after:
	case before == "":
		w.note(Added, issue.Root, nil, []byte(after))
	case after == "":
		w.note(Removed, issue.Root, []byte(before), nil)
	default:
		w.texts([]byte(before), []byte(after))
	}
	return p.judged(w.changes)
}

func (p *pair) judged(changes []Change) []Change {
	for i := range changes {
		if i%64 == 0 && !p.goOn() {
			return nil
		}
		p.counts.judge(&changes[i])
	}
	return changes
}

// union returns the ids of both lists, each once: those of the first, then the
// others.
func union[T any](first, second []T, id func(T) string) []string {
	seen := make(map[string]bool, len(first))
	var ids []string
	for _, list := range [][]T{first, second} {
		for _, item := range list {
			if !seen[id(item)] {
				seen[id(item)] = true
				ids = append(ids, id(item))
			}
		}
	}
	return ids
}

// canonical returns the JSON of a string or of strings. It fails only for text
// that is not UTF-8, which a release does not contain.
func canonical(v any) []byte {
	text, _ := document.MarshalCanonical(v)
	return text
}

// items are the items of two lists, to look up by their ids.
type items[T any] struct {
	before, after map[string]*T
	was           map[string]string // the old ids of those that were renamed, by their new ones
}

func newItems[T any](before, after []T, read func(*T) former) *items[T] {
	l := &items[T]{before: make(map[string]*T, len(before)), after: make(map[string]*T, len(after))}
	ids := make([]string, len(before))
	for i := range before {
		ids[i] = read(&before[i]).id
		l.before[ids[i]] = &before[i]
	}
	for i := range after {
		l.after[read(&after[i]).id] = &after[i]
	}
	l.was = formerIDs(ids, formers(after, read))
	return l
}

// get returns an item as it was and as it is, or nil where there is none. The id is the
// new one, or that of an item that was removed.
func (l *items[T]) get(id string) (before, after *T) {
	return l.before[cmp.Or(l.was[id], id)], l.after[id]
}

// parts are the variables and options of an element that both releases have.
type parts struct {
	id        string
	variables *items[taxonomy.Variable]
	options   map[string]*items[taxonomy.Option] // by the id of the variable
}

// parts returns those of an element. The changes of an element follow one another, so
// they are kept for one.
func (k *counts) parts(id string) *parts {
	if k.current == nil || k.current.id != id {
		before, _ := k.before.Element(id)
		after, _ := k.after.Element(id)
		k.current = &parts{
			id: id, variables: newItems(before.Variables, after.Variables, formerVariable),
			options: make(map[string]*items[taxonomy.Option]),
		}
	}
	return k.current
}

// optionsOf returns the options of a variable. Those of variables that are not selected
// from do not matter.
func (p *parts) optionsOf(variable string) *items[taxonomy.Option] {
	if known, ok := p.options[variable]; ok {
		return known
	}
	before, after := p.variables.get(variable)
	list := newItems(choices(before), choices(after), formerOption)
	p.options[variable] = list
	return list
}

// choices returns the options of a variable that is selected from.
func choices(v *taxonomy.Variable) []taxonomy.Option {
	if v == nil || v.Type != taxonomy.SelectVariable {
		return nil
	}
	return v.Options
}

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
	r := renames{was: formerIDs(before.Type().Categories, formers(after.Categories(), formerCategory)), became: make(map[string]string)}
	for id, old := range r.was {
		r.became[old] = id
	}
	return r
}

// oldID returns the id that a category of the new release had, which is its id unless
// it was renamed.
func (r renames) oldID(id string) string {
	return cmp.Or(r.was[id], id)
}

// newID returns the id that a category of the old release has in the new one.
func (r renames) newID(id string) string {
	return cmp.Or(r.became[id], id)
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
		l.keys[i] = cmp.Or(became[key], key)
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
