package corpus

import (
	"math/rand/v2"
	"strings"
)

// Parts of syllables. Words made of them are pronounceable, not English, and as
// long as English ones.
var (
	onsets = []string{
		"", "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w",
		"bl", "br", "ch", "cl", "cr", "dr", "fl", "gr", "pl", "pr", "sh", "st", "th", "tr",
	}
	vowels = []string{"a", "e", "i", "o", "u", "ai", "ea", "ou"}
	codas  = []string{"", "", "", "d", "l", "m", "n", "r", "s", "t", "ck", "nd", "ng", "nt", "st"}
)

// vocabulary returns distinct words, the most frequent first. As in a natural
// language, frequent words are short: the number of syllables grows with the rank.
func vocabulary(random *rand.Rand, size int) []string {
	words := make([]string, 0, size)
	taken := make(map[string]bool, size)
	var b strings.Builder
	for len(words) < size {
		syllables := 2 + random.IntN(3)
		if len(words) < 150 {
			syllables = 1 + random.IntN(2)
		}
		b.Reset()
		for range syllables {
			for _, parts := range [][]string{onsets, vowels, codas} {
				b.WriteString(parts[random.IntN(len(parts))])
			}
		}
		if word := b.String(); len(word) > 1 && !taken[word] {
			taken[word] = true
			words = append(words, word)
		}
	}
	return words
}
