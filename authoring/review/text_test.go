package review

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
