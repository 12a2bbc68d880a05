package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestDidYouMean checks that a result says what only corrections of typos found.
func TestDidYouMean(t *testing.T) {
	x := build(t, release(t, "fr",
		doc{title: "Looks"}, doc{title: "Données d’identité"},
		doc{title: "Wi-Fi camera", category: "b"}, doc{title: "Loops", description: "Loops", category: "b"}, doc{title: "Straße", category: "b"},
	))
	long := strings.Repeat("lokos ", 4000)[:search.MaxText]
	for _, c := range []struct{ query, want string }{
		{"lokos", "looks"},
		{"looks", ""},
		{"loo", ""},           // unfinished
		{"bokks", ""},         // nothing is near
		{"Donées", "données"}, // as the texts write it
		{"starsse", "straße"},
		{"wiffi", "wi-fi"},
		{" camera, LOKOS; lokos!", " camera, looks; looks!"}, // the rest as it was typed
		{"wi-fffi lokos", "wi-fffi looks"},
		{"camera\xff lokos", "camera  looks"},
		{"loois", "loops"}, // and looks is as near, but found once
		{long, strings.ReplaceAll(long, "lokos", "looks")},
	} {
		r := must(x.Search(search.Query{Text: c.query}))
		require.Equal(t, c.want, r.DidYouMean, c.query)
		require.Equal(t, c.want, x.Matches(c.query).DidYouMean)
		require.Equal(t, c.want, must(x.Search(search.Query{Text: c.query, Offset: 100})).DidYouMean, "on every page")
	}
	inA := must(x.Search(search.Query{Text: "loois", Categories: []string{"a"}}))
	require.Equal(t, []string{"e0"}, ids(inA))
	require.Equal(t, "looks", inA.DidYouMean, "what the category has")
	require.Empty(t, must(x.Search(search.Query{Text: "donées", Categories: []string{"b"}})).DidYouMean)
}
