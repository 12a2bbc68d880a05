package diff

import (
	"iter"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Releases compares two releases. They are usually versions of one datachain
// type; versions of two differ in nearly everything, which is what it says.
//
// Parts with the same canonical JSON cost one comparison of strings, so the
// time goes with what changed.
func Releases(before, after *taxonomy.Release) *Report {
	p := pair{before, after}
	categories := p.categories()
	elements := p.elements(categories) // completes the changes of categories
	r := &Report{Old: before.Version(), New: after.Version(), Changes: []Change{}}
	for _, changes := range [][]Change{p.manifest(), p.datachainType(), categories, elements, p.symbols()} {
		r.Changes = append(r.Changes, changes...)
	}
	return r
}

// pair is the two releases at hand.
type pair struct{ before, after *taxonomy.Release }

// manifest compares the title pages but for what names the version.
func (p pair) manifest() []Change {
	changes := p.part(Manifest, "", p.before.ManifestJSON(), p.after.ManifestJSON())
	return slices.DeleteFunc(changes, func(c Change) bool {
		return len(c.Path) > 0 && slices.Contains([]string{"id", "status", "content_hash"}, c.Path[0].Name())
	})
}

func (p pair) datachainType() []Change {
	return p.part(DatachainType, "", p.before.TypeJSON(), p.after.TypeJSON())
}

func (p pair) categories() []Change {
	var changes []Change
	for id := range union(categoryIDs(p.before), categoryIDs(p.after)) {
		changes = append(changes, p.part(Category, id, p.before.CategoryJSON(id), p.after.CategoryJSON(id))...)
	}
	return changes
}

// elements compares the elements. What they inherit is noted in the changes of
// their categories instead.
func (p pair) elements(categories []Change) []Change {
	h := newHeritage(p, categories)
	var changes []Change
	for id := range union(elementIDs(p.before), elementIDs(p.after)) {
		changes = append(changes, h.withhold(id, p.part(Element, id, p.before.ElementJSON(id), p.after.ElementJSON(id)))...)
	}
	return changes
}

func (p pair) symbols() []Change {
	var changes []Change
	for id := range union(slices.Values(p.before.SymbolIDs()), slices.Values(p.after.SymbolIDs())) {
		before, had := p.before.Symbol(id)
		after, has := p.after.Symbol(id)
		w := walker{subject: Symbol, id: id}
		switch {
		case !had:
			w.note(Added, issue.Root, nil, quote(after))
		case !has:
			w.note(Removed, issue.Root, quote(before), nil)
		case before != after:
			w.note(Changed, issue.Root, quote(before), quote(after))
		}
		changes = append(changes, w.changes...)
	}
	return changes
}

// part compares the canonical JSON of one part, "" where it is missing, and
// judges what it finds.
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
		p.judge(&w.changes[i])
	}
	return w.changes
}

func categoryIDs(r *taxonomy.Release) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range r.Categories() {
			if !yield(c.ID) {
				return
			}
		}
	}
}

func elementIDs(r *taxonomy.Release) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range r.Elements() {
			if !yield(e.ID) {
				return
			}
		}
	}
}

// union yields the ids of both, each once: the first ones, then the new ones.
func union(first, second iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := make(map[string]bool)
		for _, ids := range []iter.Seq[string]{first, second} {
			for id := range ids {
				if !seen[id] && !yield(id) {
					return
				}
				seen[id] = true
			}
		}
	}
}

// quote returns a string as JSON. Only what is not UTF-8 would fail, and a
// release holds no such text.
func quote(s string) []byte {
	text, _ := document.MarshalCanonical(s)
	return text
}
