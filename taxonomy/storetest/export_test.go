package storetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrHangs and Prove are exported for the tests of this package.
var (
	ErrHangs = errHangs
	Prove    = prove
)

// Clause is a clause for the tests of this package.
type Clause struct {
	Name string
	// Check opens a store and returns how it fails.
	Check func(ctx context.Context, patience time.Duration, open func(pubs []publish.Publication) (s taxonomy.Store, update func(pubs []publish.Publication))) error
}

// Clauses returns what Run, RunWithoutSymbols and RunUpdates check.
func Clauses() []Clause {
	once := sync.OnceValue(Publications) // creating them takes longer than any clause
	publications := func() []publish.Publication { return clone(once()) }
	var all []Clause
	for _, c := range slices.Concat(clauses(), bareClauses(), updateClauses()) {
		all = append(all, Clause{c.name, func(ctx context.Context, patience time.Duration, open func([]publish.Publication) (taxonomy.Store, func([]publish.Publication))) error {
			pubs := c.publications(publications)
			s, update := open(pubs)
			return c.check(ctx, &subject{watched{s, patience}, pubs, update})
		}})
	}
	return all
}
