package main

import (
	"fmt"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	blevequery "github.com/blevesearch/bleve/v2/search/query"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/datachain-go/datachain/taxonomy"
)

type bleveIndex struct{ index bleve.Index }

// text is an element as the other engines index it.
type text struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

func textOf(e *taxonomy.Element) text {
	title, _ := e.Title.Get(locale)
	description, _ := e.Description.Get(locale)
	return text{title, description}
}

// buildBleve indexes into scorch without a path, which is bleve's newer kind of
// index, and keeps it in memory. (NewMemOnly gives the older kind, which is
// slower.)
func buildBleve(r *taxonomy.Release) (index, error) {
	m, err := bleveMapping()
	if err != nil {
		return nil, err
	}
	x, err := bleve.NewUsing("", m, scorch.Name, bleve.Config.DefaultMemKVStore, nil)
	if err != nil {
		return nil, fmt.Errorf("opening bleve: %w", err)
	}
	// In memory, segments are never merged, and each batch is a segment.
	batch := x.NewBatch()
	for _, e := range r.Elements() {
		if err := batch.Index(e.ID, textOf(e)); err != nil {
			return nil, fmt.Errorf("indexing %s with bleve: %w", e.ID, err)
		}
	}
	if err := x.Batch(batch); err != nil {
		return nil, fmt.Errorf("indexing with bleve: %w", err)
	}
	return &bleveIndex{x}, nil
}

// bleveMapping has two fields of words by UAX 29 in lower case, as ours, and stores
// only what ranking needs.
func bleveMapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	err := m.AddCustomAnalyzer("words", map[string]any{
		"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{lowercase.Name},
	})
	if err != nil {
		return nil, fmt.Errorf("setting up bleve: %w", err)
	}
	field := bleve.NewTextFieldMapping()
	field.Analyzer = "words"
	field.Store, field.IncludeTermVectors, field.IncludeInAll, field.DocValues = false, false, false, false
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	m.DefaultMapping.AddFieldMappingsAt("title", field)
	m.DefaultMapping.AddFieldMappingsAt("description", field)
	m.ScoringModel = bleveindex.BM25Scoring
	return m, nil
}

func (x *bleveIndex) search(q *query, visit func(id string)) (int, error) {
	terms := make([]blevequery.Query, 0, 2*len(q.words))
	for _, w := range q.words {
		title, description := bleve.NewTermQuery(w), bleve.NewTermQuery(w)
		title.SetField("title")
		title.SetBoost(titleBoost)
		description.SetField("description")
		terms = append(terms, title, description)
	}
	found, err := x.index.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(terms...), top, 0, false))
	if err != nil {
		return 0, fmt.Errorf("searching %q with bleve: %w", q.text, err)
	}
	for _, h := range found.Hits {
		visit(h.ID)
	}
	return int(found.Total), nil
}

func (x *bleveIndex) outside() (int64, error) { return 0, nil }

func (x *bleveIndex) close() error { return x.index.Close() }
