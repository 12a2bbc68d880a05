package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/similar"
)

// The minimum number of letters of a word for one and for two typos: a short word is too often
// another word with a typo.
const (
	typoLetters  = 4
	typosLetters = 8
)

// maxMisspelt is the number of words of a query that are checked for typos. Each is compared
// with all terms.
const maxMisspelt = 8

// corrections returns the terms that a word may be a misspelling of. They keep its first
// letter, because others seem to come from nowhere: books and looks. Function words are
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
	m := similar.NewMatcher(word, limit)
	_, size := utf8.DecodeRuneInString(word)
	begin, _ := slices.BinarySearch(s.Index.terms, word[:size])
	for i, term := range s.Index.terms[begin:] {
		if !strings.HasPrefix(term, word[:size]) {
			break
		}
		if letters := utf8.RuneCountInString(term); letters < n-limit || letters > n+limit {
			continue // most terms
		}
		switch distance := m.Distance(term); {
		case distance > limit || w.function && s.function[term]:
		case distance > 1:
			found = append(found, expansion{begin + i, w.typos})
		default:
			found = append(found, expansion{begin + i, w.typo})
		}
	}
	return found
}

// maxTypoLetters is the length of the longest word that is checked for typos.
const maxTypoLetters = 64
