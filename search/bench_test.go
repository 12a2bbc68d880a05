package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// benched are the releases to measure: a sample taxonomy and 5,000 generated elements.
func benched(b *testing.B) map[string]*taxonomy.Release {
	return map[string]*taxonomy.Release{
		"sample": sample(b, "ai@latest"),
		"5000":   release(b, "en", newCorpus(1, 5000).docs...),
	}
}

func BenchmarkBuild(b *testing.B) {
	for name, r := range benched(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := search.Build(r, "en")
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkFirstSearch builds an index and searches it, as the first query after a start
// does.
func BenchmarkFirstSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		r := release(b, "en", newCorpus(1, n).docs...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NotEmpty(b, must(build(b, r).Search(search.Query{Text: "camera data"})).Hits)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	releases := benched(b)
	for _, set := range []struct {
		name    string
		queries [][2]string
	}{
		{"sample", [][2]string{
			{"1 term", "video"},
			{"2 terms", "personal data"},
			{"3 terms", "personal data people"},
			{"accents", "vidéo dàta"},
			{"prefix", "dat"},
			{"typo", "persnal"},
		}},
		{"5000", [][2]string{
			{"1 term", "camera"},
			{"2 terms", "camera data"},
			{"3 terms", "camera data oeuvre"},
			{"accents", "caméra dàta"},
			{"prefix", "cam"},
			{"typo", "camrea"},
		}},
	} {
		x := build(b, releases[set.name])
		for _, kind := range set.queries {
			q := search.Query{Text: kind[1], WholeWords: kind[0] != "prefix"}
			b.Run(set.name+"/"+kind[0], func(b *testing.B) {
				require.Positive(b, must(x.Search(q)).Total)
				b.ReportAllocs()
				for b.Loop() {
					must(x.Search(q))
				}
			})
		}
	}
}

// BenchmarkSynonyms searches 5,000 elements with and without a thesaurus of 500 groups, for
// words that are in it and for others.
func BenchmarkSynonyms(b *testing.B) {
	c := newCorpus(1, 5000)
	var groups [][]string
	for i := range 500 {
		groups = append(groups, []string{fmt.Sprintf("member%d", i), c.words[i].text, c.words[i+500].text + " " + c.words[i].text})
	}
	for _, k := range []struct {
		name   string
		groups [][]string
	}{{"without", nil}, {"with", groups}} {
		x := build(b, releaseWith(b, "en", k.groups, c.docs...))
		for _, text := range []string{"unheard data camera", "member1 data", "member40 member41 member42"} {
			b.Run(k.name+"/"+text, func(b *testing.B) {
				must(x.Search(search.Query{Text: text}))
				b.ReportAllocs()
				for b.Loop() {
					must(x.Search(search.Query{Text: text}))
				}
			})
		}
	}
}

func BenchmarkPlaces(b *testing.B) {
	x := build(b, sample(b, "ai@latest"))
	q := search.Query{Text: "personal data"}
	e := must(x.Search(q)).Hits[0].Element
	b.ReportAllocs()
	for b.Loop() {
		x.Places(e, q)
	}
}
