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
// words are left out if the query has another word that matches.
func (x *Index) Places(e *taxonomy.Element, q Query) []Place {
	if x.release == nil {
		return nil
	}
	s := x.borrow()
	defer x.done(s)
	s.parse(q.Text)
	var wanted, grammar []uint32
	w := x.weights(q)
	for i := range s.terms.len() {
		x.expand(s, i, w)
		list := &wanted
		if w.function && x.function[string(s.terms.term(i))] {
			list = &grammar
		}
		for _, e := range s.expansions {
			*list = append(*list, e.term)
		}
	}
	if len(wanted) == 0 {
		wanted = grammar
	}
	slices.Sort(wanted)

	var places []Place
	look := func(f Field, l taxonomy.Localized) {
		text, _ := l.Get(x.locale)
		begin := len(places)
		s.tokens.template(text, func(term []byte, start, end int) {
			if i, ok := x.terms.find(term); ok {
				if _, hit := slices.BinarySearch(wanted, uint32(i)); hit {
					places = append(places, Place{f, start, end})
				}
			}
		})
		places = append(places[:begin], joined(places[begin:])...)
	}
	look(Title, e.Title)
	look(Description, e.Description)
	look(Keywords, e.Keywords)
	return places
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
