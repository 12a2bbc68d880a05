package diff

import (
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
	// Interrupt is called now and then; its first error ends the comparison.
	Interrupt func() error
}

// Compare is [Releases] with options. The error is that of [Options.Interrupt].
func Compare(before, after *taxonomy.Release, o *Options) (*Report, error) {
	p := &pair{before: before, after: after, counts: newCounts(before, after)}
	if o != nil {
		p.interrupt = o.Interrupt
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
			listed.matches(&c) && p.removed(c.Path[1].Name())
	})
}

// removed reports whether only the old release has an element.
func (p *pair) removed(id string) bool {
	_, before := p.before.Element(id)
	_, after := p.after.Element(id)
	return before && !after
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
			changes = append(changes, p.part(Category, id, p.before.CategoryJSON(id), p.after.CategoryJSON(id))...)
		} else {
			changes = append(changes, p.renamedCategory(old, id)...)
		}
	}
	return changes
}

// renamedCategory compares a category that has a new id.
func (p *pair) renamedCategory(old, id string) []Change {
	before, errBefore := document.Parse([]byte(p.before.CategoryJSON(old)))
	after, errAfter := document.Parse([]byte(p.after.CategoryJSON(id)))
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
		changes = append(changes, h.own(id, p.part(Element, id, p.before.ElementJSON(id), p.after.ElementJSON(id)))...)
	}
	return changes
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
