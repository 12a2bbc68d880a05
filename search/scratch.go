package search

import "strings"

// scratch is the working memory of a query, which later queries reuse.
type scratch struct {
	tokens *tokenizer
	terms  dictionary // of the query, in order
	// order has the words of the query as they follow one another, as positions among
	// the terms, or -1 for a word that is not one of them. Only synonyms need it.
	order []termAt
	// unfinished is the position of the last word of the query among the terms, or -1
	// if it is not one of them.
	unfinished termAt
	misspelt   int // the number of terms that were checked for typos
	expansions []expansion
	form       []byte // a form of a word that is looked up
	walk       walk
	phrases    phrases
	lists      []list
	active     []*list // the lists with a block of the current window
	filter     []marks // by window; empty for all elements
	// group has the merged postings of terms with several expansions; best and seen
	// are used for merging, by element.
	group postings
	best  []uint32
	seen  []uint64

	top    top
	scores [windowSize]uint32
}

// borrow returns a scratch, which done returns to the pool.
func (x *Index) borrow() *scratch {
	if s, ok := x.scratch.Get().(*scratch); ok {
		return s
	}
	return &scratch{tokens: newTokenizer()}
}

// maxKept is the maximum size of a scratch that is kept, in bytes of query text.
const maxKept = 64 << 10

// done keeps a scratch for the next query, unless an unusual query has made it large.
func (x *Index) done(s *scratch) {
	size := cap(s.tokens.fold.a) + cap(s.tokens.fold.b) + cap(s.tokens.ends) + cap(s.terms.text)
	if most := 8 * (x.elements() + windowSize); size <= maxKept && cap(s.group.packed) <= most && cap(s.phrases.pairs) <= most {
		x.scratch.Put(s)
	}
}

// maxOrder is the number of words of a query whose order is kept, for synonyms.
const maxOrder = 4 * MaxTerms

// parse sets the terms of a query: each once, in order.
func (s *scratch) parse(text string, ordered bool) {
	s.terms.reset()
	s.phrases.reset()
	s.order = s.order[:0]
	s.unfinished, s.misspelt = -1, 0
	text = strings.ToValidUTF8(text[:min(len(text), MaxText)], " ")
	s.tokens.cut(text, 0, func(term []byte, _, _ int) {
		s.unfinished = termAt(s.terms.index(term))
		if s.unfinished < 0 && s.terms.len() < MaxTerms {
			s.unfinished = termAt(s.terms.len())
			s.terms.add(term)
		}
		if ordered && !s.tokens.joined && len(s.order) < maxOrder {
			s.order = append(s.order, s.unfinished)
		}
	})
}
