package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestForms checks that a word finds its other forms, and not words with a shorter common
// beginning. The text has the word itself as well, so that typos are not tried.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		word, other string
		found       bool
	}{
		{"cameras", "camera", true},
		{"camera", "cameras", true},
		{"measurement", "measures", true},
		{"traduire", "traduction", true},
		{"inundación", "inundaciones", true},
		{"ÉLÉMENT", "elements", true}, // compared as all words are
		{"данные", "данных", true},
		{"book", "booking", false},    // four letters
		{"control", "contest", false}, // four in common
		{"абвгдд", "абвгее", false},   // and half of the bytes of a fifth
		{"informed", "informational", false},
		{"interest", "international", false}, // 5 of 13
		{"international", "interest", false},
		{"abcdefgh", "abcdeijklm", true},   // 5 of 10
		{"abcdefgh", "abcdeijklmn", false}, // 5 of 11
	} {
		t.Run(fmt.Sprintf("%s %s", c.word, c.other), func(t *testing.T) {
			x := build(t, release(t, "en", doc{title: c.word}, doc{title: c.other}))
			// Another word follows, so this one is complete.
			got := x.Search(search.Query{Text: c.word + " zz"})
			if !c.found {
				require.Equal(t, 1, got.Total)
				return
			}
			require.Equal(t, 2, got.Total)
			require.Equal(t, "e0", got.Hits[0].Element.ID, "the word itself is better")
			require.InDelta(t, got.Hits[0].Score*2/3, got.Hits[1].Score, 1e-4)
			require.Equal(t, []search.Place{{Field: search.Title, Start: 0, End: len(c.other)}},
				x.Places(got.Hits[1].Element, search.Query{Text: c.word + " zz"}))
			require.Equal(t, 1, x.Search(search.Query{Text: c.word, Whole: true}).Total)
		})
	}
}

// TestCommonWords checks that a frequent word counts less beside a rare one, and only there.
func TestCommonWords(t *testing.T) {
	docs := make([]doc, 39)
	for i := range docs {
		docs[i].description = "filler"
		if i < 4 {
			docs[i].description = "common"
		}
	}
	docs[38].description = "rare"
	for _, c := range []struct {
		name      string
		docs      []doc
		query     search.Query
		shrinking bool
	}{
		{"beside a rare word", docs, search.Query{Text: "common rare"}, true},
		{"beside none", docs, search.Query{Text: "common"}, false},
		{"beside one that is not found", docs, search.Query{Text: "common zz"}, false},
		{"beside another common one", docs, search.Query{Text: "common filler"}, false},
		{"plainly", docs, search.Query{Text: "common rare", Whole: true}, false},
		{"a tenth is not more than a tenth", append(docs[:38:38], doc{}, docs[38]), search.Query{Text: "common rare"}, false},
		{"three are few", docs[1:], search.Query{Text: "common rare"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, release(t, "en", c.docs...))
			score := func(q search.Query) float64 {
				for _, h := range x.Search(q).Hits {
					if h.Element.ID == "e1" {
						return h.Score
					}
				}
				return 0
			}
			alone := score(search.Query{Text: "common", Whole: true})
			require.NotZero(t, alone)
			if c.shrinking {
				alone /= 5
			}
			require.InDelta(t, alone, score(c.query), 1e-4)
		})
	}
}
