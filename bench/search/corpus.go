package main

import (
	"fmt"
	"slices"

	texts "github.com/datachain-go/datachain/bench/corpus"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	locale     = "en"
	categories = 8
)

// corpus is a release and its words.
type corpus struct {
	release *taxonomy.Release
	words   []string // those that occur, the most frequent first
	// elements is the number of elements with a word, by its index in words,
	// and occurrences the number of times it occurs.
	elements, occurrences []int
}

// newCorpus makes a release of n elements.
func newCorpus(n int) (*corpus, error) {
	w := texts.NewWriter(n)
	c := taxonomy.Content{
		Title: en("Benchmark"), Description: en("A corpus"), Locales: []string{locale},
		Type:    taxonomy.Type{ID: "bench", Name: en("Benchmark")},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M0 0h36"/></svg>`},
	}
	for i := range categories {
		id := fmt.Sprintf("category%d", i)
		c.Type.Categories = append(c.Type.Categories, id)
		c.Categories = append(c.Categories, taxonomy.Category{ID: id, Name: en(id), Description: en(id), Shape: taxonomy.Circle})
	}
	counts := newCounts(len(w.Words))
	for i := range n {
		counts.next()
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%06d", i), CategoryID: c.Categories[i*categories/n].ID, SymbolID: "dot",
			IconVariants: []string{"default", "dark"},
			Title:        en(w.Title(counts.add)),
			Description:  en(w.Description(counts.add)),
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("bench@2026-09-01-stable"), c)
	if err != nil {
		return nil, err
	}
	return counts.corpus(r, w.Words), nil
}

func en(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: locale, Value: text}} }

// counts has the numbers of words, while elements are written.
type counts struct {
	element               int
	last                  []int // the element that had a word last
	elements, occurrences []int
}

func newCounts(words int) *counts {
	return &counts{last: make([]int, words), elements: make([]int, words), occurrences: make([]int, words)}
}

func (c *counts) next() { c.element++ }

func (c *counts) add(word int) {
	c.occurrences[word]++
	if c.last[word] != c.element {
		c.last[word] = c.element
		c.elements[word]++
	}
}

// corpus returns a corpus with the words that occur.
func (c *counts) corpus(r *taxonomy.Release, words []string) *corpus {
	order := make([]int, 0, len(words))
	for k, n := range c.occurrences {
		if n > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return c.occurrences[b] - c.occurrences[a] })
	result := &corpus{release: r}
	for _, k := range order {
		result.words = append(result.words, words[k])
		result.elements = append(result.elements, c.elements[k])
		result.occurrences = append(result.occurrences, c.occurrences[k])
	}
	return result
}
