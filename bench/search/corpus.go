package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Seeds, so that the corpus is the same in every run.
const (
	seed       = 20260901
	locale     = "en"
	categories = 8

	minTitle, maxTitle             = 2, 7
	minDescription, maxDescription = 15, 40
)

// corpus is a release and its words.
type corpus struct {
	release *taxonomy.Release
	words   []string // those that occur, the most frequent first
	// elements is the number of elements with a word, by its index in words,
	// and occurrences the number of times it occurs.
	elements, occurrences []int
}

// newCorpus makes a release of n elements. Words follow Zipf's law: a word of rank
// k has a frequency of 1/(k+2.7). By Heaps' law, the vocabulary grows with the
// square root of the text.
func newCorpus(n int) (*corpus, error) {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	running := n * (minTitle + maxTitle + minDescription + maxDescription) / 2
	w := writer{random: random, words: vocabulary(random, 30*int(math.Sqrt(float64(running))))}
	sum := 0.0
	for k := range w.words {
		sum += 1 / (float64(k) + 2.7)
		w.cumulated = append(w.cumulated, sum)
	}
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
	counts := newCounts(len(w.words))
	for i := range n {
		counts.next()
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%06d", i), CategoryID: c.Categories[i*categories/n].ID, SymbolID: "dot",
			IconVariants: []string{"default", "dark"},
			Title:        en(w.text(minTitle, maxTitle, counts)),
			Description:  en(w.text(minDescription, maxDescription, counts) + "."),
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("bench@2026-09-01-stable"), c)
	if err != nil {
		return nil, err
	}
	return counts.corpus(r, w.words), nil
}

func en(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: locale, Value: text}} }

// writer writes texts.
type writer struct {
	random    *rand.Rand
	words     []string
	cumulated []float64 // frequencies
}

// text returns a text of random words, capitalised, and counts them.
func (w *writer) text(least, most int, c *counts) string {
	var b strings.Builder
	for i := range least + w.random.IntN(most-least+1) {
		at := w.random.Float64() * w.cumulated[len(w.cumulated)-1]
		k := sort.SearchFloat64s(w.cumulated, at)
		c.add(k)
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.words[k])
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:]
}

// counts counts words while elements are written.
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
