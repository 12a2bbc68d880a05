package search

import (
	"math"
	"slices"
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
// walk through the terms.
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

// standard has the best results with the judged queries of testdata/quality.md.
var standard = weights{form: 20, number: 20, prefix: 15, typo: 12, typos: 6, damp: true, function: true, synonyms: true}

// weights returns the weights for a query.
func (x *Index) weights(q Query) weights {
	w := x.standard
	if q.WholeWords {
		w.form, w.number, w.prefix, w.damp, w.function, w.synonyms = 0, 0, 0, false, false, false
	}
	return w
}

// expansion is a term that matches a word of a query.
type expansion struct {
	term   int
	weight uint32
}

func (e expansion) isExact() bool { return e.weight == exactWeight }

// expand returns the matches of a term of the query: the term itself, other forms of it, its
// plural or singular, completions of an unfinished word, pairs with a single letter of a
// script without spaces, and, if there are none of these and no synonyms, corrections of
// typos.
func (s *searching) expand(i int) []expansion {
	word := s.terms[i]
	if s.weights.prefix > 0 && isLone(word) {
		return s.having(word)
	}
	found := s.matching(s.Index.terms, word, i == s.unfinished, s.weights)
	if len(found) == 0 && !s.hasSynonym(i) {
		return s.corrections(word)
	}
	return found
}

// matching returns the terms of a sorted list that match a word: itself, other forms of it,
// its plural or singular, and completions if it is unfinished.
func (x *Index) matching(terms []string, word string, unfinished bool, w weights) []expansion {
	var found []expansion
	begin, several := word, unfinished && w.prefix > 0
	if w.form > 0 && utf8.RuneCountInString(word) >= formLetters {
		begin, several = formPrefix(word), true
	}
	position, exact := slices.BinarySearch(terms, begin)
	switch {
	case several:
		for i := position; i < len(terms) && strings.HasPrefix(terms[i], begin); i++ {
			switch term := terms[i]; {
			case word == term:
				found = append(found, expansion{i, exactWeight})
			case w.form > 0 && isForm(word, term):
				found = append(found, expansion{i, w.form})
			case unfinished && w.prefix > 0 && strings.HasPrefix(term, word):
				found = append(found, expansion{i, w.prefix})
			}
		}
	case exact:
		found = append(found, expansion{position, exactWeight})
	}
	if w.number > 0 && x.english && !x.function[word] {
		for _, other := range numbers(word) {
			if i, ok := slices.BinarySearch(terms, other); ok && !x.function[other] {
				found = append(found, expansion{i, w.number})
			}
		}
	}
	return found
}

// having returns the terms that contain a letter. A scan of all terms is fast enough for a
// rare query; indexing single letters would nearly double the postings of pairs.
func (s *searching) having(letter string) (found []expansion) {
	for i, term := range s.Index.terms {
		switch {
		case term == letter:
			found = append(found, expansion{i, exactWeight})
		case strings.Contains(term, letter):
			found = append(found, expansion{i, s.weights.prefix})
		}
	}
	return found
}

// corrections returns the terms that a word may be a misspelling of. Function words are
// excluded on both sides: they are rarely misspelt, and rarely meant by an unknown word.
func (s *searching) corrections(word string) (found []expansion) {
	n, w := utf8.RuneCountInString(word), s.weights
	if w.typo == 0 || n < typoLetters || w.function && s.function[word] || s.misspelt == maxMisspelt {
		return nil
	}
	s.misspelt++
	if n > maxTypoLetters {
		return nil
	}
	limit := 1
	if n >= typosLetters {
		limit = 2
	}
	near(s.Index.terms, s.overlaps(), word, limit, func(term, distance int) {
		switch {
		case w.function && s.function[s.Index.terms[term]]:
		case distance > 1:
			found = append(found, expansion{term, w.typos})
		default:
			found = append(found, expansion{term, w.typo})
		}
	})
	return found
}

// formLetters is the minimum number of letters that two forms of a word begin with.
const formLetters = 5

// isForm reports whether two words may be forms of one: camera and cameras, explain and
// explanation, traduire and traduction. They begin with the same letters, at least five
// and at least half of the longer word, rounded down. This suits all languages that inflect
// at the end, and gives results no worse than their stemmers.
func isForm(a, b string) bool {
	n := common(a, b)
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n-- // whole letters only
	}
	shared := utf8.RuneCountInString(a[:n])
	return shared >= formLetters && shared >= max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))/2
}

// formPrefix returns the common beginning of all forms of a word with at least formLetters
// letters.
func formPrefix(word string) string {
	end := 0
	for range max(formLetters, utf8.RuneCountInString(word)/2) {
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
	}
	return word[:end]
}

// common returns the number of bytes that two words begin with in common.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// maxTypoLetters is the length of the longest word that is checked for typos.
const maxTypoLetters = 64

// walk finds the terms that are close to a word. Terms are sorted, so terms with a common
// beginning are adjacent: the distances of the beginning are computed once, and if it is
// too far away, all terms with it are skipped. The overlaps say how long the common
// beginnings are, so most terms are not even read. Comparing with each term takes ten times
// as long: several milliseconds if there are 20,000.
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
func near(terms []string, overlaps []uint8, word string, limit int, visit func(term, distance int)) {
	w := walk{word: []rune(word), ends: []int{0}}
	w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	for j := range w.rows[0] {
		w.rows[0][j] = uint8(min(j, limit+1))
	}
	for i := 0; i < len(terms); {
		if w.follow(terms[i], int(overlaps[i]), limit) {
			if distance := w.distance(limit); 0 < distance && distance <= limit {
				visit(i, distance)
			}
			i++
			continue
		}
		far := w.ends[len(w.term)]
		i++
		for i < len(terms) && int(overlaps[i]) >= far {
			i++
		}
	}
}

// follow computes the rows of the next term, and reports whether it can be close. If not,
// it stops after the letters that decide so. The term begins with the first bytes of the
// one before, as many as overlap says.
func (w *walk) follow(term string, overlap, limit int) bool {
	depth := len(w.term)
	for w.ends[depth] > overlap {
		depth--
	}
	w.term, w.ends = w.term[:depth], w.ends[:depth+1]
	for at := w.ends[depth]; at < len(term); {
		r, size := utf8.DecodeRuneInString(term[at:])
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

// overlaps returns how many bytes at the beginning of each term are those of the term
// before it, up to 255.
func overlaps(terms []string) []uint8 {
	list := make([]uint8, len(terms))
	for i := 1; i < len(terms); i++ {
		list[i] = uint8(min(common(terms[i-1], terms[i]), math.MaxUint8))
	}
	return list
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

// numbers returns the singular of an English plural, the plural of a singular, and a number
// written in the other way. The rule for other forms misses them if a word is short, or if
// its end changes, as in party and parties.
func numbers(word string) (others []string) {
	if other, ok := numeralPairs()[word]; ok {
		return []string{other}
	}
	if len(word) < 2 {
		return nil
	}
	stem := word[:len(word)-1]
	switch ending(word) {
	case endsInY:
		others = append(others, stem+"ies")
	case endsInO:
		others = append(others, word+"s", word+"es")
	case endsInHiss:
		others = append(others, word+"es")
	default:
		others = append(others, word+"s")
	}
	if word[len(word)-1] != 's' {
		return others
	}
	if kind := ending(stem); kind == endsInO || kind == endsPlainly {
		others = append(others, stem)
	}
	if stem, ok := strings.CutSuffix(stem, "e"); ok && (ending(stem) == endsInO || ending(stem) == endsInHiss) {
		others = append(others, stem)
	}
	if stem, ok := strings.CutSuffix(stem, "ie"); ok && ending(stem+"y") == endsInY {
		others = append(others, stem+"y")
	}
	return slices.DeleteFunc(others, func(other string) bool { return len(other) < 2 })
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
func ending(word string) wordEnd {
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
