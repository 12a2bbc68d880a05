package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/search"
)

// spelled is a word as written in texts, and its term.
type spelled struct{ text, term string }

// corpus is random elements, written for the index and as terms for the oracle.
type corpus struct {
	rng   *rand.Rand
	words []spelled
	docs  []doc
	oracle
}

// newCorpus generates elements from a few hundred words, some in nearly every text and most
// in few.
func newCorpus(seed uint64, elements int) *corpus {
	c := &corpus{rng: rand.New(rand.NewPCG(seed, 1))}
	c.words = []spelled{
		{"Caméra", "camera"},
		{"CAMERA", "camera"},
		{"cameras", "cameras"},
		{"came\u0301ras", "cameras"},
		{"œuvre", "oeuvre"},
		{"Straße", "strasse"},
		{"ΣΟΦΟΣ", "σοφοσ"},
		{"данные", "данные"},
		{"ДАННЫХ", "данных"},
		{"ｄａｔａ", "data"},
		{"there", "there"},
		{"WHO", "who"},
		{"would", "would"},
		{"目的", "目的"},
		{"的确", "的确"},
		{"的", "的"},
	}
	letters := []rune("aabcdeéio")
	for range 150 + elements/8 {
		word := make([]rune, 1+c.rng.IntN(10))
		for i := range word {
			word[i] = letters[c.rng.IntN(len(letters))]
		}
		term := strings.ReplaceAll(string(word), "é", "e")
		c.words = append(c.words, spelled{string(word), term}, spelled{strings.ToUpper(string(word)), term})
	}
	c.function = search.FunctionTerms("en")
	categories := 1 + c.rng.IntN(7)
	for i := range elements {
		var d doc
		var o oracleDoc
		d.category = fmt.Sprintf("c%d", i*categories/elements)
		o.category = d.category
		d.title, o.title = c.text(5)
		d.description, o.description = c.text(30)
		if c.rng.IntN(3) == 0 {
			d.keywords, o.keywords = c.text(6)
		}
		c.docs, c.oracle.docs = append(c.docs, d), append(c.oracle.docs, o)
	}
	return c
}

// word picks a word, the first ones far more often.
func (c *corpus) word() spelled {
	r := c.rng.Float64()
	return c.words[int(r*r*r*float64(len(c.words)))]
}

// text generates a text of up to so many words, and its terms.
func (c *corpus) text(most int) (text string, terms []string) {
	var b strings.Builder
	var compound []string
	for range c.rng.IntN(most + 1) {
		w := c.word()
		b.WriteString(w.text)
		compound = append(compound, w.term)
		gap := []string{" ", " ", " ", ", ", " – ", ". ", " {{camera}} ", "-", "\u2011", "\n", "- ", "--"}[c.rng.IntN(12)]
		b.WriteString(gap)
		if gap != "-" && gap != "\u2011" {
			terms, compound = append(terms, joinedTerms(compound)...), nil
		}
	}
	return b.String(), append(terms, joinedTerms(compound)...)
}

// joinedTerms returns the terms of words joined by hyphens: all together, and each. Words
// of scripts without spaces are not joined.
func joinedTerms(words []string) []string {
	if i := slices.IndexFunc(words, unspaced); i >= 0 {
		return slices.Concat(joinedTerms(words[:i]), words[i:i+1], joinedTerms(words[i+1:]))
	}
	if len(words) < 2 {
		return words
	}
	return append([]string{strings.Join(words, "")}, words...)
}

// unspaced reports whether a word of the corpus is Chinese.
func unspaced(word string) bool { return strings.ContainsAny(word, "目的确") }

// query generates a query, and the same for the oracle.
func (c *corpus) query() (search.Query, oracleQuery) {
	var q search.Query
	var o oracleQuery
	var compound []string
	for range c.rng.IntN(5) {
		w := c.word()
		switch c.rng.IntN(5) {
		case 0:
			w = c.cut(w)
		case 1:
			w = c.mistyped(w)
		case 2:
			w = c.mistyped(c.mistyped(w))
		}
		if w.term != "" {
			gap := []string{" ", " ", "\u2010"}[c.rng.IntN(3)]
			q.Text += w.text + gap
			compound = append(compound, w.term)
			o.order = append(o.order, w.term)
			if gap == " " {
				o.terms, compound = append(o.terms, joinedTerms(compound)...), nil
			}
		}
	}
	o.terms = append(o.terms, joinedTerms(compound)...)
	for c.rng.IntN(3) == 0 {
		q.Categories = append(q.Categories, c.docs[c.rng.IntN(8)*len(c.docs)/8].category)
	}
	q.WholeWords = c.rng.IntN(4) == 0
	q.Limit = []int{0, 1, 2, 7, 50, 5000}[c.rng.IntN(6)]
	q.Offset = []int{-1, 0, 0, 0, 1, 3, 49, 600, 1 << 40}[c.rng.IntN(9)]
	o.categories, o.whole = q.Categories, q.WholeWords
	return q, o
}

// cut returns the beginning of a word.
func (c *corpus) cut(w spelled) spelled {
	letters := []rune(w.term)
	part := string(letters[:1+c.rng.IntN(len(letters))])
	return spelled{part, part}
}

// mistyped adds, omits, replaces or swaps letters of a word.
func (c *corpus) mistyped(w spelled) spelled {
	letters := []rune(w.term)
	if len(letters) == 0 || unspaced(w.term) {
		return w
	}
	i := c.rng.IntN(len(letters))
	switch c.rng.IntN(4) {
	case 0:
		letters = append(letters[:i], letters[i+1:]...)
	case 1:
		letters[i] = 'o'
	case 2:
		letters = append(letters[:i+1], letters[i:]...)
	default:
		j := c.rng.IntN(len(letters))
		letters[i], letters[j] = letters[j], letters[i]
	}
	return spelled{string(letters), string(letters)}
}
