package search_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// hostile are seed queries.
var hostile = []string{
	"", " ", "camera", "caméra", "camrea", "c", "個人情報", "กล้อง", "{{who}}", "\xff\xfe", "a\x00b", "l’", "'", "İ", "ﬁ",
	"\u202e\u0301", "👩‍🔬", "camera, camera", "the street donnees video pictures", "ｶﾞ",
	"wi-fi", "l’e\u2011mail-", "aujourd’hui-même", "個 人", "0-A'A0-0", "a-b-c--d-個", "who are they",
}

// FuzzSearch checks the guarantees of Search for arbitrary queries.
func FuzzSearch(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, 0, 0, false, "")
		f.Add(text, 1, 2, true, "b")
	}
	x := build(f, release(f, "en",
		doc{category: "a", title: "Camera", description: "Films the street"}, doc{category: "a", title: "Video camera"},
		doc{category: "b", title: "Données", description: "個人情報 {{who}}"}, doc{category: "b", title: "กล้อง", keywords: "camera pictures"},
	))
	f.Fuzz(func(t *testing.T, text string, offset, limit int, whole bool, category string) {
		q := search.Query{Text: text, Offset: offset, Limit: limit, WholeWords: whole}
		if category != "" {
			q.Categories = []string{category}
		}
		got, err := x.Search(q)
		if _, known := x.Release().Category(category); category != "" && !known {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, got, must(x.Search(q)), "the second time")
		all := must(x.Search(search.Query{Text: text, WholeWords: whole, Limit: 100}))
		require.LessOrEqual(t, got.Total, all.Total)
		require.Len(t, all.Hits, all.Total)
		for i, h := range got.Hits {
			require.Contains(t, all.Hits, h, "a filter changes no score")
			require.True(t, i == 0 || h.Score <= got.Hits[i-1].Score)
			require.True(t, category == "" || h.Element.CategoryID == category)
		}
	})
}

// FuzzPlaces checks that an element is found if and only if it has something to highlight.
func FuzzPlaces(f *testing.F) {
	for _, text := range hostile {
		f.Add("Camera l’image", "個人情報 e\u0301 {{who}} กล้อง da\u00adta", text)
		f.Add(text, text, text)
	}
	f.Fuzz(func(t *testing.T, title, description, query string) {
		if !utf8.ValidString(title) || !utf8.ValidString(description) {
			return // no release has such a text
		}
		x := build(t, release(t, "en", doc{title: title, description: description, keywords: title}))
		e := x.Release().Elements()[0]
		for _, q := range []search.Query{{Text: query}, {Text: query, WholeWords: true}} {
			places := x.Places(e, q)
			checkPlaces(t, x, e, places)
			require.Equal(t, len(places) > 0, must(x.Search(q)).Total == 1)
		}
	})
}

// FuzzTokens splits arbitrary text: terms are folded, not empty, and at their positions.
func FuzzTokens(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // no release has such a text, and queries are mended first
		}
		for _, token := range search.Tokens(text) {
			require.NotEmpty(t, token.Term)
			require.True(t, utf8.ValidString(token.Term))
			require.Equal(t, token.Term, search.Fold(token.Term))
			require.True(t, 0 <= token.Start && token.Start < token.End && token.End <= len(text), "%+v in %q", token, text)
			require.Equal(t, token.Term, search.Fold(text[token.Start:token.End]))
		}
	})
}
