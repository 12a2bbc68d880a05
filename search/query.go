package search

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// DefaultLimit is how many hits a query gives that does not say.
const DefaultLimit = 50

// How much of a query counts: so many bytes from its beginning, and of these so
// many different terms.
const (
	MaxText  = 16 << 10
	MaxTerms = 64
)

// Query is what to look for.
type Query struct {
	// Text is words in the language of the index, as people type them. The
	// last one may be unfinished.
	Text string
	// Categories are the ids of the categories to look in; none means all.
	Categories []string
	// Offset is how many of the best hits to leave out.
	Offset int
	// Limit is how many hits to return at most, [DefaultLimit] if it is 0.
	Limit int
	// Whole means that the words are what the texts have: none is unfinished,
	// no other form of one matches, a single letter is no part of a pair, and
	// function words and those that many elements have count as others do.
	// Misspellings are still forgiven.
	Whole bool
}

// Result is what a query finds.
type Result struct {
	// Hits are the best elements that have not been left out, the best first.
	// Where scores are equal, declaration order decides.
	Hits []Hit
	// Total is how many elements there are that match.
	Total int
}

// Hit is an element that matches a query.
type Hit struct {
	Element *taxonomy.Element
	Score   float64
}

// Search finds the elements that have any of the words of a query, in the best
// order. It allocates nothing but the hits.
func (x *Index) Search(q Query) Result {
	s := x.borrow()
	defer x.done(s)
	total := x.rank(s, q)
	found := s.top.sorted()
	found = found[min(max(0, q.Offset), len(found)):]
	if len(found) == 0 {
		return Result{Total: total}
	}
	hits := make([]Hit, len(found))
	elements := x.release.Elements()
	for i, f := range found {
		hits[i] = Hit{elements[f.element()], float64(f.score()) / unit}
	}
	return Result{hits, total}
}

// HasWord reports whether a text has a word to look for, of what counts of it.
func HasWord(text string) bool {
	s := scratch{tokens: newTokenizer()}
	s.parse(text)
	return s.terms.len() > 0
}

// rank leaves the best of all that match in s.top, and returns how many do.
func (x *Index) rank(s *scratch, q Query) int {
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	n := len(x.release.Elements())
	s.top.reset(min(n, min(n, max(0, q.Offset))+min(n, limit)))
	x.only(s, q.Categories)
	s.parse(q.Text)
	s.group.packed, s.group.blocks = s.group.packed[:0], s.group.blocks[:0]
	s.lists = s.lists[:0]
	w := x.weights(q)
	for i := range s.terms.len() {
		x.expand(s, s.terms.term(i), i == s.unfinished, w)
		if l, ok := x.merge(s); ok {
			l.function = w.function && x.function[string(s.terms.term(i))]
			s.lists = append(s.lists, l)
		}
	}
	s.hush(n, w.hush)
	s.seed()
	return s.accumulate()
}

// only sets the filter to the elements of the categories, none meaning all.
func (x *Index) only(s *scratch, categories []string) {
	s.filter = s.filter[:0]
	if len(categories) == 0 {
		return
	}
	elements := len(x.release.Elements())
	windows := (elements + windowSize - 1) / windowSize
	s.filter = slices.Grow(s.filter, windows)[:windows]
	clear(s.filter)
	place := 0
	for _, c := range x.release.Categories() {
		n := len(x.release.ElementsOf(c.ID))
		if slices.Contains(categories, c.ID) {
			for i := place; i < place+n; i++ {
				s.filter[i>>windowBits].set(uint32(i) % windowSize)
			}
		}
		place += n
	}
}
