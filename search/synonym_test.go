package search_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// plates are groups of words and phrases in English.
var plates = [][]string{
	{"licence plate", "number plate", "registration"},
	{"CCTV", "camera"},
	{"Wi-Fi", "wireless network"},
	{"right to be forgotten", "deletion"},
	{"plate", "dish"},
	{"bias", "racism"},
}

// TestSynonyms searches for words and phrases that find one another.
func TestSynonyms(t *testing.T) {
	for _, c := range []struct {
		name, query string
		docs        []string // titles
		want        []string
	}{
		{"a word", "cctv", []string{"Camera", "Microphone"}, []string{"e0"}},
		{"the other way", "camera", []string{"CCTV", "Microphone"}, []string{"e0"}},
		{"the word itself is better", "cctv", []string{"Camera", "CCTV"}, []string{"e1", "e0"}},
		{"a phrase for a phrase", "licence plate", []string{"Number plate", "Dish"}, []string{"e0"}},
		{"a phrase for a word", "registration", []string{"Licence plate", "Licence of the operator"}, []string{"e0"}},
		{"a word for a phrase", "number plate", []string{"Registration"}, []string{"e0"}},
		{"in a question", "who sees my licence plate", []string{"Registration", "Time"}, []string{"e0"}},
		{"not in order", "plate licence", []string{"Registration"}, []string{}},
		{"not together", "licence of the plate", []string{"Registration"}, []string{}},
		{"an incomplete phrase", "licence", []string{"Registration"}, []string{}},
		{"the longest phrase", "number plate", []string{"Dish"}, []string{}},
		{"a part of it alone", "plate", []string{"Dish"}, []string{"e0"}},
		{"texts in any order", "registration", []string{"The plate and the licence"}, []string{"e0"}},
		{"other forms in the query", "licence plates", []string{"Registration"}, []string{"e0"}},
		{"other forms in the text", "cctv", []string{"Cameras"}, []string{"e0"}},
		{"not by a prefix", "cct", []string{"Camera"}, []string{}},
		{"not by a typo", "rgeistration", []string{"Number plate"}, []string{}},
		{"no typos of a known word", "bias", []string{"Racism", "Bins", "Bies"}, []string{"e0"}},
		{"typos of a word without matches", "bias", []string{"Bies"}, []string{"e0"}},
		{"a hyphen", "wifi", []string{"A wireless network"}, []string{"e0"}},
		{"a hyphen in parts", "wi-fi here", []string{"A wireless network"}, []string{"e0"}},
		{"to a hyphen", "wireless networks", []string{"Wi-Fi", "wifi", "Wi fi", "fi"}, []string{"e1", "e0", "e2"}},
		{"function words in the query", "the right to be forgotten", []string{"Deletion"}, []string{"e0"}},
		{"function words in the text", "deletion", []string{"Forgotten: your right"}, []string{"e0"}},
		{"case and accents", "ÇÇTV", []string{"Camera"}, []string{"e0"}},
		{"in a compound", "cctv-tower", []string{"Camera"}, []string{"e0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var docs []doc
			for _, title := range c.docs {
				docs = append(docs, doc{title: title})
			}
			x := build(t, releaseWith(t, "en", plates, docs...))
			query := search.Query{Text: c.query}
			got := must(x.Search(query))
			if c.name == "to a hyphen" {
				found := ids(got)
				slices.Sort(found)
				require.Equal(t, []string{"e0", "e1", "e2"}, found)
			} else {
				require.Equal(t, c.want, ids(got))
			}
			for _, h := range got.Hits {
				require.NotEmpty(t, x.Places(h.Element, query), "it is highlighted")
			}
		})
	}
}

// TestSynonymWeight checks that a synonym counts half of its words, and that synonyms of
// other locales and whole words do not count.
func TestSynonymWeight(t *testing.T) {
	docs := []doc{{title: "Number plate"}, {title: "Camera", description: "of a street"}, {title: "Time"}}
	x := build(t, releaseWith(t, "en", plates, docs...))
	score := func(text string) float64 {
		hits := must(x.Search(search.Query{Text: text})).Hits
		require.Len(t, hits, 1)
		return hits[0].Score
	}
	require.InDelta(t, score("camera")/2, score("cctv"), 1e-4)
	require.InDelta(t, score("number plate")/2, score("registration"), 1e-4)
	require.InDelta(t, score("plate"), score("licence plate"), 1e-4, "a word of the phrase counts more than half of both")
	require.Zero(t, must(x.Search(search.Query{Text: "cctv", WholeWords: true})).Total)
}

// TestSynonymLocales checks that synonyms belong to one locale.
func TestSynonymLocales(t *testing.T) {
	text := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr-CA", Value: s}}
	}
	c := content(releaseWith(t, "en", nil, doc{title: "Camera"}))
	c.Locales, c.Elements[0].Title = []string{"en", "fr-CA"}, text("Camera")
	c.Synonyms = []taxonomy.Synonyms{{Locale: "fr-CA", Groups: plates}}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-09-01-beta"), c)
	require.NoError(t, err)
	for locale, want := range map[string]int{"en": 0, "fr-CA": 1} {
		x, err := search.Build(r, locale)
		require.NoError(t, err)
		require.Equal(t, want, must(x.Search(search.Query{Text: "cctv"})).Total, locale)
	}
}

// TestFrequentSynonyms checks that a frequent word does not count less beside its own
// synonym, nor a frequent synonym beside the phrase: they are one idea.
func TestFrequentSynonyms(t *testing.T) {
	docs := make([]doc, 20)
	for i := range docs {
		docs[i] = doc{title: "Thing", description: "of some kind"}
		if i < 5 {
			docs[i].title = "Camera"
		}
	}
	docs[10].title, docs[11].description = "CCTV", "the sky at night"
	groups := [][]string{{"CCTV", "camera", "eye in the sky"}}
	for _, query := range []string{"camera", "eye in the sky"} {
		x := build(t, releaseWith(t, "en", groups, docs...))
		found := ids(must(x.Search(search.Query{Text: query})))
		require.NotEqual(t, "e11", found[0], "%s: %v", query, found)
		require.Subset(t, found, []string{"e0", "e10"})
	}
	alone := must(build(t, release(t, "en", docs...)).Search(search.Query{Text: "camera"})).Hits[0]
	with := must(build(t, releaseWith(t, "en", groups, docs...)).Search(search.Query{Text: "camera"})).Hits
	i := slices.IndexFunc(with, func(h search.Hit) bool { return h.Element.ID == alone.Element.ID })
	require.InDelta(t, alone.Score, with[i].Score, 0, "camera counts in full")
}

// TestSynonymPlaces checks that only what matches is highlighted.
func TestSynonymPlaces(t *testing.T) {
	x := build(t, releaseWith(t, "en", plates, doc{title: "Number plate", description: "A plate that has a number."}, doc{title: "A plate, no registration"}))
	e := x.Release().Elements()
	places := x.Places(e[0], search.Query{Text: "registration"})
	require.Equal(t, []search.Place{{Field: search.Title, Start: 0, End: 6}, {Field: search.Title, Start: 7, End: 12}, {Field: search.Description, Start: 2, End: 7}, {Field: search.Description, Start: 19, End: 25}}, places)
	require.Equal(t, []search.Place{{Field: search.Title, Start: 12, End: 24}}, x.Places(e[1], search.Query{Text: "registration"}), "a part of a synonym is none")
}

// TestOddSynonyms has groups that say nothing, twice or in a circle.
func TestOddSynonyms(t *testing.T) {
	long := strings.Repeat("camera ", 300)
	for _, groups := range [][][]string{
		{},
		{{}},
		{{""}},
		{{"camera"}},
		{{"camera", "Camera", "CAMÉRA"}},
		{{"…", "camera"}},
		{{long, "street"}, {"street", long}},
		{{"camera", "cctv"}, {"cctv", "street"}, {"street", "camera"}},
		{{"the", "who", "camera"}},
		{{"目的", "camera", "的"}},
	} {
		x := build(t, releaseWith(t, "en", groups, doc{title: "Camera", description: "目的"}, doc{title: "Street"}, doc{title: "Who"}))
		for _, text := range append(hostile, long, "cctv", "目的", "the") {
			q := search.Query{Text: text}
			got := must(x.Search(q))
			require.Equal(t, got, must(x.Search(q)), "the second time")
			for _, h := range got.Hits {
				require.NotEmpty(t, x.Places(h.Element, q), "%q in %v", text, groups)
			}
		}
	}
}

// FuzzSynonyms checks that only what is found is highlighted.
func FuzzSynonyms(f *testing.F) {
	for _, text := range hostile {
		f.Add("Number plate", text, "camera", "number plate\ncctv tower", text)
		f.Add(text, "camera", text, "x", "plates")
	}
	f.Fuzz(func(t *testing.T, title, description, other, group, query string) {
		for _, text := range []string{title, description, other, group} {
			if !utf8.ValidString(text) {
				return // no release has such a text
			}
		}
		docs := []doc{{title: title, description: description}, {title: other}}
		groups := [][]string{strings.Split(group, "\n"), {title, other}}
		x := build(t, releaseWith(t, "en", groups, docs...))
		q := search.Query{Text: query}
		got := must(x.Search(q))
		for _, h := range got.Hits {
			require.Positive(t, h.Score)
			checkPlaces(t, x, h.Element, x.Places(h.Element, q))
		}
		for _, e := range x.Release().Elements() {
			found := slices.ContainsFunc(got.Hits, func(h search.Hit) bool { return h.Element == e })
			require.True(t, found || len(x.Places(e, q)) == 0, "highlighted, but not found")
		}
	})
}
