package main

import (
	"context"
	"fmt"

	"github.com/blugelabs/bluge"
	"github.com/blugelabs/bluge/analysis"
	"github.com/blugelabs/bluge/analysis/token"
	"github.com/blugelabs/bluge/analysis/tokenizer"

	"github.com/datachain-go/datachain/taxonomy"
)

type blugeIndex struct {
	writer *bluge.Writer
	reader *bluge.Reader
}

func buildBluge(r *taxonomy.Release) (index, error) {
	w, err := bluge.OpenWriter(bluge.InMemoryOnlyConfig())
	if err != nil {
		return nil, fmt.Errorf("opening bluge: %w", err)
	}
	words := &analysis.Analyzer{
		Tokenizer:    tokenizer.NewUnicodeTokenizer(),
		TokenFilters: []analysis.TokenFilter{token.NewLowerCaseFilter()},
	}
	batch := bluge.NewBatch()
	for _, e := range r.Elements() {
		t := textOf(e)
		d := bluge.NewDocument(e.ID)
		d.AddField(bluge.NewTextField("title", t.Title).WithAnalyzer(words))
		d.AddField(bluge.NewTextField("description", t.Description).WithAnalyzer(words))
		batch.Insert(d)
	}
	if err := w.Batch(batch); err != nil {
		return nil, fmt.Errorf("indexing with bluge: %w", err)
	}
	reader, err := w.Reader()
	if err != nil {
		return nil, fmt.Errorf("reading with bluge: %w", err)
	}
	return &blugeIndex{w, reader}, nil
}

func (x *blugeIndex) search(q *query, visit func(id string)) (int, error) {
	either := bluge.NewBooleanQuery()
	for _, w := range q.words {
		either.AddShould(
			bluge.NewTermQuery(w).SetField("title").SetBoost(titleBoost),
			bluge.NewTermQuery(w).SetField("description"))
	}
	found, err := x.reader.Search(context.Background(), bluge.NewTopNSearch(top, either).WithStandardAggregations())
	if err != nil {
		return 0, fmt.Errorf("searching %q with bluge: %w", q.text, err)
	}
	// A hit is a number; its id is a stored field.
	for {
		hit, err := found.Next()
		if err != nil {
			return 0, fmt.Errorf("searching %q with bluge: %w", q.text, err)
		}
		if hit == nil {
			return int(found.Aggregations().Count()), nil
		}
		err = hit.VisitStoredFields(func(field string, value []byte) bool {
			if field == "_id" {
				visit(string(value))
			}
			return true
		})
		if err != nil {
			return 0, fmt.Errorf("reading an id with bluge: %w", err)
		}
	}
}

func (x *blugeIndex) outside() (int64, error) { return 0, nil }

func (x *blugeIndex) close() error {
	if err := x.reader.Close(); err != nil {
		return err
	}
	return x.writer.Close()
}
