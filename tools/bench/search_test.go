// Package bench compares package search with bleve: the same texts, the same queries, the
// same ranking (BM25 over title and description, titles three times), the best 50 hits.
package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	elements = 10_000
	top      = 50
)

// engine returns how many elements have any of some words.
type engine func(words []string) (int, error)

var engines = []struct {
	name  string
	build func(*taxonomy.Release) (engine, error)
}{
	{"datachain", buildOurs},
	{"bleve", buildBleve},
}

func BenchmarkBuild(b *testing.B) {
	r := release(b)
	for _, e := range engines {
		b.Run(e.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.build(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSearch searches words of the texts. Both engines must find the same number of
// elements.
func BenchmarkSearch(b *testing.B) {
	r := release(b)
	var search []engine
	for _, e := range engines {
		built, err := e.build(r)
		if err != nil {
			b.Fatal(err)
		}
		search = append(search, built)
	}
	for words := 1; words <= 3; words++ {
		queries := queriesOf(r, words)
		for _, q := range queries {
			want, _ := search[0](q)
			if got, err := search[1](q); err != nil || got != want {
				b.Fatalf("%q: %s found %d, %s %d (%v)", q, engines[0].name, want, engines[1].name, got, err)
			}
		}
		for i, e := range engines {
			b.Run(fmt.Sprintf("%d words/%s", words, e.name), func(b *testing.B) {
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					if _, err := search[i](queries[n%len(queries)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func buildOurs(r *taxonomy.Release) (engine, error) {
	x, err := search.Build(r, "en")
	if err != nil {
		return nil, err
	}
	return func(words []string) (int, error) {
		found, err := x.Search(search.Query{Text: strings.Join(words, " "), Limit: top, WholeWords: true})
		if err != nil {
			return 0, err
		}
		return found.Total, nil
	}, nil
}

// buildBleve keeps an index of kind scorch in memory. Words are those of UAX 29 in lower case,
// and only what ranking needs is stored.
func buildBleve(r *taxonomy.Release) (engine, error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = index.BM25Scoring
	err := m.AddCustomAnalyzer("words", map[string]any{
		"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{lowercase.Name},
	})
	if err != nil {
		return nil, err
	}
	field := bleve.NewTextFieldMapping()
	field.Analyzer = "words"
	field.Store, field.IncludeTermVectors, field.IncludeInAll, field.DocValues = false, false, false, false
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	m.DefaultMapping.AddFieldMappingsAt("Title", field)
	m.DefaultMapping.AddFieldMappingsAt("Description", field)
	x, err := bleve.NewUsing("", m, scorch.Name, bleve.Config.DefaultMemKVStore, nil)
	if err != nil {
		return nil, err
	}
	batch := x.NewBatch() // in memory, each batch stays a segment
	for _, e := range r.Elements() {
		title, _ := e.Title.Get("en")
		description, _ := e.Description.Get("en")
		if err := batch.Index(e.ID, struct{ Title, Description string }{title, description}); err != nil {
			return nil, err
		}
	}
	if err := x.Batch(batch); err != nil {
		return nil, err
	}
	return func(words []string) (int, error) {
		var terms []query.Query
		for _, word := range words {
			title, description := bleve.NewTermQuery(word), bleve.NewTermQuery(word)
			title.SetField("Title")
			title.SetBoost(3)
			description.SetField("Description")
			terms = append(terms, title, description)
		}
		found, err := x.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(terms...), top, 0, false))
		if err != nil {
			return 0, err
		}
		return int(found.Total), nil
	}, nil
}

// release has elements with texts of random words, whose frequencies follow Zipf's law.
func release(b *testing.B) *taxonomy.Release {
	b.Helper()
	words := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 2.7, 20_000)
	text := func(least, most int) taxonomy.Localized {
		var list []string
		for range least + int(words.Uint64())%(most-least) {
			list = append(list, word(words.Uint64()))
		}
		return taxonomy.Localized{{Locale: "en", Value: strings.Join(list, " ")}}
	}
	c := taxonomy.Content{
		Title: text(2, 3), Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "bench", Name: text(2, 3), Categories: []string{"all"}},
		Categories: []taxonomy.Category{{ID: "all", Name: text(2, 3), Shape: taxonomy.Circle}},
		Symbols:    map[string]string{"dot": `<svg/>`},
	}
	for i := range elements {
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("e%05d", i), CategoryID: "all", SymbolID: "dot", Title: text(2, 7), Description: text(15, 40),
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("bench@2026-09-01-stable"), c)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// word returns a word of syllables, another one for each rank.
func word(rank uint64) string {
	var b strings.Builder
	for rank++; rank > 0; rank /= 16 {
		b.WriteString("bakedifogulomenipyrasetivozuwixo"[2*(rank%16):][:2])
	}
	return b.String()
}

// queriesOf returns queries of words that occur, frequent ones more often.
func queriesOf(r *taxonomy.Release, words int) [][]string {
	random := rand.New(rand.NewPCG(3, uint64(words)))
	list := make([][]string, 50)
	for i := range list {
		for range words {
			text, _ := r.Elements()[random.IntN(elements)].Description.Get("en")
			said := strings.Fields(text)
			list[i] = append(list[i], said[random.IntN(len(said))])
		}
	}
	return list
}
