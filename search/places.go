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
	Field Field `json:"field"`
	Start int   `json:"start"`
	End   int   `json:"end"`
}

// Places returns the matches of a query in an element that Search returned, for
// highlighting. They are sorted by field and position and do not overlap. Function
// words are left out if the query has other words.
func (x *Index) Places(e *taxonomy.Element, q Query) []Place {
	if x.release == nil {
		return nil
	}
	s := x.newSearch(q)
	defer x.done(s)
	var highlighted, function []string
	onlyFunction := true
	for i, term := range s.terms {
		list := &highlighted
		if s.weights.function && x.function[term] {
			list = &function
		} else {
			onlyFunction = false
		}
		for _, e := range s.expand(i) {
			*list = append(*list, x.terms[e.term])
		}
	}
	highlighted = append(highlighted, s.synonymTerms(e)...)
	if onlyFunction && len(highlighted) == 0 {
		highlighted = function
	}

	var places []Place
	for _, f := range fields {
		begin := len(places)
		x.read(f.of(e), func(term []byte, start, end int) {
			if slices.Contains(highlighted, string(term)) {
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
func (x *Index) read(l taxonomy.Localized, visit visitor) {
	text, _ := l.Get(x.locale)
	newTokenizer().template(text, visit)
}

// synonymTerms returns the terms of the synonyms that match an element.
func (s *searcher) synonymTerms(e *taxonomy.Element) []string {
	if len(s.lists) == 0 { // of synonyms
		return nil
	}
	present := make(map[string]bool)
	for _, f := range fields {
		s.read(f.of(e), func(term []byte, _, _ int) { present[string(term)] = true })
	}
	isPresent := func(e expansion) bool { return present[s.Index.terms[e.term]] }
	var terms []string
	t := s.thesaurus()
	for _, f := range s.phrases {
		for _, p := range f.members {
			for _, g := range p.groups {
				for _, synonym := range t.groups[g] {
					if slices.ContainsFunc(synonym.needs, func(list []expansion) bool { return !slices.ContainsFunc(list, isPresent) }) {
						continue
					}
					for _, e := range slices.Concat(synonym.needs...) {
						terms = append(terms, s.Index.terms[e.term])
					}
				}
			}
		}
	}
	return terms
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
