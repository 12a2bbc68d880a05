// Package corpus writes texts whose words are as frequent as those of a natural language,
// for taxonomies of any size.
package corpus

import (
	"math"
	"math/rand/v2"
	"sort"
	"strings"
)

// Lengths of the texts of an element, in words.
const (
	minTitle, maxTitle             = 2, 7
	minDescription, maxDescription = 15, 40
)

// Seed makes the texts of a size the same in every run.
const Seed = 20260901

// Writer writes texts.
type Writer struct {
	// Words are the vocabulary, the most frequent first. Words follow Zipf's
	// law: the one of rank k has a frequency of 1/(k+2.7).
	Words []string

	random    *rand.Rand
	cumulated []float64 // frequencies
}

// NewWriter returns a writer for a taxonomy with a number of elements. By Heaps' law, the
// vocabulary grows with the square root of the text.
func NewWriter(elements int) *Writer {
	w := &Writer{random: rand.New(rand.NewPCG(Seed, uint64(elements)))}
	running := elements * (minTitle + maxTitle + minDescription + maxDescription) / 2
	w.Words = vocabulary(w.random, 30*int(math.Sqrt(float64(running))))
	sum := 0.0
	for k := range w.Words {
		sum += 1 / (float64(k) + 2.7)
		w.cumulated = append(w.cumulated, sum)
	}
	return w
}

// Title returns the title of an element; used, if it is not nil, is called with the index
// of each word in it.
func (w *Writer) Title(used func(word int)) string { return w.text(minTitle, maxTitle, used) }

// Description returns the description of an element, as [Writer.Title] does.
func (w *Writer) Description(used func(word int)) string {
	return w.text(minDescription, maxDescription, used) + "."
}

// text returns random words, of which the first is capitalised.
func (w *Writer) text(least, most int, used func(int)) string {
	var b strings.Builder
	for i := range least + w.random.IntN(most-least+1) {
		at := w.random.Float64() * w.cumulated[len(w.cumulated)-1]
		k := sort.SearchFloat64s(w.cumulated, at)
		if used != nil {
			used(k)
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Words[k])
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:]
}
