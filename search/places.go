package search

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Field is a text of an element that is searched.
type Field string

// The fields, named as in JSON.
const (
	Title       Field = "title"
	Description Field = "description"
	Keywords    Field = "keywords"
)

// Place is a match in a text: the bytes from Start to End of the field in the locale of
// the index.
type Place struct {
	Field      Field
	Start, End int
}

// Places returns the matches of a query in an element that Search returned, for
// highlighting. They are sorted by field and position and do not overlap. Function
// words are left out if the query has other words.
func (x *Index) Places(e *taxonomy.Element, q Query) []Place {
	if x.release == nil {
		return nil
	}
	s := x.borrow()
	defer x.done(s)
	var wanted, grammar []uint32
	only := true // function words
	w := x.weights(q)
	x.prepare(s, q.Text, w)
	for i := range s.terms.len() {
		x.expand(s, i, w)
		list := &wanted
		if w.function && x.function[string(s.terms.term(i))] {
			list = &grammar
		} else {
			only = false
		}
		for _, e := range s.expansions {
			*list = append(*list, e.term)
		}
	}
	wanted = x.synonymTerms(s, wanted, e)
	if only && len(wanted) == 0 {
		wanted = grammar
	}
	slices.Sort(wanted)

	var places []Place
	for _, f := range fields {
		begin := len(places)
		x.read(s, f.of(e), func(term uint32, start, end int) {
			if _, hit := slices.BinarySearch(wanted, term); hit {
				places = append(places, Place{f.name, start, end})
			}
		})
		places = append(places[:begin], joined(places[begin:])...)
	}
	return places
}

// fields are the texts of an element, in the order of places.
var fields = []struct {
	name Field
	of   func(*taxonomy.Element) taxonomy.Localized
}{
	{Title, func(e *taxonomy.Element) taxonomy.Localized { return e.Title }},
	{Description, func(e *taxonomy.Element) taxonomy.Localized { return e.Description }},
	{Keywords, func(e *taxonomy.Element) taxonomy.Localized { return e.Keywords }},
}

// read visits the terms of a text with their positions.
func (x *Index) read(s *scratch, l taxonomy.Localized, visit func(term uint32, start, end int)) {
	text, _ := l.Get(x.locale)
	s.tokens.template(text, func(term []byte, start, end int) {
		if i, ok := x.terms.find(term); ok {
			visit(uint32(i), start, end)
		}
	})
}

// synonymTerms adds the terms of the synonyms that match an element to wanted.
func (x *Index) synonymTerms(s *scratch, wanted []uint32, e *taxonomy.Element) []uint32 {
	if len(s.lists) == 0 { // of synonyms
		return wanted
	}
	var terms []uint32
	for _, f := range fields {
		x.read(s, f.of(e), func(term uint32, _, _ int) { terms = append(terms, term) })
	}
	slices.Sort(terms)
	isThere := func(e expansion) bool {
		_, ok := slices.BinarySearch(terms, e.term)
		return ok
	}
	t := x.thesaurus()
	for _, p := range s.phrases.members {
		for _, g := range p.groups {
			for _, synonym := range t.groups[g] {
				if slices.ContainsFunc(synonym.needs, func(list []expansion) bool { return !slices.ContainsFunc(list, isThere) }) {
					continue
				}
				for _, e := range slices.Concat(synonym.needs...) {
					wanted = append(wanted, e.term)
				}
			}
		}
	}
	return wanted
}

// joined sorts the places of a field and joins those that overlap, such as pairs of
// letters, and a compound with its parts.
func joined(places []Place) []Place {
	slices.SortFunc(places, func(a, b Place) int { return cmp.Compare(a.Start, b.Start) })
	n := 0
	for _, p := range places {
		if n > 0 && p.Start < places[n-1].End {
			places[n-1].End = max(places[n-1].End, p.End)
			continue
		}
		places[n] = p
		n++
	}
	return places[:n]
}
