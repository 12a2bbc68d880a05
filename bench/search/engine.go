package main

import "github.com/datachain-go/datachain/taxonomy"

// top is the number of hits that every engine returns.
const top = 50

// titleBoost is the weight of a title relative to a description.
const titleBoost = 3

// engine builds indexes.
type engine struct {
	name  string
	setup string // for the page: how it is set up
	build func(*taxonomy.Release) (index, error)
	// rounds is the minimum number of runs of each query. The best of few runs
	// is not reliable, so it is as high as the total time allows.
	rounds int
}

// index answers queries.
type index interface {
	// search visits the ids of the best hits, best first, and returns the number
	// of elements with any of the words.
	search(q *query, visit func(id string)) (total int, err error)
	// outside returns the number of bytes of the index outside Go's heap.
	outside() (int64, error)
	close() error
}

// ours is the engine that the others are compared with, and reference the one that
// our targets refer to.
const (
	ours      = "datachain"
	reference = "bleve"
)

// engines are the measured engines, ours first.
var engines = []engine{
	{ours, "`search.Build`; queries with `Whole`, so that all engines search for the same terms", buildOurs, 20},
	{reference, "v2 scorch in memory, one batch (batches in memory are never merged, and one segment is fastest to search), no stored fields, term vectors or doc values; BM25 (its default, TF-IDF, is up to a tenth faster); a disjunction of term queries, with a boost for titles", buildBleve, 20},
	{"bluge", "in memory, one batch; a disjunction of term queries, with a boost for titles; the standard aggregations count the matches", buildBluge, 8},
	{"sqlite", "FTS5 (modernc.org/sqlite) in memory, contentless, optimised after the load; `ORDER BY rank LIMIT 50` with `bm25(3.0, 1.0)` as rank, and `count(*)` for the total; prepared statements", buildSQLite, 3},
}
