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
// Each change has the id of the rule that applies to it; [Rules] returns them all, and
// docs/changes.md is generated from them. A new id that the newer version declares
// with renamed_from, or that the evolution of the type records, is one change of kind
// [Renamed]. The id, the status and the content hash of a version are not part of its
// content: a beta version that became stable has not changed.
//
// Releases can know what became of ids from the evolution of their type (see
// [history.With]), which counts like what versions say themselves.
//
// A [Set] presents the changes to people: by category, and as release notes in
// Markdown. A [Impact] looks at documents that exist: which become invalid, which only
// mean something else, by which change, and where. Validation decides whether a
// document becomes invalid. The changes that explain it are found by asking each change
// which placements it concerns, so that an effect names changes and places, not only
// findings.
//
// The package does no I/O and has no state.
//
// # Experimental
//
// This package may change in a minor version.
package diff

import (
	"slices"
	"sync"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
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
	// They are asked for each change.
	before, after = before.WithLineage(history.From(before)), after.WithLineage(history.From(after))
	p := &pair{
		before: before, after: after, history: history.Of(before.Version(), after), byCategory: make(map[string]count),
		satisfiable: sync.OnceValue(func() bool { return isSatisfiable(before) }),
	}
	p.renames = newPairing(before.Type().Categories, p.now(history.ID{Kind: codes.IDCategory}))
	p.elementRenames = newPairing(before.ElementIDs(), p.newElementIDs())
	if o != nil {
		p.interrupt = o.Interrupt
		for _, r := range o.Between {
			p.between = append(p.between, history.Of(before.Version(), r))
		}
	}
	// What the manifest says about an element that was removed belongs to that change.
	listed := on(Manifest, Added, "removed.*")
	manifest := p.compare(Manifest, "", before.ManifestJSON(), after.ManifestJSON())
	manifest = slices.DeleteFunc(manifest, func(c Change) bool {
		return len(c.Path) > 0 && slices.Contains([]string{"id", "status", "content_hash"}, c.Path[0].Name()) ||
			listed.matches(&c) && before.HasElement(c.Path[1].Name()) && !after.HasElement(c.Path[1].Name())
	})
	// That the list of a type has one category more or less is part of the change of that category.
	member := on(DatachainType, "", "categories.*")
	typ := p.compare(DatachainType, "", before.TypeJSON(), after.TypeJSON())
	typ = slices.DeleteFunc(typ, func(c Change) bool { return member.matches(&c) })
	categories := p.categories()
	elements := p.elements(categories) // completes the changes of categories
	changes := slices.Concat(manifest, typ, categories, elements, p.symbols())
	if p.stopped != nil {
		return nil, p.stopped
	}
	return &Report{Old: before.Version(), New: after.Version(), Changes: append([]Change{}, changes...)}, nil
}

// pair is the two releases to compare, and what is known about the documents of the old one.
type pair struct {
	before, after *taxonomy.Release
	between       []history.History // of the ids of the old release
	history       history.History
	interrupt     func() error // or nil
	stopped       error        // by interrupt; nothing else is done then

	renames        pairing // of the categories
	elementRenames pairing

	satisfiable func() bool // whether the old release has a valid document at all
	byCategory  map[string]count
	current     *elementItems // of the element that is compared
}

// proceed reports whether the comparison has not been interrupted.
func (p *pair) proceed() bool {
	if p.stopped == nil && p.interrupt != nil {
		p.stopped = p.interrupt()
	}
	return p.stopped == nil
}

func (p *pair) categories() (changes []Change) {
	for _, c := range p.before.Categories() {
		before, now := categoryJSON(p.before, c.ID), p.renames.became[c.ID]
		after := categoryJSON(p.after, now)
		if now == c.ID || now == "" {
			changes = append(changes, p.compare(Category, c.ID, before, after)...)
		} else {
			changes = append(changes, p.compareRenamed(Category, c.ID, now, before, after, p.renames)...)
		}
	}
	for _, c := range p.after.Categories() {
		if _, both := p.renames.was[c.ID]; !both {
			changes = append(changes, p.compare(Category, c.ID, "", categoryJSON(p.after, c.ID))...)
		}
	}
	return changes
}

// elements compares the elements. What they inherit is counted in the changes
// of their categories instead.
func (p *pair) elements(categories []Change) (changes []Change) {
	h := newInheritance(p, categories)
	for _, e := range p.before.Elements() {
		if !p.proceed() {
			return nil
		}
		before, now := elementJSON(p.before, e.ID), p.elementRenames.became[e.ID]
		after := elementJSON(p.after, now)
		if now == e.ID || now == "" {
			changes = append(changes, h.own(e.ID, p.compare(Element, e.ID, before, after))...)
		} else {
			changes = append(changes, h.own(now, p.compareRenamed(Element, e.ID, now, before, after, p.elementRenames))...)
		}
	}
	for _, e := range p.after.Elements() {
		if !p.proceed() {
			return nil
		}
		if _, both := p.elementRenames.was[e.ID]; !both {
			changes = append(changes, p.compare(Element, e.ID, "", elementJSON(p.after, e.ID))...)
		}
	}
	return changes
}

// compareRenamed is compare for an object with a new id.
func (p *pair) compareRenamed(s Subject, old, now, before, after string, renames pairing) []Change {
	w := walker{pair: p, subject: s, id: now}
	a, errA := document.Parse([]byte(before))
	b, errB := document.Parse([]byte(after))
	switch {
	case renames.was[now] != old: // it became a part of another one
		w.note(Renamed, issue.Root, canonical(old), canonical(now))
	case errA == nil && errB == nil: // as in every release
		w.renamed(issue.Root, old, now, a.Root(), b.Root())
	}
	return p.classifyAll(w.changes)
}

// categoryJSON returns the canonical JSON of a category with the old ids that an evolution
// adds, which the published JSON does not have, or "" if there is no such category.
func categoryJSON(r *taxonomy.Release, id string) string {
	published, ok := r.Category(id)
	if !ok {
		return ""
	}
	return evolvedJSON(history.From(r).Category(published), published, r.CategoryJSON(id))
}

// elementJSON is categoryJSON for an element.
func elementJSON(r *taxonomy.Release, id string) string {
	published, ok := r.Element(id)
	if !ok {
		return ""
	}
	return evolvedJSON(history.From(r).Element(published), published, r.ElementJSON(id))
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
	for _, id := range p.before.SymbolIDs() {
		changes = append(changes, p.compare(Symbol, id, symbolJSON(p.before, id), symbolJSON(p.after, id))...)
	}
	for _, id := range p.after.SymbolIDs() {
		if _, both := p.before.Symbol(id); !both {
			changes = append(changes, p.compare(Symbol, id, "", symbolJSON(p.after, id))...)
		}
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

// compare compares the canonical JSON of one object of a release, which is "" if
// the release does not have it.
func (p *pair) compare(s Subject, id, before, after string) []Change {
	w := walker{pair: p, subject: s, id: id}
	switch {
	case before == after:
	case before == "":
		w.note(Added, issue.Root, nil, []byte(after))
	case after == "":
		w.note(Removed, issue.Root, []byte(before), nil)
	default:
		a, errA := document.Parse([]byte(before))
		b, errB := document.Parse([]byte(after))
		if errA != nil || errB != nil { // which a release does not contain
			w.note(Changed, issue.Root, []byte(before), []byte(after))
		} else {
			w.values(issue.Root, a.Root(), b.Root())
		}
	}
	return p.classifyAll(w.changes)
}

func (p *pair) classifyAll(changes []Change) []Change {
	for i := range changes {
		if i%64 == 0 && !p.proceed() {
			return nil
		}
		p.classify(&changes[i])
	}
	return changes
}

// canonical returns the JSON of a string or of strings. It fails only for text
// that is not UTF-8, which a release does not contain.
func canonical(v any) []byte {
	text, _ := document.MarshalCanonical(v)
	return text
}
