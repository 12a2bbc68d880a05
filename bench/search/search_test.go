package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEnginesAgree shows that all engines do the same work: they find the same
// elements, and rank them much alike. Formulas differ, so ranks do.
func TestEnginesAgree(t *testing.T) {
	c, err := newCorpus(2_000)
	require.NoError(t, err)
	indexes := make([]index, len(engines))
	for i, e := range engines {
		indexes[i], err = e.build(c.release)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, indexes[i].close()) })
	}
	for terms := 1; terms <= maxTerms; terms++ {
		common := make([]int, len(engines))
		for _, q := range c.queries(terms) {
			want, total := ask(t, indexes[0], q)
			assert.Equal(t, matching(c, q), total, q.text)
			assert.Len(t, want, min(total, top), q.text)
			for i, x := range indexes {
				got, n := ask(t, x, q)
				assert.Equal(t, total, n, "%s: %s", engines[i].name, q.text)
				assert.Len(t, got, len(want), "%s: %s", engines[i].name, q.text)
				common[i] += overlap(want, got)
			}
		}
		for i, n := range common {
			share := float64(n) / (10 * queriesOfEach)
			t.Logf("%d terms, %s: %.2f of the best 10 are ours, too", terms, engines[i].name, share)
			assert.Greater(t, share, 0.4, engines[i].name)
		}
	}
}

func ask(t *testing.T, x index, q query) (ids []string, total int) {
	t.Helper()
	total, err := x.search(&q, func(id string) { ids = append(ids, id) })
	require.NoError(t, err)
	return ids, total
}

// matching counts the elements with any of the words by scanning all of them.
func matching(c *corpus, q query) int {
	n := 0
	for _, e := range c.release.Elements() {
		text := textOf(e)
		words := strings.Fields(strings.ToLower(strings.ReplaceAll(text.Title+" "+text.Description, ".", "")))
		if slices.ContainsFunc(q.words, func(w string) bool { return slices.Contains(words, w) }) {
			n++
		}
	}
	return n
}

// overlap returns how many of the best ten hits two results share, scaled to ten.
func overlap(a, b []string) int {
	a, b = a[:min(10, len(a))], b[:min(10, len(b))]
	n := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			n++
		}
	}
	return n * 10 / len(a)
}

func TestCorpusIsTheSame(t *testing.T) {
	a, err := newCorpus(100)
	require.NoError(t, err)
	b, err := newCorpus(100)
	require.NoError(t, err)
	assert.Equal(t, a.release.ContentHash(), b.release.ContentHash())
	assert.Equal(t, a.queries(3), b.queries(3))
}

func TestQueries(t *testing.T) {
	c, err := newCorpus(1_000)
	require.NoError(t, err)
	for terms := 1; terms <= maxTerms; terms++ {
		queries := c.queries(terms)
		assert.Len(t, queries, queriesOfEach)
		for i, q := range queries {
			assert.Len(t, q.words, terms)
			assert.Positive(t, matching(c, q), q.text)
			for _, bad := range misspelt(queries)[i].words {
				if !slices.Contains(q.words, bad) {
					assert.NotContains(t, c.words, bad)
				}
			}
		}
	}
	assert.Equal(t, [][]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}, choices(3, 2))
}

func TestTimes(t *testing.T) {
	var all times
	for i := range 100 {
		all = append(all, time.Duration(100-i)*time.Microsecond)
	}
	assert.Equal(t, 95*time.Microsecond, all.p95())
	assert.Equal(t, 50500*time.Nanosecond, all.mean())
	assert.Equal(t, 7*time.Microsecond, times{7 * time.Microsecond}.p95())
}

// BenchmarkSearch runs the queries of one engine, size and length in turn.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		var c *corpus
		for _, e := range engines {
			b.Run(fmt.Sprintf("%s/%d", e.name, n), func(b *testing.B) {
				if c == nil {
					var err error
					c, err = newCorpus(n)
					require.NoError(b, err)
				}
				x, err := e.build(c.release)
				require.NoError(b, err)
				b.Cleanup(func() { assert.NoError(b, x.close()) })
				for terms := 1; terms <= maxTerms; terms++ {
					b.Run(fmt.Sprintf("%d", terms), func(b *testing.B) { benchmark(b, x, c.queries(terms)) })
				}
			})
		}
	}
}

func benchmark(b *testing.B, x index, queries []query) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := x.search(&queries[i%len(queries)], ignore); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuild builds indexes.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		var c *corpus
		for _, e := range engines {
			b.Run(fmt.Sprintf("%s/%d", e.name, n), func(b *testing.B) {
				if c == nil {
					var err error
					c, err = newCorpus(n)
					require.NoError(b, err)
				}
				b.ReportAllocs()
				for b.Loop() {
					x, err := e.build(c.release)
					require.NoError(b, err)
					require.NoError(b, x.close())
				}
			})
		}
	}
}
