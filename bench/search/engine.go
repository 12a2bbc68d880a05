package main

import "github.com/datachain-go/datachain/taxonomy"

// top is the number of hits that every engine returns.
const top = 50

// titleBoost is the weight of a title relative to a description.
const titleBoost = 3

// engine builds indexes.
type engine struct {
	name  string
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
	{ours, buildOurs, 20},
	{reference, buildBleve, 20},
	{"bluge", buildBluge, 8},
	{"sqlite", buildSQLite, 3},
}
