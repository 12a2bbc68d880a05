package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestLongTypos has the limit of words that are checked for typos.
func TestLongTypos(t *testing.T) {
	long := strings.Repeat("ab", 32) // 64 letters
	x := build(t, release(t, "en", doc{title: long[:63]}, doc{title: long + "a"}, doc{title: long + "ab"}, doc{title: long + "aba"}))
	require.Equal(t, []string{"e0", "e1", "e2"}, ids(must(x.Search(search.Query{Text: long, WholeWords: true}))))
	x = build(t, release(t, "en", doc{title: long + "ab"}))
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
		{"ammera", []string{}}, // another first letter
		{"xamera", []string{}},
		{"éurveillance", []string{}},
		{"camc", []string{"e4"}},       // a beginning, so nothing is misspelt
		{"camc video", []string{"e4"}}, // no last word, and too far from camera
	} {
		t.Run(c.query, func(t *testing.T) {
			require.Equal(t, c.want, ids(must(x.Search(search.Query{Text: c.query}))))
		})
	}
}
