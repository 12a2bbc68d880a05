package search

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
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

// standard has the best results with the judged queries of docs/internals/search-quality.md.
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
	n := x.elements
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

// maxTypoLetters is the length of the longest word that is checked for typos.
const maxTypoLetters = 64

// walk finds the terms of a dictionary that are close to a word. Terms are sorted, so
// terms with a common beginning are adjacent: the distances of the beginning are computed
// once, and if it is too far away, all terms with it are skipped. The overlaps of the
// dictionary tell how long the common beginnings are, so most terms are not even read.
type walk struct {
	word []rune
	term []rune
	ends []int // ends[d] is the end of the first d letters of term, in bytes
	// rows[d] are the distances between the first d letters of the term and the first
	// 0, 1, 2, … letters of the word.
	rows [][]uint8
}

// near visits the terms at a distance from 1 to limit: the number of letters that must be
// added, omitted, replaced or swapped with their neighbour.
func (w *walk) near(d *dictionary, overlaps []uint8, word []byte, limit int, visit func(term, distance int)) {
	if len(word) > maxTypoLetters*utf8.UTFMax || letters(word) > maxTypoLetters {
		return
	}
	w.word, w.term, w.ends = w.word[:0], w.term[:0], append(w.ends[:0], 0)
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		w.word = append(w.word, r)
		word = word[size:]
	}
	if len(w.rows) == 0 {
		w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	}
	for j := range w.rows[0] {
		w.rows[0][j] = uint8(min(j, limit+1))
	}
	for i := 0; i < d.len(); {
		if w.follow(d.term(i), int(overlaps[i]), limit) {
			if distance := w.distance(limit); 0 < distance && distance <= limit {
				visit(i, distance)
			}
			i++
			continue
		}
		far := w.ends[len(w.term)]
		i++
		for i < d.len() && int(overlaps[i]) >= far {
			i++
		}
	}
}

// follow computes the rows of the next term, and reports whether it can be close. If not,
// it stops after the letters that decide so. The term begins with the first bytes of the
// one before, as many as overlap says.
func (w *walk) follow(term []byte, overlap, limit int) bool {
	depth := len(w.term)
	for w.ends[depth] > overlap {
		depth--
	}
	w.term, w.ends = w.term[:depth], w.ends[:depth+1]
	for at := w.ends[depth]; at < len(term); {
		r, size := utf8.DecodeRune(term[at:])
		at += size
		w.term, w.ends = append(w.term, r), append(w.ends, at)
		if !w.row(limit) {
			return false
		}
	}
	return true
}

// distance returns the distance of the whole term, or more than the limit.
func (w *walk) distance(limit int) int {
	if len(w.term)+limit < len(w.word) {
		return limit + 1 // the last row is not computed that far
	}
	return int(w.rows[len(w.term)][len(w.word)])
}

// row computes the row of the last letter of the term and reports whether any distance in
// it is within the limit. It omits columns that are further from the diagonal than that.
func (w *walk) row(limit int) bool {
	depth, m := len(w.term), len(w.word)
	if len(w.rows) <= depth {
		w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	}
	above, row := w.rows[depth-1], w.rows[depth]
	far := uint8(limit + 1)
	first, last := max(0, depth-limit), min(m, depth+limit)
	if first > m {
		return false
	}
	if first > 0 {
		row[first-1] = far
	}
	if last < m {
		row[last+1] = far
	}
	letter := w.term[depth-1]
	nearest := far
	for j := first; j <= last; j++ {
		if j == 0 {
			row[0] = uint8(min(depth, int(far)))
		} else {
			best := min(above[j], row[j-1], above[j-1]) + 1
			if w.word[j-1] == letter {
				best = min(best, above[j-1])
			}
			if j > 1 && depth > 1 && w.word[j-2] == letter && w.word[j-1] == w.term[depth-2] {
				best = min(best, w.rows[depth-2][j-2]+1)
			}
			row[j] = min(best, far)
		}
		nearest = min(nearest, row[j])
	}
	return nearest < far
}

// numerals are English numbers as words and in figures.
const numerals = `1st first 2nd second 3rd third 4th fourth 5th fifth 6th sixth 7th seventh 8th eighth
	9th ninth 10th tenth 11th eleventh 12th twelfth
	2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine 10 ten 11 eleven 12 twelve`

// numeralPairs returns the other way to write each of the numerals.
var numeralPairs = sync.OnceValue(func() map[string]string {
	pairs := make(map[string]string)
	words := strings.Fields(numerals)
	for i := 0; i < len(words); i += 2 {
		pairs[words[i]], pairs[words[i+1]] = words[i+1], words[i]
	}
	return pairs
})

// number adds the singular of an English plural, the plural of a singular, and numbers
// written in the other way, if the dictionary has them. The rule for other forms misses them if a word is short, or if
// its end changes, as in party and parties. They are looked up when a query is run, so
// that an index is the same with and without them.
func (x *Index) number(s *scratch, d *dictionary, word []byte, weight uint32) {
	if weight == 0 || !x.english || x.function[string(word)] {
		return
	}
	if other, ok := numeralPairs()[string(word)]; ok {
		s.form = append(s.form[:0], other...)
		x.addForm(s, d, weight)
		return
	}
	if len(word) < 2 {
		return
	}
	form := func(stem []byte, end string) {
		if s.form = append(append(s.form[:0], stem...), end...); len(s.form) > 1 {
			x.addForm(s, d, weight)
		}
	}
	stem := word[:len(word)-1]
	switch ending(word) {
	case endsInY:
		form(stem, "ies")
	case endsInO:
		form(word, "s")
		form(word, "es")
	case endsInHiss:
		form(word, "es")
	default:
		form(word, "s")
	}
	if word[len(word)-1] != 's' {
		return
	}
	if kind := ending(stem); kind == endsInO || kind == endsPlainly {
		form(stem, "")
	}
	if stem, ok := bytes.CutSuffix(stem, []byte("e")); ok && (ending(stem) == endsInO || ending(stem) == endsInHiss) {
		form(stem, "")
	}
	if stem, ok := bytes.CutSuffix(stem, []byte("ie")); ok {
		s.form = append(append(s.form[:0], stem...), 'y')
		if ending(s.form) == endsInY {
			x.addForm(s, d, weight)
		}
	}
}

// The ends of English words by the plural that they take: -s, -ies instead of -y after a
// consonant, -s or -es after -o, and -es after a hissing sound.
type wordEnd int

const (
	endsPlainly wordEnd = iota
	endsInY
	endsInO
	endsInHiss
)

// ending returns how a word ends.
func ending(word []byte) wordEnd {
	n := len(word)
	if n == 0 {
		return endsPlainly
	}
	switch last := word[n-1]; {
	case last == 'y' && n > 1 && !strings.ContainsRune("aeiou", rune(word[n-2])):
		return endsInY
	case last == 'o':
		return endsInO
	case last == 's', last == 'x', last == 'z', last == 'h' && n > 1 && (word[n-2] == 'c' || word[n-2] == 's'):
		return endsInHiss
	}
	return endsPlainly
}

// addForm adds the term in s.form if it is in the dictionary and not a function word.
func (x *Index) addForm(s *scratch, d *dictionary, weight uint32) {
	if i, ok := d.find(s.form); ok && !x.function[string(s.form)] {
		s.expand(i, weight)
	}
}
