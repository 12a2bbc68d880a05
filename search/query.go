package search

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// DefaultLimit is the number of hits that a query without a limit returns.
const DefaultLimit = 50

// Limits of a query: the bytes of its text and the distinct terms in them that are used.
// The rest is ignored.
const (
	MaxText  = 16 << 10
	MaxTerms = 64
)

// Query describes what to find.
type Query struct {
	// Text is words in the language of the index, as typed by a person. The last word
	// may be unfinished.
	Text string
	// Categories are the ids of the categories to search; empty means all.
	Categories []string
	// Offset is the number of best hits to skip.
	Offset int
	// Limit is the maximum number of hits; 0 means [DefaultLimit].
	Limit int
	// Whole matches whole words only: no unfinished words, no other forms, no synonyms,
	// no single letters of pairs, and no reduced weight for function words and frequent
	// words.
	// Typos are still tolerated.
	Whole bool
}

// Result is the answer to a query.
type Result struct {
	// Hits are the best matches after Offset, best first. Equal scores are in
	// declaration order.
	Hits []Hit
	// Total is the number of matching elements.
	Total int
}

// Hit is an element that matches a query.
type Hit struct {
	Element *taxonomy.Element
	Score   float64
}

// Search returns the best elements that have any word of the query, and none if all of its
// words that match are function words beside others. It allocates only the hits.
func (x *Index) Search(q Query) Result {
	if x.release == nil {
		return Result{}
	}
	s := x.borrow()
	defer x.done(s)
	n, limit := x.elements(), q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	s.top.reset(min(n, min(n, max(0, q.Offset))+min(n, limit)))
	x.only(s, q.Categories)
	w := x.weights(q)
	x.prepare(s, q.Text, w)
	wanted := false // a word that is not a function word
	for i := range s.terms.len() {
		function := w.function && x.function[string(s.terms.term(i))]
		wanted = wanted || !function
		x.expand(s, i, w)
		if l, ok := x.merge(s); ok {
			l.term, l.function = termAt(i), function
			s.lists = append(s.lists, l)
		}
	}
	if wanted && !slices.ContainsFunc(s.lists, func(l list) bool { return !l.function }) {
		s.lists = s.lists[:0]
	}
	s.damp(n, w.damp)
	s.raise()
	s.seed()
	result := Result{Total: s.accumulate()}
	found := s.top.sorted()
	if found = found[min(max(0, q.Offset), len(found)):]; len(found) > 0 {
		result.Hits = make([]Hit, len(found))
		for i, f := range found {
			result.Hits[i] = Hit{x.release.ElementAt(int(f.element())), float64(f.score()) / unit}
		}
	}
	return result
}

// HasWord reports whether the used part of a query text has a word.
func HasWord(text string) bool {
	s := scratch{tokens: newTokenizer()}
	s.parse(text, false)
	return s.terms.len() > 0
}

// only sets the filter to the elements of the categories; empty means all.
func (x *Index) only(s *scratch, categories []string) {
	s.filter = s.filter[:0]
	if len(categories) == 0 {
		return
	}
	windows := (x.elements() + windowSize - 1) / windowSize
	s.filter = slices.Grow(s.filter, windows)[:windows]
	clear(s.filter)
	for _, id := range categories {
		begin, end := x.release.CategoryRange(id)
		for i := begin; i < end; i++ {
			s.filter[i>>windowBits].set(uint32(i) % windowSize)
		}
	}
}
