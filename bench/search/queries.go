package main

import (
	"math/rand/v2"
	"slices"
	"strings"

	texts "github.com/datachain-go/datachain/bench/corpus"
)

// query is a list of words; an element matches if it has any of them.
type query struct {
	words []string
	text  string // the words as people type them
	// For the modes that only ours has: the typed text and the category.
	typed      bool
	categories []string
}

func queryOf(words ...string) query { return query{words: words, text: strings.Join(words, " ")} }

const queriesOfEach = 50

// bands splits the words of the corpus into frequent, middling and rare ones. Each
// band makes up a third of the text, so that a word of a query is as likely to be
// in a band as a word of the text. Rare words occur in at least two elements.
func (c *corpus) bands() [3][]string {
	total := 0
	for _, n := range c.occurrences {
		total += n
	}
	var bands [3][]string
	sum := 0
	for k, n := range c.occurrences {
		if c.elements[k] > 1 {
			band := sum * len(bands) / total
			bands[band] = append(bands[band], c.words[k])
		}
		sum += n
	}
	return bands
}

// queries returns queries of the given number of words. They cycle through all
// combinations of bands: with two words these are frequent-frequent,
// frequent-middling, frequent-rare, middling-middling and so on. Within a band all
// words are equally likely.
func (c *corpus) queries(terms int) []query {
	random := rand.New(rand.NewPCG(texts.Seed, uint64(terms)))
	bands := c.bands()
	ways := choices(len(bands), terms)
	queries := make([]query, 0, queriesOfEach)
	for i := range queriesOfEach {
		var words []string
		for _, band := range ways[i%len(ways)] {
			words = append(words, draw(random, bands[band], words))
		}
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		queries = append(queries, queryOf(words...))
	}
	return queries
}

// draw returns a random word of a band that is not taken yet.
func draw(random *rand.Rand, band, taken []string) string {
	for {
		if word := band[random.IntN(len(band))]; !slices.Contains(taken, word) {
			return word
		}
	}
}

// choices returns the combinations of count of n, with repetition.
func choices(n, count int) [][]int {
	if count == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range choices(n, count-1) {
		least := 0
		if len(shorter) > 0 {
			least = shorter[len(shorter)-1]
		}
		for next := least; next < n; next++ {
			all = append(all, append(slices.Clone(shorter), next))
		}
	}
	return all
}

// typed returns queries in the mode for typed text: prefixes and typos match too.
func typed(queries []query) []query {
	return changed(queries, func(q *query) { q.typed = true })
}

// unfinished returns queries whose last word is a prefix of three letters.
func unfinished(queries []query) []query {
	return changed(queries, func(q *query) {
		last := &q.words[len(q.words)-1]
		*last = (*last)[:min(3, len(*last))]
		q.typed = true
	})
}

// misspelt returns queries whose longest word has one wrong letter and is not in
// any element.
func misspelt(queries []query) []query {
	return changed(queries, func(q *query) {
		longest := 0
		for i, w := range q.words {
			if len(w) > len(q.words[longest]) {
				longest = i
			}
		}
		word := []byte(q.words[longest])
		word[len(word)/2] = 'z' // the vocabulary has none
		q.words[longest] = string(word)
	})
}

// within returns queries limited to one category.
func within(queries []query, category string) []query {
	return changed(queries, func(q *query) { q.categories = []string{category} })
}

// changed returns changed copies of queries.
func changed(queries []query, change func(*query)) []query {
	result := make([]query, len(queries))
	for i, q := range queries {
		q.words = slices.Clone(q.words)
		change(&q)
		q.text = strings.Join(q.words, " ")
		result[i] = q
	}
	return result
}
