package review

import "unicode"

// measure is what reading formulas need to know about a text.
type measure struct {
	words, sentences, syllables, letters float64
}

// minReadingWords is the length from which a reading formula says something about a text:
// in a shorter one, a single long word decides.
const minReadingWords = 20

// measure counts words, sentences, syllables and letters, and reports whether there is
// enough of them.
func (t *text) measure(syllables func(word string) int) (measure, bool) {
	m := measure{words: float64(t.words()), sentences: float64(len(t.sentences))}
	for _, s := range t.sentences {
		for _, word := range s {
			m.syllables += float64(syllables(word))
			for _, r := range word {
				if unicode.IsLetter(r) {
					m.letters++
				}
			}
		}
	}
	return m, t.field == fieldDescription && m.words >= minReadingWords
}
