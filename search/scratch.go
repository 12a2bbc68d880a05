package search

import (
	"bytes"
	"strings"
)

// scratch is what a query works with. It is kept for the next one.
type scratch struct {
	tokens *tokenizer
	terms  termList
	// unfinished is the place of the term that is the last word of the query,
	// and -1 where that is not among the terms.
	unfinished int
	misspelt   int // how many terms have been looked at for typos
	expansions []expansion
	walk       walk
	lists      []list
	filter     []marks // by window; empty for all elements
	// group holds the merged postings of terms with several expansions; best
	// and seen are for merging, by element.
	group postings
	best  []uint32
	seen  []uint64

	top    top
	scores [windowSize]uint32
}

// borrow returns a scratch, to be given back with done.
func (x *Index) borrow() *scratch {
	if s, ok := x.scratch.Get().(*scratch); ok {
		return s
	}
	return &scratch{tokens: newTokenizer()}
}

// maxKept is how many bytes of a query a scratch may hold to be kept. Hardly any
// query comes near.
const maxKept = 64 << 10

// done keeps a scratch for the next query, unless this one has made it large: a
// single query would hold that memory for ever.
func (x *Index) done(s *scratch) {
	size := cap(s.tokens.fold.a) + cap(s.tokens.fold.b) + cap(s.tokens.ends) + cap(s.terms.text)
	if size <= maxKept && cap(s.group.packed) <= 8*(len(x.release.Elements())+windowSize) {
		x.scratch.Put(s)
	}
}

// parse sets the terms of a query: each once, in order.
func (s *scratch) parse(text string) {
	s.terms.text, s.terms.ends = s.terms.text[:0], s.terms.ends[:0]
	s.unfinished, s.misspelt = -1, 0
	text = strings.ToValidUTF8(text[:min(len(text), MaxText)], " ")
	s.tokens.cut(text, 0, func(term []byte, _, _ int) {
		s.unfinished = s.terms.index(term)
		if s.unfinished < 0 && s.terms.len() < MaxTerms {
			s.unfinished = s.terms.len()
			s.terms.add(term)
		}
	})
}

// termList is a short list of different terms.
type termList struct {
	text []byte
	ends []int
}

func (l *termList) len() int { return len(l.ends) }

func (l *termList) start(i int) int {
	if i == 0 {
		return 0
	}
	return l.ends[i-1]
}

func (l *termList) term(i int) []byte { return l.text[l.start(i):l.ends[i]] }

func (l *termList) add(term []byte) {
	l.text = append(l.text, term...)
	l.ends = append(l.ends, len(l.text))
}

func (l *termList) index(term []byte) int {
	for i := range l.ends {
		if bytes.Equal(l.term(i), term) {
			return i
		}
	}
	return -1
}
