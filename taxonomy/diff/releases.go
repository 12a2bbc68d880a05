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
	p := pair{before, after, newCounts(before, after)}
	categories := p.categories()
	elements := p.elements(categories) // completes the changes of categories
	return &Report{
		Old: before.Version(), New: after.Version(),
		Changes: append([]Change{}, slices.Concat(p.manifest(), p.datachainType(), categories, elements, p.symbols())...),
	}
}

// pair is the two releases to compare.
type pair struct {
	before, after *taxonomy.Release
	counts        *counts
}

// manifest compares the manifests without the fields that name the version.
func (p pair) manifest() []Change {
	changes := p.part(Manifest, "", p.before.ManifestJSON(), p.after.ManifestJSON())
	return slices.DeleteFunc(changes, func(c Change) bool {
		return len(c.Path) > 0 && slices.Contains([]string{"id", "status", "content_hash"}, c.Path[0].Name())
	})
}

func (p pair) datachainType() []Change {
	return p.part(DatachainType, "", p.before.TypeJSON(), p.after.TypeJSON())
}

func (p pair) categories() (changes []Change) {
	idOf := func(c *taxonomy.Category) string { return c.ID }
	for _, id := range union(p.before.Categories(), p.after.Categories(), idOf) {
		changes = append(changes, p.part(Category, id, p.before.CategoryJSON(id), p.after.CategoryJSON(id))...)
	}
	return changes
}

// elements compares the elements. What they inherit is counted in the changes
// of their categories instead.
func (p pair) elements(categories []Change) (changes []Change) {
	h := newHeritage(p, categories)
	idOf := func(e *taxonomy.Element) string { return e.ID }
	for _, id := range union(p.before.Elements(), p.after.Elements(), idOf) {
		changes = append(changes, h.own(id, p.part(Element, id, p.before.ElementJSON(id), p.after.ElementJSON(id)))...)
	}
	return changes
}

func (p pair) symbols() (changes []Change) {
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
func (p pair) part(s Subject, id, before, after string) []Change {
	w := walker{subject: s, id: id}
	switch {
	case before == after:
	case before == "":
		w.note(Added, issue.Root, nil, []byte(after))
	case after == "":
		w.note(Removed, issue.Root, []byte(before), nil)
	default:
		w.texts([]byte(before), []byte(after))
	}
	for i := range w.changes {
		p.counts.judge(&w.changes[i])
	}
	return w.changes
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
