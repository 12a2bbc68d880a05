package main

import (
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

type ourIndex struct{ index *search.Index }

func buildOurs(r *taxonomy.Release) (index, error) {
	x, err := search.Build(r, locale)
	if err != nil {
		return nil, err
	}
	return ourIndex{x}, nil
}

func (x ourIndex) search(q *query, visit func(id string)) (int, error) {
	found, err := x.index.Search(search.Query{Text: q.text, Categories: q.categories, Limit: top, WholeWords: !q.typed})
	for i := range found.Hits {
		visit(found.Hits[i].Element.ID)
	}
	return found.Total, err
}

func (x ourIndex) outside() (int64, error) { return 0, nil }

func (x ourIndex) close() error { return nil }
