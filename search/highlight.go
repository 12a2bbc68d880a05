package search

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Field is a text of an element that is searched.
type Field string

// The fields, named as on the wire.
const (
	Title       Field = "title"
	Description Field = "description"
	Keywords    Field = "keywords"
)

// Place is where a text matches a query: bytes Start to End of the field in the
// locale of the index.
type Place struct {
	Field      Field
	Start, End int
}

// Places returns where an element matches the text of a query, for
// highlighting: by field, then position, none overlapping another. It asks what
// Search asks, and so belongs to the elements that Search returned.
func (x *Index) Places(e *taxonomy.Element, q Query) []Place {
	s := x.borrow()
	defer x.done(s)
	s.parse(q.Text)
	var wanted []uint32
	w := x.weights(q)
	for i := range s.terms.len() {
		x.expand(s, s.terms.term(i), i == s.unfinished, w)
		for _, e := range s.expansions {
			wanted = append(wanted, e.term)
		}
	}
	slices.Sort(wanted)

	var places []Place
	look := func(f Field, l taxonomy.Localized) {
		text, _ := l.Get(x.locale)
		begun := len(places)
		s.tokens.template(text, func(term []byte, start, end int) {
			if i, ok := x.terms.find(term); ok {
				if _, hit := slices.BinarySearch(wanted, uint32(i)); hit {
					places = append(places, Place{f, start, end})
				}
			}
		})
		places = append(places[:begun], joined(places[begun:])...)
	}
	look(Title, e.Title)
	look(Description, e.Description)
	look(Keywords, e.Keywords)
	return places
}

// joined sorts the places of a field, and makes one of those that overlap: pairs
// of letters do, and a word with its parts, which may come after it.
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
