package search

import (
	"cmp"
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
func (s *searcher) corrections(word string) (found []expansion) {
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

// correction is a misspelt word of a query with the terms that it may mean.
type correction struct {
	word  string
	terms []expansion
}

// didYouMean returns the text of a query with misspelt words replaced, each by the term that
// contributes most to an element of the wanted categories.
func (s *searcher) didYouMean(q Query) string {
	replacements := make(map[string]string) // by misspelt words
	for _, c := range s.corrected {
		highest := uint32(0)
		for _, e := range c.terms {
			for _, p := range s.postings[e.term] {
				if contribution := p.contribution(e.weight); contribution > highest && s.inCategories(p, q.Categories) {
					highest, replacements[c.word] = contribution, s.Index.terms[e.term]
				}
			}
		}
	}
	if len(replacements) == 0 {
		return ""
	}
	var b strings.Builder
	text, end := usedText(q.Text), 0
	s.tokens.cut(text, 0, func(term []byte, from, to int) {
		if correct, ok := replacements[string(term)]; ok && from >= end { // not in a compound that was replaced
			b.WriteString(text[end:from])
			b.WriteString(cmp.Or(s.written[correct], correct))
			end = to
		}
	})
	return b.String() + text[end:]
}

// inCategories reports whether an element is in one of the categories, or there are none.
func (s *searcher) inCategories(p posting, categories []string) bool {
	return len(categories) == 0 || slices.ContainsFunc(categories, func(id string) bool {
		begin, end := s.release.CategoryRange(id)
		return begin <= int(p.element) && int(p.element) < end
	})
}
