package review

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSyllables counts the syllables of words that are easy to get wrong.
func TestSyllables(t *testing.T) {
	for _, c := range []struct {
		count func(string) int
		words map[string]int
	}{
		{englishSyllables, map[string]int{
			"camera": 3, "the": 1, "use": 1, "table": 2, "places": 2, "watches": 2, "collected": 3, "used": 1, "information": 4,
			"special": 2, "radio": 3, "people": 2, "identification": 6, "I": 1, "xyz": 1, "made": 1, "agree": 2, "quality": 3,
		}},
		{frenchSyllables, map[string]int{"caméra": 3, "donnée": 2, "données": 2, "place": 1, "places": 1, "autorité": 4, "le": 1, "vidéo": 3, "eau": 1}},
		{spanishSyllables, map[string]int{"cámara": 3, "datos": 2, "guía": 2, "quien": 1, "aéreo": 4, "día": 2, "información": 4, "ciudad": 2}},
		{germanSyllables, map[string]int{"Kamera": 3, "Straße": 2, "Gebäude": 3, "heute": 2, "Verwaltung": 3}},
	} {
		for word, want := range c.words {
			require.Equal(t, want, c.count(word), word)
		}
	}
}

// TestSplit splits texts into sentences and words.
func TestSplit(t *testing.T) {
	for text, want := range map[string][][]string{
		"One. Two three!":             {{"One"}, {"Two", "three"}},
		"At 3.5 km, e.g. here. Done?": {{"At", "3.5", "km", "e.g", "here"}, {"Done"}},
		"L’image d’un lieu…":          {{"L’image", "d’un", "lieu"}},
		"Well-kept; a line\nanother":  {{"Well-kept"}, {"a", "line"}, {"another"}},
		"“Who?” she asked. (Yes.) No": {{"Who"}, {"she", "asked"}, {"Yes"}, {"No"}},
		"... ? !":                     nil,
		"":                            nil,
	} {
		s := &parsed{value: text}
		s.split()
		require.Equal(t, want, s.sentences, text)
	}
}

// parsed is text, whose name a variable takes.
type parsed = text
