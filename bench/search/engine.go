package main

import "github.com/datachain-go/datachain/taxonomy"

// top is how many hits every engine is asked for.
const top = 50

// titleBoost is how much more a title counts than a description.
const titleBoost = 3

// engine makes indexes.
type engine struct {
	name  string
	setup string // for the page: how it is set up
	build func(*taxonomy.Release) (index, error)
	// rounds is how often each query is asked at least, however long it takes.
	// The best of few is not yet the best there is, so these are as many as
	// patience allows.
	rounds int
}

// index answers queries.
type index interface {
	// search visits the ids of the best hits, the best first, and returns how
	// many elements there are that have any of the words.
	search(q *query, visit func(id string)) (total int, err error)
	// outside returns how many bytes the index has outside of Go's heap.
	outside() (int64, error)
	close() error
}

// ours is the engine that the others are compared with, and reference the one
// that our aims are set by.
const (
	ours      = "datachain"
	reference = "bleve"
)

// engines are those that are measured, ours first.
var engines = []engine{
	{ours, "`search.Build`; queries with `Whole`, so that all engines search for the same terms", buildOurs, 20},
	{reference, "v2 scorch in memory, one batch (batches in memory are never merged, and one segment is fastest to search), no stored fields, term vectors or doc values; BM25 (its default, TF-IDF, is up to a tenth faster); a disjunction of term queries, with a boost for titles", buildBleve, 20},
	{"bluge", "in memory, one batch; a disjunction of term queries, with a boost for titles; the standard aggregations count the matches", buildBluge, 8},
	{"sqlite", "FTS5 (modernc.org/sqlite) in memory, contentless, optimised after the load; `ORDER BY rank LIMIT 50` with `bm25(3.0, 1.0)` as rank, and `count(*)` for the total; prepared statements", buildSQLite, 3},
}
