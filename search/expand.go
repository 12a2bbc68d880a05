package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// exactWeight is the weight of an exact match. Other weights are fractions of it.
const exactWeight = 30

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
func (s *searcher) expand(i int) []expansion {
	word := s.terms[i]
	if s.weights.prefix > 0 && isLone(word) {
		return s.containing(word)
	}
	found := s.matching(s.Index.terms, word, i == s.unfinished, s.weights)
	if len(found) == 0 && !s.hasSynonym(i) {
		found = s.corrections(word)
		if len(found) > 0 {
			s.corrected = append(s.corrected, correction{word, found})
		}
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
			weight := w.formOf(word, terms[i])
			switch {
			case word == terms[i]:
				weight = exactWeight
			case unfinished && strings.HasPrefix(terms[i], word):
				weight = max(weight, w.prefix)
			}
			if weight > 0 {
				found = append(found, expansion{i, weight})
			}
		}
	case exact:
		found = append(found, expansion{position, exactWeight})
	}
	if w.number > 0 && x.english && !x.function[word] {
		for _, other := range englishForms(word) {
			if i, ok := slices.BinarySearch(terms, other); ok && !x.function[other] {
				found = append(found, expansion{i, w.number})
			}
		}
	}
	return found
}

// containing returns the terms that contain a letter. A scan of all terms is fast enough for a
// rare query; indexing single letters would nearly double the postings of pairs.
func (s *searcher) containing(letter string) (found []expansion) {
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

// formLetters is the minimum number of letters that two forms of a word begin with.
const formLetters = 5

// formOf returns the weight of two words that may be forms of one: camera and cameras, explain
// and explanation, traduire and traduction. They begin with the same letters, at least five
// and at least half of the longer word, rounded down. This suits all languages that inflect
// at the end, and gives results no worse than their stemmers. Words that share less than two
// thirds, such as person and personalised, count half.
func (w weights) formOf(a, b string) uint32 {
	n := commonPrefix(a, b)
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n-- // whole letters only
	}
	shared := utf8.RuneCountInString(a[:n])
	switch longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); {
	case shared < formLetters || shared < longer/2:
		return 0
	case 3*shared < 2*longer:
		return w.form / 2
	}
	return w.form
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

// commonPrefix returns the number of bytes with which both words begin.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
