package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// oracleUnit is a phrase of a query with synonyms: its words, and the contribution of the
// best synonym to the score of elements.
type oracleUnit struct {
	words []string
	best  map[int]int
}

// units finds the phrases of a query that have synonyms, the longest at each position.
func (o *oracle) units(q oracleQuery) []oracleUnit {
	var units []oracleUnit
	if q.whole {
		return nil
	}
	for i := 0; i < len(q.order); {
		length := 0
		var said [][]string
		for _, group := range o.groups {
			for _, phrase := range group {
				switch {
				case len(phrase) < max(1, length) || !o.says(q.order[i:], phrase):
				case len(phrase) > length:
					length, said = len(phrase), [][]string{phrase}
				default:
					said = append(said, phrase)
				}
			}
		}
		if length == 0 {
			i++
			continue
		}
		words := q.order[i : i+length]
		i += length
		if slices.ContainsFunc(units, func(u oracleUnit) bool { return slices.Equal(u.words, words) }) {
			continue
		}
		units = append(units, oracleUnit{words, o.synonyms(said)})
	}
	return units
}

// says reports whether words begin with a phrase. Other forms count if no phrase has the
// word itself.
func (o *oracle) says(words, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, word := range phrase {
		if words[i] != word && (o.alike(words[i], word) == 0 || o.hasMember(words[i])) {
			return false
		}
	}
	return true
}

// hasMember reports whether a phrase of a group has a word.
func (o *oracle) hasMember(word string) bool {
	return slices.ContainsFunc(o.groups, func(group [][]string) bool {
		return slices.ContainsFunc(group, func(phrase []string) bool { return slices.Contains(phrase, word) })
	})
}

// alike returns the weight of a term for a word that is typed in full.
func (o *oracle) alike(word, term string) float64 {
	switch {
	case word == term:
		return 1
	case o.isNumber(word, term):
		return 2.0 / 3
	case isForm(word, term):
		return formWeight(word, term)
	}
	return 0
}

// synonyms returns the contribution of the best synonym of phrases that mean the same.
func (o *oracle) synonyms(said [][]string) map[int]int {
	best := map[int]int{}
	same := func(a []string) func([]string) bool {
		return func(b []string) bool { return slices.Equal(a, b) }
	}
	for _, group := range o.groups {
		if !slices.ContainsFunc(group, func(p []string) bool { return slices.ContainsFunc(said, same(p)) }) {
			continue
		}
		for _, phrase := range group {
			if slices.ContainsFunc(said, same(phrase)) {
				continue
			}
			for d, impact := range o.phrase(phrase) {
				best[d] = max(best[d], impact)
			}
		}
	}
	return best
}

// phrase returns the elements that have all words of a phrase, function words aside, with
// the sum of what they contribute.
func (o *oracle) phrase(words []string) map[int]int {
	needed := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return o.function[w] })
	if len(needed) == 0 {
		needed = words
	}
	var sums map[int]int
	for i, word := range needed {
		if slices.Contains(needed[:i], word) {
			continue
		}
		best := map[int]int{}
		for term := range o.vocabulary() {
			if weight := o.alike(word, term); weight > 0 {
				for d, impact := range o.impacts(term, weight) {
					best[d] = max(best[d], (impact+1)/2)
				}
			}
		}
		if sums == nil {
			sums = best
			continue
		}
		for d := range sums {
			if best[d] == 0 {
				delete(sums, d)
			} else {
				sums[d] += best[d]
			}
		}
	}
	return sums
}

// explained reports whether a word belongs to a phrase with synonyms that are found.
func explained(units []oracleUnit, word string) bool {
	return slices.ContainsFunc(units, func(u oracleUnit) bool { return len(u.best) > 0 && slices.Contains(u.words, word) })
}

// addSynonyms adds the synonyms of phrases to the words of a query. Those of a frequent word
// are frequent.
func (o *oracle) addSynonyms(words []oracleWord, units []oracleUnit) []oracleWord {
	n := len(words)
	for _, u := range units {
		if len(u.best) == 0 {
			continue
		}
		common := o.isCommon(len(u.best)) || slices.ContainsFunc(words[:n], func(w oracleWord) bool {
			return w.common && !w.function && slices.Contains(u.words, w.word)
		})
		words = append(words, oracleWord{phrase: u.words, best: u.best, common: common})
	}
	return words
}

// raise reduces the contribution of synonyms by that of the words of their phrases.
func raise(words []oracleWord, units []oracleUnit) {
	for _, u := range units {
		for d := range u.best {
			for _, w := range words {
				if w.word != "" && slices.Contains(u.words, w.word) {
					u.best[d] -= w.best[d]
				}
			}
			u.best[d] = max(0, u.best[d])
		}
	}
}

// TestOracleSynonyms compares results with those of the oracle, with random groups of
// phrases and queries that have many of them.
func TestOracleSynonyms(t *testing.T) {
	for i, elements := range []int{1, 10, 65, 150, 520} {
		t.Run(fmt.Sprint(elements), func(t *testing.T) {
			t.Parallel()
			c := newCorpus(uint64(100+i), elements)
			var groups [][]string
			var phrases []string
			for range 12 {
				var group []string
				var terms [][]string
				for range 1 + c.rng.IntN(4) {
					text, words := c.phrase()
					group, terms = append(group, text), append(terms, words)
				}
				groups, phrases, c.groups = append(groups, group), append(phrases, group...), append(c.groups, terms)
			}
			ask := func() (search.Query, oracleQuery) {
				q, o := c.query()
				for range c.rng.IntN(3) {
					text := phrases[c.rng.IntN(len(phrases))]
					q.Text += " " + text
					o.terms, o.order = append(o.terms, strings.Fields(text)...), append(o.order, strings.Fields(text)...)
				}
				return q, o
			}
			queries := 40
			if elements > 100 { // the oracle takes long
				queries = 6
			}
			nonempty := c.compare(t, releaseWith(t, "en", groups, c.docs...), queries, ask)
			require.True(t, nonempty > queries/4 || elements < 10, "most queries should find something")
		})
	}
}

// phrase returns one to three words of the corpus, or words that it lacks.
func (c *corpus) phrase() (text string, terms []string) {
	for range 1 + c.rng.IntN(3) {
		term := c.word().term
		switch c.rng.IntN(8) {
		case 0:
			term = "unheard"
		case 1:
			term = "cameras"
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " "), terms
}
