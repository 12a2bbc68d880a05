package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// query is some words, any of which an element may have.
type query struct {
	words []string
	text  string // the words as people type them
	// What our own modes are measured with: as people type it, and where to look.
	typed      bool
	categories []string
}

func queryOf(words ...string) query { return query{words: words, text: strings.Join(words, " ")} }

const queriesOfEach = 50

// bands cuts the words of the corpus into frequent, middling and rare ones. Each
// band holds a third of the running text, so a word of a query is as likely to be
// of one as a word that is taken from a page. Rare words are in two elements at
// least.
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

// queries returns queries of so many words. They go through the ways of choosing
// a band for each word in turn, order left aside: with two words these are
// frequent-frequent, frequent-middling, frequent-rare, middling-middling and so
// on. Within a band words are drawn evenly.
func (c *corpus) queries(terms int) []query {
	random := rand.New(rand.NewPCG(seed, uint64(terms)))
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

// draw returns a word of a band that is not among those taken.
func draw(random *rand.Rand, band, taken []string) string {
	for {
		if word := band[random.IntN(len(band))]; !slices.Contains(taken, word) {
			return word
		}
	}
}

// choices returns the ways of choosing so many of n, with repetition and without
// order.
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

// typed returns queries as people type them, not for whole words alone.
func typed(queries []query) []query {
	return changed(queries, func(q *query) { q.typed = true })
}

// unfinished returns queries whose last word is cut to three letters, and may go
// on.
func unfinished(queries []query) []query {
	return changed(queries, func(q *query) {
		last := &q.words[len(q.words)-1]
		*last = (*last)[:min(3, len(*last))]
		q.typed = true
	})
}

// misspelt returns queries whose longest word has one letter wrong, so that it is
// in no element.
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

// within returns queries that look in one category.
func within(queries []query, category string) []query {
	return changed(queries, func(q *query) { q.categories = []string{category} })
}

// changed returns copies of queries with a change.
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
