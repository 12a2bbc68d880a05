package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// mapped returns a release with mappings of its elements, by position.
func mapped(t testing.TB, r *taxonomy.Release, entries map[int][]string) *taxonomy.Release {
	t.Helper()
	c := content(r)
	c.Schemes = []taxonomy.Scheme{{ID: "law", Title: taxonomy.Localized{{Locale: r.Locales()[0], Value: "Law"}}}}
	for i, ids := range entries {
		for _, id := range ids {
			c.Elements[i].Mappings = append(c.Elements[i].Mappings, taxonomy.Mapping{Scheme: "law", ID: id, Relation: codes.RelationClose})
		}
	}
	r, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return r
}

// Ids of entries that an element is mapped to are searched like keywords, and what a query
// names comes first.
func TestMappings(t *testing.T) {
	plain := release(
		t, "en",
		doc{title: "Art 26 gallery", description: "Art. 26, art."}, doc{title: "Human oversight", description: "A person decides."},
		doc{title: "Notice", description: "People are told."}, doc{title: "Transparency", description: "What is known."}, doc{title: "Twenty years", description: "26 years."},
		doc{title: "Art 26", description: "Art. 26"},
	)
	r := mapped(t, plain, map[int][]string{1: {"Art. 26(2)", "A-5"}, 2: {"Art. 5(1)(c)", "Art. 26"}, 3: {"Art. 13", "5", "notice"}, 5: {"Art. 26(9)"}})
	for _, c := range []struct {
		release *taxonomy.Release
		query   string
		want    []string // first
	}{
		{r, "Art. 26", []string{"e2", "e5", "e1", "e0"}},
		{r, "art 26", []string{"e2", "e5", "e1", "e0"}},
		{r, "Article 26", []string{"e2", "e5", "e1"}},
		{r, "Artikel 26", []string{"e2", "e5", "e1"}},
		{r, "what does article 26 say", []string{"e2"}},
		{r, "Article 26(2)", []string{"e1"}},
		{r, "Art. 26(2)", []string{"e1", "e5"}},
		{r, "13", []string{"e3"}},                          // by a word
		{r, "what does Art. 26 say", []string{"e2", "e5"}}, // no parts
		{r, "gallery Art. 26(2), Art. 5(1)(c)", []string{"e2", "e1"}},
		{r, "Art. 26(3)", []string{"e2", "e5"}}, // what it is a part of
		{r, "A-5", []string{"e1"}},
		{r, "5", []string{"e3"}},
		{r, "notice", []string{"e3", "e2"}},
		{r, "a notice for people", []string{"e2"}}, // a word
		{r, "art", []string{"e5", "e0"}},
		{r, "gallery", []string{"e0"}},
		{plain, "Art. 26", []string{"e5", "e0", "e4"}},
		{plain, "5", []string{}},
	} {
		x := build(t, c.release)
		for _, whole := range []bool{false, true} {
			got := ids(must(x.Search(search.Query{Text: c.query, WholeWords: whole})))
			require.GreaterOrEqual(t, len(got), len(c.want), c.query)
			require.Equal(t, c.want, got[:len(c.want)], "%s, whole %t", c.query, whole)
		}
	}
}

// TestNotationsFirst checks on generated releases that what is mapped to an entry comes
// first, in every page and filter, and that as many elements are found as by the words.
func TestNotationsFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	corpus := newCorpus(3, 1200)
	plain := release(t, "en", corpus.docs...)
	names := []string{"data", "Art.", "law", "number"}
	for _, w := range corpus.words[:5] {
		if !strings.ContainsFunc(w.text, func(c rune) bool { return c > unicode.MaxASCII }) { // others are equal without accents
			names = append(names, w.text)
		}
	}
	entries, words := map[int][]string{}, map[string][]int{}
	for i := range corpus.docs {
		for range random.IntN(3) {
			id := fmt.Sprintf("%s %d", names[random.IntN(len(names))], random.IntN(10))
			if !slices.Contains(entries[i], id) {
				entries[i] = append(entries[i], id)
				words[id] = append(words[id], i)
			}
		}
	}
	r := mapped(t, plain, entries)
	x := build(t, r)
	for id, want := range words {
		all := must(x.Search(search.Query{Text: id, Limit: 1200}))
		require.Len(t, all.Hits, all.Total)
		for i, hit := range all.Hits {
			require.Equal(t, i < len(want), slices.Contains(want, hit.Position), "%s: %d", id, i)
		}
		require.Equal(t, all.Hits[:min(7, all.Total)], must(x.Search(search.Query{Text: id, Limit: 7})).Hits)
		category := r.Categories()[0].ID
		for i, hit := range must(x.Search(search.Query{Text: id, Categories: []string{category}})).Hits {
			inside := slices.DeleteFunc(slices.Clone(want), func(p int) bool { return r.Elements()[p].CategoryID != category })
			require.Equal(t, i < len(inside), slices.Contains(want, hit.Position), "%s: %d in %s", id, i, category)
		}
	}
}
