package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestBuildTexts checks that texts match and rank as elements with the same texts do.
func TestBuildTexts(t *testing.T) {
	docs := []doc{
		{title: "Traffic camera", description: "Counts cars at crossings, and keeps no pictures"},
		{title: "Parking permits", description: "Sorts requests for permits of residents"},
		{title: "Library chat", description: "Answers questions about opening hours"},
		{title: "Noise sensors", description: "Measure how loud cars and bars are at night", keywords: "microphone, decibel"},
	}
	var texts []search.Item
	for _, d := range docs {
		texts = append(texts, search.Item{Title: d.title, Body: strings.SplitAfter(d.description, ","), Keywords: []string{d.keywords}})
	}
	groups := [][]string{{"film", "pictures"}, {"volume", "decibel"}}
	elements := build(t, releaseWith(t, "en", groups, docs...))
	index := search.BuildTexts(texts, "en", groups)
	require.Nil(t, index.Release())
	for _, q := range []search.Query{
		{Text: "cars"},
		{Text: "car picture"},
		{Text: "permit of resident"},
		{Text: "nois"},
		{Text: "libary"},
		{Text: "microphones"},
		{Text: "the volume of film"},
		{Text: "the at"},
		{Text: "cars", Offset: 1, Limit: 1},
		{Text: "cars", Offset: -1, Limit: -1},
		{Text: "zebra"},
		{Text: ""},
	} {
		want := must(elements.Search(search.Query{Text: q.Text, Offset: q.Offset, Limit: q.Limit}))
		for i := range want.Hits {
			require.Equal(t, want.Hits[i].Element, elements.Release().Elements()[want.Hits[i].Position])
			want.Hits[i].Element = nil
		}
		require.Equal(t, want, must(index.Search(q)), q.Text)
	}
	require.Empty(t, index.Places(elements.Release().Elements()[0], search.Query{Text: "cars"}))
	none := search.BuildTexts(nil, "en", nil)
	require.Empty(t, must(none.Search(search.Query{Text: "cars"})))
	require.Empty(t, none.Matches("cars"))
	_, err := index.Search(search.Query{Text: "cars", Categories: []string{"a"}})
	require.ErrorContains(t, err, "an index of texts has no categories")
}
