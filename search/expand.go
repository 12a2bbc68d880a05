package search

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// exactWeight is the weight of an exact match. Other weights are fractions of it.
const exactWeight = 30

// The minimum letters of a word for one and for two typos: short words turn into other
// words too easily.
const (
	typoLetters  = 4
	typosLetters = 8
)

// maxMisspelt is the number of words of a query that are checked for typos. Each needs a
// walk through the dictionary.
const maxMisspelt = 8

// weights are the weights of terms that match a word of a query inexactly. A weight of 0
// disables a step.
type weights struct {
	form   uint32 // another form of the word
	number uint32 // the English plural or singular, or a number in words or in figures
	prefix uint32 // begins with the unfinished word
	typo   uint32 // one letter added, omitted, replaced or swapped
	typos  uint32 // two of these
	// damp reduces the weight of frequent words, function that of function words.
	damp, function bool
	synonyms       bool // synonyms match, at half of the weight
}

// standard has the best results with the judged queries of docs/search-quality.md.
var standard = weights{form: 20, number: 20, prefix: 15, typo: 12, typos: 6, damp: true, function: true, synonyms: true}

// weights returns the weights for a query.
func (x *Index) weights(q Query) weights {
	w := x.standard
	if q.Whole {
		w.form, w.number, w.prefix, w.damp, w.function, w.synonyms = 0, 0, 0, false, false, false
	}
	return w
}

// expansion is a term of the dictionary that matches a word of a query.
type expansion struct{ term, weight uint32 }

func (e expansion) isExact() bool { return e.weight == exactWeight }

func (s *scratch) expand(term int, weight uint32) {
	s.expansions = append(s.expansions, expansion{uint32(term), weight})
}

// expand sets s.expansions to the matches of a term of the query: the term itself, other
// forms of it, its plural or singular, completions of an unfinished word, pairs with a
// single letter of a script without spaces, and, if there are none of these and no
// synonyms, corrections of typos.
func (x *Index) expand(s *scratch, i int, w weights) {
	word := s.terms.term(i)
	s.expansions = s.expansions[:0]
	if w.prefix > 0 && isLone(word) {
		x.having(s, word, w)
		return
	}
	x.matches(s, &x.terms, word, termAt(i) == s.unfinished, w)
	if len(s.expansions) == 0 && !s.hasSynonym(termAt(i)) {
		x.misspelt(s, word, w)
	}
}

// matches adds the terms of a sorted dictionary that match a word: itself, other forms of
// it, its plural or singular, and completions if it is unfinished.
func (x *Index) matches(s *scratch, d *dictionary, word []byte, unfinished bool, w weights) {
	begin, several := word, unfinished && w.prefix > 0
	if w.form > 0 && letters(word) >= formLetters {
		begin, several = formBegin(word), true
	}
	position, exact := d.find(begin)
	switch {
	case several:
		for i, end := position, d.skip(position, begin); i < end; i++ {
			switch term := d.term(i); {
			case bytes.Equal(word, term):
				s.expand(i, exactWeight)
			case w.form > 0 && isForm(word, term):
				s.expand(i, w.form)
			case unfinished && w.prefix > 0 && bytes.HasPrefix(term, word):
				s.expand(i, w.prefix)
			}
		}
	case exact:
		s.expand(position, exactWeight)
	}
	x.number(s, d, word, w.number)
}

// having adds the terms that contain a letter. A scan of all terms is fast enough for a
// rare query; indexing single letters would nearly double the postings of pairs.
func (x *Index) having(s *scratch, letter []byte, w weights) {
	for at := 0; ; {
		i := bytes.Index(x.terms.text[at:], letter)
		if i < 0 {
			return
		}
		at += i
		position := x.terms.at(at)
		end := int(x.terms.ends[position])
		switch term := x.terms.term(position); {
		case bytes.Equal(term, letter):
			s.expand(position, exactWeight)
		case at+len(letter) <= end:
			s.expand(position, w.prefix)
		}
		at = end
	}
}

// misspelt adds the terms that a word may be a misspelling of. Function words are
// excluded on both sides: they are rarely misspelt, and rarely meant by an unknown word.
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
	s.walk.near(&x.terms, x.overlaps(), word, limit, func(term, distance int) {
		switch {
		case w.function && x.function[string(x.terms.term(term))]:
		case distance > 1:
			s.expand(term, w.typos)
		default:
			s.expand(term, w.typo)
		}
	})
}

// merge returns the weighted postings of all expansions as one list. For each element,
// the best expansion counts.
func (x *Index) merge(s *scratch) (list, bool) {
	switch {
	case len(s.expansions) == 0:
		return list{}, false
	case len(s.expansions) == 1 && s.expansions[0].isExact():
		return x.list(s.expansions[0].term), true
	}
	n := x.elements()
	if len(s.best) < n {
		s.best, s.seen = make([]uint32, n), make([]uint64, (n+63)/64)
	}
	for _, e := range s.expansions {
		x.improve(s, e)
	}
	return s.collect(), true
}

// improve merges the postings of an expansion into s.best.
func (x *Index) improve(s *scratch, e expansion) {
	at := int(x.first[e.term].posting)
	for l := x.list(e.term); len(l.blocks) > 0; {
		base := l.blocks[0].window() << windowBits
		for _, posting := range l.take() {
			element := base | posting>>impactBits
			s.seen[element/64] |= 1 << (element % 64)
			score := posting & impactMask
			if e.weight != exactWeight {
				score = weighted(score, x.rests.at(at), e.weight)
			}
			s.best[element] = max(s.best[element], score)
			at++
		}
	}
}

// collect appends s.best to s.group as a list, and clears it.
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
	return s.group.between(begin, s.group.end())
}

// formLetters is the minimum number of letters that two forms of a word begin with.
const formLetters = 5

// isForm reports whether two words may be forms of one: camera and cameras, explain and
// explanation, traduire and traduction. They begin with the same letters, at least five
// and at least half of the longer word, rounded down. This suits all languages that inflect
// at the end, and gives results no worse than their stemmers.
func isForm(a, b []byte) bool {
	n := common(a, b)
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n-- // whole letters only
	}
	shared := letters(a[:n])
	return shared >= formLetters && shared >= max(letters(a), letters(b))/2
}

// formBegin returns the common beginning of all forms of a word with at least formLetters
// letters.
func formBegin(word []byte) []byte {
	end := 0
	for range max(formLetters, letters(word)/2) {
		_, size := utf8.DecodeRune(word[end:])
		end += size
	}
	return word[:end]
}

// letters counts the letters of a term, which is valid UTF-8. [utf8.RuneCount] allocates
// for long ones.
func letters(term []byte) int {
	n := 0
	for _, c := range term {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// common returns the number of bytes that two words begin with in common.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
