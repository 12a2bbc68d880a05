package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestMatches checks which words of a query each text has.
func TestMatches(t *testing.T) {
	x := search.BuildTexts([]search.Item{
		{Title: "Street cameras", Body: []string{"They count people"}},
		{Title: "Wi-Fi counter"},
		{Title: "Wifi camera", Keywords: []string{"switch off"}},
		{Title: "東京駅"},
	}, "en", [][]string{{"turn off", "switch off"}, {"road", "street"}})
	for query, want := range map[string]map[int]bool{ // whether each text that is found has all words
		"camera":            {0: true, 2: true},
		"street camera":     {0: true, 2: false},
		"wi-fi":             {1: true, 2: true}, // a compound has its parts
		"wifi camera":       {0: false, 1: false, 2: true},
		"the camera of who": {0: true, 2: true}, // function words are not wanted beside others
		"they":              {0: true},
		"the they":          {0: false},
		"turn off":          {2: true}, // a synonym has all words of the phrase
		"road camera":       {0: true, 2: false},
		"stret camera":      {0: true, 2: false}, // a typo
		"camera xyzzy":      {0: false, 2: false},
		"xyzzy":             {},
		"東京":                {3: true},
		"":                  {},
	} {
		m := x.Matches(query)
		found := make(map[int]bool)
		for _, text := range m.Texts {
			found[text.Position] = text.Words&m.Words == m.Words
		}
		require.Equal(t, want, found, query)
		require.Equal(t, query != "", m.Words != 0, query)
		r, err := x.Search(search.Query{Text: query})
		require.NoError(t, err)
		scores := make(map[int]float64)
		for _, text := range m.Texts {
			scores[text.Position] = text.Score
		}
		require.Len(t, r.Hits, len(scores))
		for _, h := range r.Hits {
			require.InDelta(t, h.Score, scores[h.Position], 0, query)
		}
	}
}
