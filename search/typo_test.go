package search_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestNear compares with the distance to each term by definition.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, letters := range []string{"ab", "abc", "abcdefgh", "aáα日𠮷", "éèêë"} {
		word := func(most int) string {
			w := make([]rune, 1+rng.IntN(most))
			for i := range w {
				w[i] = []rune(letters)[rng.IntN(len([]rune(letters)))]
			}
			return string(w)
		}
		for range 60 {
			var terms []string
			for range 1 + rng.IntN(120) {
				terms = append(terms, word(11))
			}
			slices.Sort(terms)
			terms = slices.Compact(terms)
			var words []string
			var limits []int
			for range 8 {
				words, limits = append(words, word(12)), append(limits, 1+rng.IntN(2))
			}
			for i := range words {
				got := search.Near(terms, words[i], limits[i])
				want := map[string]int{}
				for _, term := range terms {
					if d := distance([]rune(words[i]), []rune(term)); d > 0 && d <= limits[i] {
						want[term] = d
					}
				}
				require.Equal(t, want, got, "%q within %d of %q", words[i], limits[i], terms)
			}
		}
	}
}

// TestNearLongWords has the limit of words that are checked for typos.
func TestNearLongWords(t *testing.T) {
	long := strings.Repeat("ab", 32) // 64 letters
	terms := []string{long[1:], long, long + "a", long + "ab", long + "aba"}
	slices.Sort(terms)
	require.Equal(t, map[string]int{long[1:]: 1, long + "a": 1, long + "ab": 2}, search.Near(terms, long, 2))
	x := build(t, release(t, "en", doc{title: long + "ab"}))
	require.Equal(t, 1, must(x.Search(search.Query{Text: long, WholeWords: true})).Total)
	require.Zero(t, must(x.Search(search.Query{Text: long + "a", WholeWords: true})).Total, "a word of 65 letters")
}

// TestTypos checks which misspellings are tolerated.
func TestTypos(t *testing.T) {
	x := build(t, release(t, "en",
		doc{title: "camera"}, doc{title: "surveillance"}, doc{title: "cat"}, doc{title: "données"}, doc{title: "video camcorder"},
	))
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"camera", []string{"e0"}},
		{"cemera", []string{"e0"}},
		{"cmaera", []string{"e0"}},
		{"camerra", []string{"e0"}},
		{"camra", []string{"e0"}},
		{"cemara", []string{}}, // two, in a word of six letters
		{"surveilence", []string{"e1"}},
		{"survellence", []string{"e1"}},
		{"servellence", []string{}}, // three
		{"cta", []string{}},         // too short
		{"donees", []string{"e3"}},
		{"DONÉES", []string{"e3"}},
		{"camc", []string{"e4"}},       // a beginning, so nothing is misspelt
		{"camc video", []string{"e4"}}, // no last word, and too far from camera
	} {
		t.Run(c.query, func(t *testing.T) {
			require.Equal(t, c.want, ids(must(x.Search(search.Query{Text: c.query}))))
		})
	}
}
