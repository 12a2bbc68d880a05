package search

import (
	"bytes"
	"math/bits"
)

// exactWeight is what a term counts for the same word of a query. Other weights
// are parts of it.
const exactWeight = 30

// How many letters a word has for one or two typos to be forgiven: in short
// words they give other words.
const (
	typoLetters  = 4
	typosLetters = 8
)

// maxMisspelt is how many words of a query are looked at for typos. Each takes a walk
// through the dictionary, and nobody misspells more.
const maxMisspelt = 8

// weights is what a term of the dictionary counts for a word of a query that it
// is not the same as. A weight of 0 leaves a step out.
type weights struct {
	form   uint32 // another form of the word
	prefix uint32 // begins with the word, which is unfinished
	typo   uint32 // one letter more, less, other, or two swapped
	typos  uint32 // two of these
	// hush makes words that many elements have count less than others, and
	// function does so with function words.
	hush, function bool
}

// standard is what the judged queries have shown to be good: see
// docs/search-quality.md.
var standard = weights{form: 20, prefix: 15, typo: 12, typos: 6, hush: true, function: true}

// weights returns what counts for a query.
func (x *Index) weights(q Query) weights {
	w := x.standard
	if q.Whole {
		w.form, w.prefix, w.hush, w.function = 0, 0, false, false
	}
	return w
}

// of returns what a term counts for a word, 0 where it does not stand for it.
func (w *weights) of(word, term []byte, unfinished bool) uint32 {
	switch {
	case bytes.Equal(word, term):
		return exactWeight
	case w.form > 0 && isForm(word, term):
		return w.form
	case unfinished && bytes.HasPrefix(term, word):
		return w.prefix
	}
	return 0
}

// expansion is a term of the dictionary that stands for a word of a query.
type expansion struct {
	term   uint32
	weight uint32
}

// expand sets s.expansions to what a word of the query stands for: the term
// itself, other forms of it, for an unfinished word those that begin with it, for a
// single letter of a script without spaces the pairs that have it, and where there
// is no such term, those that it may be a misspelling of.
func (x *Index) expand(s *scratch, word []byte, unfinished bool, w weights) {
	s.expansions = s.expansions[:0]
	if w.prefix > 0 && isLone(word) {
		x.having(s, word, w)
		return
	}
	begin, several := word, unfinished && w.prefix > 0
	if w.form > 0 && letters(word) >= formLetters {
		begin, several = formBegin(word), true
	}
	place, exact := x.terms.find(begin)
	switch {
	case several:
		for i, end := place, x.terms.skip(place, begin); i < end; i++ {
			if weight := w.of(word, x.terms.term(i), unfinished); weight > 0 {
				s.expansions = append(s.expansions, expansion{uint32(i), weight})
			}
		}
	case exact:
		s.expansions = append(s.expansions, expansion{uint32(place), exactWeight})
	}
	if len(s.expansions) == 0 {
		x.misspelt(s, word, w)
	}
}

// having sets s.expansions to the terms that have a letter anywhere. Looking through
// all terms is fast enough for what is rarely asked, and the index needs no single
// letters beside pairs, which would be nearly as many postings again.
func (x *Index) having(s *scratch, letter []byte, w weights) {
	for at := 0; ; {
		i := bytes.Index(x.terms.text[at:], letter)
		if i < 0 {
			return
		}
		at += i
		place := x.terms.at(at)
		end := int(x.terms.ends[place])
		switch term := x.terms.term(place); {
		case bytes.Equal(term, letter):
			s.expansions = append(s.expansions, expansion{uint32(place), exactWeight})
		case at+len(letter) <= end:
			s.expansions = append(s.expansions, expansion{uint32(place), w.prefix})
		}
		at = end
	}
}

// misspelt sets s.expansions to the terms that a word may be a misspelling of.
// Function words are typed so often that nobody misspells them into another word,
// nor means one where the word is unknown.
func (x *Index) misspelt(s *scratch, word []byte, w weights) {
	n := letters(word)
	if w.typo == 0 || n < typoLetters || w.function && x.function[string(word)] || s.misspelt == maxMisspelt {
		return
	}
	s.misspelt++
	limit := 1
	if n >= typosLetters {
		limit = 2
	}
	s.walk.near(&x.terms, word, limit, func(term, distance int) {
		if w.function && x.function[string(x.terms.term(term))] {
			return
		}
		weight := w.typo
		if distance > 1 {
			weight = w.typos
		}
		s.expansions = append(s.expansions, expansion{uint32(term), weight})
	})
}

// merge returns the postings of all expansions as one list, weighed, in which the
// best expansion counts for each element.
func (x *Index) merge(s *scratch) (list, bool) {
	switch {
	case len(s.expansions) == 0:
		return list{}, false
	case len(s.expansions) == 1 && s.expansions[0].weight == exactWeight:
		return x.list(int(s.expansions[0].term)), true
	}
	n := len(x.release.Elements())
	if len(s.best) < n {
		s.best, s.seen = make([]uint32, n), make([]uint64, (n+63)/64)
	}
	for _, e := range s.expansions {
		x.improve(s, e)
	}
	return s.collect(), true
}

// improve takes the postings of an expansion into s.best.
func (x *Index) improve(s *scratch, e expansion) {
	from := x.first[e.term].posting
	for _, b := range x.blocks[x.first[e.term].block:x.first[e.term+1].block] {
		base := b.window() << windowBits
		end := from + b.count()
		for i, posting := range x.packed[from:end] {
			element := base | posting>>impactBits
			s.seen[element/64] |= 1 << (element % 64)
			score := posting & impactMask
			if e.weight != exactWeight {
				score = weighed(score, x.rests.at(int(from)+i), e.weight)
			}
			s.best[element] = max(s.best[element], score)
		}
		from = end
	}
}

// collect appends what s.best holds to s.group as a list, and clears it.
func (s *scratch) collect() list {
	begin := s.group.end()
	isNew := true
	for i, word := range s.seen {
		if word == 0 {
			continue
		}
		s.seen[i] = 0
		for ; word != 0; word &= word - 1 {
			element := uint32(i*64 + bits.TrailingZeros64(word))
			s.group.add(element, s.best[element], isNew)
			s.best[element] = 0
			isNew = false
		}
	}
	return s.group.between(begin, s.group.end(), 0)
}
