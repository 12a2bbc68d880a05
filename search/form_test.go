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
	const (
		none = 0
		near = 1.0 / 3 // 2/3 of the word itself, and in a title half of that
		far  = near / 2
	)
	for _, c := range []struct {
		word, other string
		share       float64
	}{
		{"cameras", "camera", near},
		{"camera", "cameras", near},
		{"measurement", "measures", far}, // 7 of 11
		{"measured", "measures", near},
		{"traduire", "traduction", far},
		{"inundación", "inundaciones", near},
		{"ÉLÉMENT", "elements", near}, // compared as all words are
		{"данные", "данных", near},
		{"book", "booking", none},           // four letters
		{"control", "contest", none},        // four in common
		{"абвгдд", "абвгее", none},          // and half of the bytes of a fifth
		{"informed", "informational", far},  // 6 of 13
		{"interest", "international", none}, // 5 of 13
		{"international", "interest", none},
		{"abcdefgh", "abcdeijklm", far},    // 5 of 10
		{"abcdefgh", "abcdeijklmn", far},   // 5 of 11: half is rounded down
		{"abcdefgh", "abcdeijklmno", none}, // 5 of 12
		{"abcdefgh", "abcdefghijkl", near}, // 8 of 12
		{"абвгдежз", "абвгдежзийкл", near},
		{"абвгдежз", "абвгдежзийклм", far},
		{"explain", "explanation", far},
		{"explanation", "explain", far},
		{"personalised", "person", far},
	} {
		t.Run(fmt.Sprintf("%s %s", c.word, c.other), func(t *testing.T) {
			x := build(t, release(t, "en", doc{title: c.word}, doc{title: c.other}))
			// Another word follows, so this one is complete.
			got := must(x.Search(search.Query{Text: c.word + " zz"}))
			if c.share == none {
				require.Equal(t, 1, got.Total)
				return
			}
			require.Equal(t, 2, got.Total)
			require.Equal(t, "e0", got.Hits[0].Element.ID, "the word itself is better")
			require.InDelta(t, got.Hits[0].Score*c.share, got.Hits[1].Score, 1e-4)
			require.Equal(t, []search.Place{{Field: search.Title, Start: 0, End: len(c.other)}},
				x.Places(got.Hits[1].Element, search.Query{Text: c.word + " zz"}))
			require.Equal(t, 1, must(x.Search(search.Query{Text: c.word, WholeWords: true})).Total)
		})
	}
}

// TestTitles checks that no other match in a title counts more than the same word in a
// description of that length.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ query, other string }{
		{"camera", "cameras"}, // another form
		{"film", "films"},     // the plural
		{"cam", "camera"},     // a completion
	} {
		x := build(t, release(t, "en", doc{title: c.other, description: "Filler"}, doc{title: "Filler", description: c.query}))
		hits := must(x.Search(search.Query{Text: c.query})).Hits
		require.Len(t, hits, 2)
		scores := map[string]float64{hits[0].Element.ID: hits[0].Score, hits[1].Element.ID: hits[1].Score}
		require.GreaterOrEqual(t, scores["e1"]+1e-4, scores["e0"], c.query)
	}
	x := build(t, sample(t, "ai@latest"))
	require.Equal(t, "purpose.content", must(x.Search(search.Query{Text: "personalised"})).Hits[0].Element.ID,
		"a keyword comes before persons in titles")
}

// TestNumbers checks that an English word finds its plural and its singular, and a number how
// it is written otherwise. The text has the word itself as well.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		word, other string
		found       bool
	}{
		{"party", "parties", true},
		{"parties", "party", true},
		{"copy", "copies", true},
		{"film", "films", true},
		{"bins", "bin", true},
		{"bus", "buses", true},
		{"buses", "bus", true},
		{"watch", "watches", true},
		{"boxes", "box", true},
		{"photo", "photos", true},
		{"heroes", "hero", true},
		{"hero", "heroes", true},
		{"day", "days", true},
		{"third", "3rd", true},
		{"1st", "first", true},
		{"two", "2", true},
		{"day", "daies", false},
		{"glass", "glas", false},
		{"film", "filmed", false},
		{"her", "hers", false}, // function words
		{"1st", "1", false},
		{"s", "ss", false},
		{"race", "racism", false}, // a synonym, not a form
	} {
		t.Run(fmt.Sprintf("%s %s", c.word, c.other), func(t *testing.T) {
			docs := []doc{{title: c.word}, {title: c.other}}
			query := search.Query{Text: c.word + " of"}
			english := must(build(t, release(t, "en-GB", docs...)).Search(query))
			if !c.found {
				require.Equal(t, 1, english.Total)
				return
			}
			require.Equal(t, 2, english.Total)
			require.Equal(t, "e0", english.Hits[0].Element.ID, "the word itself is better")
			require.InDelta(t, english.Hits[0].Score/3, english.Hits[1].Score, 1e-4, "2/3, and in a title half of that")
			x := build(t, release(t, "en-GB", docs...))
			require.Len(t, x.Places(english.Hits[1].Element, query), 1, "it is highlighted")
			require.Equal(t, 1, must(x.Search(search.Query{Text: query.Text, WholeWords: true})).Total)
			if len(c.other) < 5 {
				require.Equal(t, 1, must(build(t, release(t, "fi", docs...)).Search(query)).Total, "only in English")
			}
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
		{"plainly", docs, search.Query{Text: "common rare", WholeWords: true}, false},
		{"a tenth is not more than a tenth", append(docs[:38:38], doc{}, docs[38]), search.Query{Text: "common rare"}, false},
		{"three are few", docs[1:], search.Query{Text: "common rare"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, release(t, "en", c.docs...))
			score := func(q search.Query) float64 {
				for _, h := range must(x.Search(q)).Hits {
					if h.Element.ID == "e1" {
						return h.Score
					}
				}
				return 0
			}
			alone := score(search.Query{Text: "common", WholeWords: true})
			require.NotZero(t, alone)
			if c.shrinking {
				alone /= 5
			}
			require.InDelta(t, alone, score(c.query), 1e-4)
		})
	}
}
