package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// must returns a value that comes without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestOracle compares results with those of an independent implementation: same total, same
// elements, same order, same scores.
func TestOracle(t *testing.T) {
	for i, elements := range []int{1, 2, 10, 63, 65, 300, 511, 512, 513, 1024, 1025, 1600} {
		t.Run(fmt.Sprint(elements), func(t *testing.T) {
			t.Parallel()
			c := newCorpus(uint64(i), elements)
			queries := 30
			switch { // the oracle takes long
			case testing.Short():
				queries = 6
			case elements > 500:
				queries = 12
			}
			nonempty := c.compare(t, release(t, "en", c.docs...), queries, c.query)
			require.True(t, nonempty > queries/6 || elements < 10 || testing.Short(), "most queries should find something")
		})
	}
}

// compare runs queries against an index and the oracle. It returns the number of queries that find something.
func (c *corpus) compare(t *testing.T, r *taxonomy.Release, queries int, query func() (search.Query, oracleQuery)) (nonempty int) {
	t.Helper()
	built := build(t, r)
	for range queries {
		q, o := query()
		want := c.search(o)
		got := must(built.Search(q))
		require.Len(t, want, got.Total, "%+v", q)
		want = page(want, q)
		require.Len(t, got.Hits, len(want), "%+v", q)
		for i, h := range got.Hits {
			require.Equal(t, fmt.Sprintf("e%d", want[i].doc), h.Element.ID, "hit %d of %+v", i, q)
			require.InDelta(t, want[i].score, h.Score, 0, "hit %d of %+v", i, q)
		}
		if got.Total > 0 {
			nonempty++
		}
	}
	return nonempty
}

// TestLoneLetters searches for single letters of scripts that are indexed as pairs.
func TestLoneLetters(t *testing.T) {
	x := build(t, release(t, "en",
		doc{title: "目的"}, doc{title: "安全の目"}, doc{title: "項目"}, doc{title: "目"}, doc{title: "กล้อง"}, doc{title: "camera の", description: "x の目"}, doc{title: "ฮ"}, doc{title: "\u0e31ก"},
	))
	for _, c := range []struct {
		text  string
		whole bool
		want  []string
	}{
		{"目", false, []string{"e3", "e0", "e2", "e1", "e5"}},
		{"目", true, []string{"e3"}},
		{"目 camera", false, []string{"e5", "e3", "e0", "e2", "e1"}}, // not the last
		{"安全 目", false, []string{"e1", "e3", "e0", "e2", "e5"}},
		{"的", false, []string{"e0"}},
		{"全", false, []string{"e1"}},
		{"の", false, []string{"e5", "e1"}},
		{"ล", false, []string{"e4"}},
		{"ล้", false, []string{"e4"}},
		{"ล๊", false, []string{}},
		{"ฮ\u0e31", false, []string{}}, // the end of one term and the beginning of the next
		{"犬", false, []string{}},
	} {
		t.Run(fmt.Sprint(c.text, c.whole), func(t *testing.T) {
			require.Equal(t, c.want, ids(must(x.Search(search.Query{Text: c.text, WholeWords: c.whole}))))
		})
	}
}

// TestMappedIDs finds elements by the ids of entries that they are mapped to, which are
// keywords and no more: other words count as much.
func TestMappedIDs(t *testing.T) {
	c := content(release(t, "en", doc{title: "Art. 26 gallery"}, doc{title: "Oversight"}, doc{title: "Notice"}))
	c.Schemes = []taxonomy.Scheme{{ID: "law", Title: taxonomy.Localized{{Locale: "en", Value: "Law"}}}}
	c.Elements[1].Mappings = []taxonomy.Mapping{{Scheme: "law", ID: "Art. 26(2)", Relation: codes.RelationClose}}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-09-01-stable"), c)
	require.NoError(t, err)
	x := build(t, r)
	require.Equal(t, []string{"e0", "e1"}, ids(must(x.Search(search.Query{Text: "Art. 26"}))))
	require.Empty(t, ids(must(x.Search(search.Query{Text: "Article"}))))
}

// TestCloseScores searches for the best element after many that are nearly as good: no
// window may be skipped.
func TestCloseScores(t *testing.T) {
	docs := make([]doc, 2000)
	for i := range docs {
		docs[i].description = strings.Repeat("word ", 200-i/250)
		if i%4 == 0 {
			docs[i].description += "camera film"
		}
	}
	x := build(t, release(t, "en", docs...))
	for _, text := range []string{"camera", "camera film", "camera film word"} {
		for _, limit := range []int{1, 3, 20} {
			got := must(x.Search(search.Query{Text: text, Limit: limit, WholeWords: true}))
			for i, h := range got.Hits[:min(limit, 5)] {
				require.Equal(t, fmt.Sprintf("e%d", 1752+4*i), h.Element.ID, "%d for %q", limit, text)
			}
		}
	}
}

// page returns the requested part of all hits.
func page(hits []oracleHit, q search.Query) []oracleHit {
	limit := q.Limit
	if limit == 0 {
		limit = search.DefaultLimit
	}
	if limit < 0 {
		limit = len(hits)
	}
	hits = hits[min(max(q.Offset, 0), len(hits)):]
	return hits[:min(limit, len(hits))]
}
