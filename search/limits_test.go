package search_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestConcurrent searches one index concurrently; run it with -race.
func TestConcurrent(t *testing.T) {
	c := newCorpus(2, 700)
	x := build(t, release(t, "en", c.docs...))
	var queries []search.Query
	var want []search.Result
	for range 40 {
		q, _ := c.query()
		queries, want = append(queries, q), append(want, must(x.Search(q)))
	}
	var workers sync.WaitGroup
	for w := range 8 {
		workers.Go(func() {
			for i := range queries {
				i = (i*7 + w*5) % len(queries)
				got := must(x.Search(queries[i]))
				if fmt.Sprint(got) != fmt.Sprint(want[i]) {
					t.Errorf("%+v gives another answer", queries[i])
				}
				for _, h := range got.Hits[:min(3, len(got.Hits))] {
					x.Places(h.Element, queries[i])
				}
			}
		})
	}
	workers.Wait()
}

// many returns n distinct words.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%dx ", i)
	}
	return b.String()
}

// TestLargeQueries runs a huge query and then a simple one on the same index.
func TestLargeQueries(t *testing.T) {
	x := build(t, release(t, "en", doc{title: "Camera"}, doc{title: "Street", description: strings.Repeat("word ", 1000)}))
	for name, text := range map[string]string{
		"a megabyte":               strings.Repeat("camera ", 1<<20/7),
		"many words":               many(100_000) + "camera",
		"a long word":              strings.Repeat("x", 1<<20),
		"a long word with accents": strings.Repeat("é", 1<<19),
		"a long run":               strings.Repeat("個人", 1<<17),
		"marks":                    "e" + strings.Repeat("\u0301", 1<<19),
		"marks in a run":           "個" + strings.Repeat("\u3099", 1<<18),
		"apostrophes":              strings.Repeat("x'", 1<<19),
		"no text":                  strings.Repeat("\xff", 1<<20),
		"braces":                   strings.Repeat("{", 1<<20),
		"spaces":                   strings.Repeat(" ", 1<<20),
		"spaces with marks":        strings.Repeat(" \u0301", 1<<18),
		"punctuation":              strings.Repeat("?!.,;:-'’\"()", 1<<16),
		"emoji":                    strings.Repeat("👩‍🔬🇫🇷👍🏽", 1<<14),
		"from right to left":       strings.Repeat("\u202eمرحبا שלום ", 1<<14),
		"NUL":                      strings.Repeat("\x00", 1<<20),
		"NUL in words":             strings.Repeat("a\x00b ", 1<<18),
		"hyphens":                  strings.Repeat("ab-c'd-", 1<<17),
		"letters that become many": strings.Repeat("ﷺ", 1<<18),
		"single letters":           strings.Repeat("個 人 ", 1<<17),
	} {
		t.Run(name, func(t *testing.T) {
			got := must(x.Search(search.Query{Text: text}))
			require.LessOrEqual(t, got.Total, 2)
			x.Places(x.Release().Elements()[0], search.Query{Text: text})
			require.Equal(t, []string{"e0"}, ids(must(x.Search(search.Query{Text: "camera"}))))
		})
	}
}

// TestLongTexts indexes extreme texts.
func TestLongTexts(t *testing.T) {
	x := build(t, release(t, "en",
		doc{title: strings.Repeat("camera ", 66_000), description: strings.Repeat("{", 1<<16) + strings.Repeat("{{", 1<<16)},
		doc{title: strings.Repeat("xé", 1<<15), description: strings.Repeat("{{x}}", 1<<14)},
		doc{title: many(2_000)},
	))
	require.Equal(t, []string{"e0"}, ids(must(x.Search(search.Query{Text: "camera"}))))
	require.Equal(t, []string{"e1"}, ids(must(x.Search(search.Query{Text: "xexe"}))))
	require.Equal(t, []string{"e2"}, ids(must(x.Search(search.Query{Text: "word1999x"}))))
	for _, e := range x.Release().Elements() {
		x.Places(e, search.Query{Text: "xexe"})
	}
}

// TestManyTerms checks which words of a long query count, and that only the last may be
// unfinished.
func TestManyTerms(t *testing.T) {
	x := build(t, release(t, "en", doc{title: "cameras"}, doc{title: "videos"}))
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"the last that counts", many(search.MaxTerms-1) + "cameras", []string{"e0"}},
		{"the last that counts, unfinished", many(search.MaxTerms-1) + "cam", []string{"e0"}},
		{"one too many", many(search.MaxTerms) + "cameras", []string{}},
		{"not the last", many(search.MaxTerms-1) + "cam videos", []string{}},
		{"repeated", "cam " + many(search.MaxTerms) + "cam", []string{"e0"}},
		{"repeated before another", "cam, cam video", []string{"e1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, ids(must(x.Search(search.Query{Text: c.text}))))
		})
	}
}

// TestManyTypos checks how many words of a query may be misspelt, and that the count starts
// again for each query.
func TestManyTypos(t *testing.T) {
	x := build(t, release(t, "en", doc{title: "camera"}))
	unknown := []string{"aardvark", "bicycle", "cupboard", "dolphin", "elephant", "flamingo", "giraffe", "hedgehog"}
	for range 2 {
		q := search.Query{Text: strings.Join(unknown[1:], " ") + " the who abc camrea"}
		require.Equal(t, []string{"e0"}, ids(must(x.Search(q))))
		require.Len(t, x.Places(x.Release().Elements()[0], q), 1)
		q.Text = strings.Join(unknown, " ") + " camrea"
		require.Empty(t, ids(must(x.Search(q))))
		require.Empty(t, x.Places(x.Release().Elements()[0], q))
		q.Text += " camera"
		require.Equal(t, []string{"e0"}, ids(must(x.Search(q))))
	}
}

// TestLongText checks how much of a long query counts. The limit may be within a letter.
func TestLongText(t *testing.T) {
	x := build(t, release(t, "en", doc{title: "caméras"}))
	for cut, want := range map[int]int{-1: 0, 0: 0, 3: 1, 4: 1, 5: 1, 8: 1, 20: 1} {
		text := strings.Repeat(" ", search.MaxText-cut) + "caméras"
		require.Equal(t, want, must(x.Search(search.Query{Text: text})).Total, "%d bytes of it", cut)
	}
}

// TestZeroIndex checks that the zero Index finds nothing.
func TestZeroIndex(t *testing.T) {
	var x search.Index
	require.Zero(t, must(x.Search(search.Query{Text: "camera"})))
	require.Empty(t, x.Places(&taxonomy.Element{}, search.Query{Text: "camera"}))
	require.Empty(t, x.Locale())
	require.Nil(t, x.Release())
}

// TestFewElements searches empty and tiny releases.
func TestFewElements(t *testing.T) {
	none := build(t, release(t, "en"))
	require.Zero(t, none.Terms())
	require.Equal(t, search.Result{}, must(none.Search(search.Query{Text: "camera"})))

	empty := build(t, release(t, "en", doc{}, doc{title: "…", description: "{{who}}"}))
	require.Zero(t, empty.Terms())
	require.Equal(t, search.Result{}, must(empty.Search(search.Query{Text: "who"})))

	one := build(t, release(t, "en", doc{title: "Camera"}))
	got := must(one.Search(search.Query{Text: "camera"}))
	// idf = ln(1 + 0.5/1.5), and tf and length are 1: 3 idf 2.2/2.2.
	require.InDelta(t, 0.8630, got.Hits[0].Score, 0.0001)
	require.Equal(t, 1, got.Total)
}

// TestFilters checks that categories select hits and do not change scores.
func TestFilters(t *testing.T) {
	x := build(t, release(t, "en",
		doc{category: "a", title: "Camera"}, doc{category: "a", title: "Video"}, doc{category: "b", title: "Camera film"}, doc{category: "c", title: "A camera for film"},
	))
	all := must(x.Search(search.Query{Text: "camera"}))
	require.Equal(t, []string{"e0", "e2", "e3"}, ids(all))
	for _, c := range []struct {
		categories []string
		want       []int // of all hits
	}{
		{nil, []int{0, 1, 2}},
		{[]string{}, []int{0, 1, 2}},
		{[]string{"a"}, []int{0}},
		{[]string{"c", "b", "c"}, []int{1, 2}},
	} {
		t.Run(strings.Join(c.categories, " "), func(t *testing.T) {
			got := must(x.Search(search.Query{Text: "camera", Categories: c.categories}))
			var want []search.Hit
			for _, i := range c.want {
				want = append(want, all.Hits[i])
			}
			require.Equal(t, search.Result{Hits: want, Total: len(want)}, got)
		})
	}
	for _, unknown := range [][]string{{"unknown"}, {"b", "unknown"}, {""}} {
		_, err := x.Search(search.Query{Text: "camera", Categories: unknown})
		require.ErrorContains(t, err, "search: there is no category")
	}
}

// TestBuildMatches has locales that match the one of a release, and others.
func TestBuildMatches(t *testing.T) {
	r := release(t, "pt-BR", doc{title: "Câmera"})
	for _, locale := range []string{"pt-BR", "PT-br", "pt", "pt-PT"} {
		x, err := search.Build(r, locale)
		require.NoError(t, err)
		require.Equal(t, "pt-BR", x.Locale())
		require.Equal(t, []string{"e0"}, ids(must(x.Search(search.Query{Text: "camera"}))))
	}
	_, err := search.Build(r, "de")
	require.EqualError(t, err, `search: test@2026-09-01-beta has no locale "de" (it has pt-BR)`)
	_, err = search.Build(r, "")
	require.ErrorContains(t, err, `search: "" is not a language tag`)
}
