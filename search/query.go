package search

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// defaultLimit is the number of hits that a query without a limit returns.
const defaultLimit = 50

// Limits of a query: the bytes of its text and the distinct terms in them that are used.
// The rest is ignored.
const (
	maxText  = 16 << 10
	maxTerms = 64
)

// Query describes what to find.
type Query struct {
	// Text is words in the language of the index, as typed by a person. The last word
	// may be unfinished.
	Text string
	// Categories are the ids of the categories to search; empty means all. One that the
	// release lacks is an error, and so is any in an index of texts.
	Categories []string
	// Offset is the number of best hits to skip, none if it is negative.
	Offset int
	// Limit is the maximum number of hits; 0 means 50, and a negative number no limit.
	Limit int
	// WholeWords matches whole words only: no unfinished words, no other forms, no synonyms,
	// no single letters of pairs, and no reduced weight for function words and frequent
	// words. Typos are still tolerated.
	WholeWords bool
}

// Result is the answer to a query.
type Result struct {
	// Hits are the best matches after Offset, best first. Equal scores are in
	// declaration order.
	Hits []Hit
	// Total is the number of matching elements.
	Total int
	// DidYouMean is the text of the query with misspelt words replaced by the words that
	// were found instead, or "" if there are none.
	DidYouMean string
}

// Hit is an element that matches a query.
type Hit struct {
	Element *taxonomy.Element // nil in an index of texts
	Score   float64
	// Position is that of the element in the release, or of the text.
	Position int
}

// Search returns the best elements that have any word of the query, and none if all of its
// words that match are function words beside others.
func (x *Index) Search(q Query) (Result, error) {
	found, result, err := x.rank(q)
	if err != nil {
		return Result{}, err
	}
	if len(found) > 0 {
		result.Hits = make([]Hit, len(found))
		for i, f := range found {
			result.Hits[i] = x.hit(f.element(), f.score())
		}
	}
	return result, nil
}

// rank returns the best elements after the offset of a query, and a result without hits.
func (x *Index) rank(q Query) (found []rankedElement, result Result, err error) {
	if err := x.checkCategories(q.Categories); err != nil {
		return nil, Result{}, err
	}
	if x.elements == 0 {
		return nil, Result{}, nil
	}
	s := x.newSearch(q)
	defer x.done(s)
	if !s.match() {
		return nil, Result{}, nil
	}
	s.sum()
	scores := s.scores
	offset, limit := min(max(0, q.Offset), x.elements), cmp.Or(q.Limit, defaultLimit)
	if limit < 0 {
		limit = x.elements
	}
	collect := func(begin, end int) {
		for i, score := range scores[begin:end] {
			if score > 0 {
				scores[begin+i] = 0 // a category that is given twice counts once
				found = append(found, rankedElement(uint64(^score)<<32|uint64(begin+i)))
			}
		}
	}
	if len(q.Categories) == 0 {
		collect(0, x.elements)
	} else {
		for _, id := range q.Categories {
			collect(x.release.CategoryRange(id))
		}
	}
	slices.Sort(found)
	result = Result{Total: len(found), DidYouMean: s.didYouMean(q)}
	end := offset + min(limit, x.elements)
	return found[min(offset, len(found)):min(end, len(found))], result, nil
}

// match finds the elements of each word. It reports whether there are any; those of function words
// alone do not count if the query has others.
func (s *searcher) match() bool {
	hasContent := false // a word that is not a function word
	for i, term := range s.terms {
		function := s.weights.function && s.function[term]
		hasContent = hasContent || !function
		if l := s.merge(s.expand(i)); len(l.postings) > 0 {
			l.term, l.function = i, function
			s.lists = append(s.lists, l)
		}
	}
	return len(s.lists) > 0 && (!hasContent || slices.ContainsFunc(s.lists, func(l list) bool { return !l.function }))
}

// sum adds up the scores of elements.
func (s *searcher) sum() {
	s.damp()
	s.deductPhrases()
	for _, l := range s.lists {
		for _, p := range l.postings {
			s.scores[p.element] += l.contribution(p)
		}
	}
}

// checkCategories returns an error if the release has no such category.
func (x *Index) checkCategories(ids []string) error {
	for _, id := range ids {
		if x.release == nil {
			return errors.New("search: an index of texts has no categories")
		}
		if _, ok := x.release.Category(id); !ok {
			return fmt.Errorf("search: there is no category %q in %s", wording.Clip(id), x.release.Version())
		}
	}
	return nil
}

// HasWord reports whether the used part of a query text has a word.
func HasWord(text string) bool {
	var s searcher
	s.parse(newTokenizer(), text)
	return len(s.terms) > 0
}

// searcher is the state of a query that is being run.
type searcher struct {
	*Index
	weights weights
	terms   []string // of the query, each once, in order
	// covered are the words of the query that each term stands for, as bits: itself or, for a
	// compound, its parts.
	covered []uint64
	// order has the words of the query as they follow one another, as positions among
	// the terms, or -1 for a word that is not one of them. Compounds are in it by their
	// parts.
	order []int
	// unfinished is the position of the last word of the query among the terms, or -1
	// if it is not one of them.
	unfinished int
	misspelt   int // the number of terms that were checked for typos
	corrected  []correction
	phrases    []foundPhrase
	lists      []list
	*memory
}

// memory is what queries reuse. Without it, a query in 5,000 elements allocates 42 KB more
// (BenchmarkSearch).
type memory struct {
	tokens *tokenizer
	scores []uint32
	best   []uint32 // for merging; all zero between uses
}

// list is the elements that match one word of a query, or a synonym of a phrase.
type list struct {
	postings []posting // elements ascend
	weight   uint32    // of all of them
	term     int       // the position of the word among the terms, -1 for synonyms
	terms    []int     // of the phrase of synonyms
	function bool      // it belongs to a function word
	common   bool      // it belongs to a frequent word
	damped   bool      // it counts less
}

// contribution returns what a posting of the list contributes to the score.
func (l *list) contribution(p posting) uint32 {
	contribution := p.contribution(l.weight)
	if l.damped {
		contribution = (contribution + dampShare - 1) / dampShare
	}
	return contribution
}

// newSearch parses a query and looks up its synonyms.
func (x *Index) newSearch(q Query) *searcher {
	m, ok := x.memories.Get().(*memory)
	if !ok {
		m = &memory{newTokenizer(), make([]uint32, x.elements), make([]uint32, x.elements)}
	}
	s := &searcher{Index: x, weights: x.weights(q), memory: m}
	s.parse(m.tokens, q.Text)
	if s.weights.synonyms && x.thesaurus != nil {
		s.findPhrases(x.thesaurus())
	}
	return s
}

// done keeps the memory of a query for the next one.
func (x *Index) done(s *searcher) {
	clear(s.scores)
	x.memories.Put(s.memory)
}

// maxOrder is the number of words of a query whose order is kept.
const maxOrder = 4 * maxTerms

// usedText returns the text of a query that is used.
func usedText(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], " ") }

// parse sets the terms of a query.
func (s *searcher) parse(tokens *tokenizer, text string) {
	s.unfinished = -1
	compound, compoundEnd := -1, 0
	tokens.cut(usedText(text), 0, func(term []byte, start, end int) {
		s.unfinished = slices.Index(s.terms, string(term))
		if s.unfinished < 0 && len(s.terms) < maxTerms {
			s.unfinished = len(s.terms)
			s.terms, s.covered = append(s.terms, string(term)), append(s.covered, 0)
		}
		if tokens.joined {
			compound, compoundEnd = s.unfinished, end
			return
		}
		if s.unfinished >= 0 {
			word := uint64(1) << s.unfinished
			s.covered[s.unfinished] |= word
			if compound >= 0 && start < compoundEnd {
				s.covered[compound] |= word
			}
		}
		if len(s.order) < maxOrder {
			s.order = append(s.order, s.unfinished)
		}
	})
}

// merge returns the elements that have a term of any expansion. For each, the best counts.
func (s *searcher) merge(expansions []expansion) list {
	if len(expansions) == 1 {
		return list{postings: s.postings[expansions[0].term], weight: expansions[0].weight}
	}
	n := 0
	for _, e := range expansions {
		n += len(s.postings[e.term])
		for _, p := range s.postings[e.term] {
			s.best[p.element] = max(s.best[p.element], p.contribution(e.weight))
		}
	}
	return s.collect(n)
}

// collect returns the elements in s.best with the contribution of each, and clears it. The
// capacity is the maximum number of them.
func (s *searcher) collect(capacity int) list {
	l := list{weight: exactWeight}
	if capacity == 0 {
		return l
	}
	l.postings = make([]posting, 0, min(capacity, s.elements))
	for i, contribution := range s.best {
		if contribution > 0 {
			l.postings = append(l.postings, posting{uint32(i), 4 * contribution, 0})
		}
	}
	clear(s.best)
	return l
}

// A frequent word says little about the wanted element, and yet it may be rare in titles,
// which have the highest weight. So it counts less beside rarer words. Function words
// count less beside other words, however rare they are: "are", "who", "les", "una".
const (
	commonShare = 10 // a frequent word is in more than a tenth of the elements,
	minCommon   = 3  // and in more than three
	dampShare   = 5  // a damped word counts a fifth, rounded up
)

// damp reduces the weight of function words if there are others, and of frequent words if there
// are rarer ones.
func (s *searcher) damp() {
	for i := range s.lists {
		n := len(s.lists[i].postings)
		s.lists[i].common = n > minCommon && commonShare*n > s.elements
	}
	s.spreadCommon()
	content := slices.ContainsFunc(s.lists, func(l list) bool { return !l.function })
	for i := range s.lists {
		l := &s.lists[i]
		rare := slices.ContainsFunc(s.lists, func(o list) bool { return o.isRare() && !related(*l, o) })
		l.damped = content && l.function || s.weights.damp && l.common && rare
	}
}

// isRare reports whether the list belongs to a word that says much about the wanted element.
func (l list) isRare() bool { return !l.function && !l.common }

// rankedElement is an element and its score as one number, the smaller the better. If scores are
// equal, earlier elements are better.
type rankedElement uint64

func (r rankedElement) element() int  { return int(uint32(r)) }
func (r rankedElement) score() uint32 { return ^uint32(r >> 32) }
