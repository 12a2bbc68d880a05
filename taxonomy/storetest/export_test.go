package storetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
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
	Check func(ctx context.Context, patience time.Duration, open func(pubs []listing.Publication) (s taxonomy.Store, update func(pubs []listing.Publication))) error
}

// Clauses returns what Run, RunWithoutSymbols and RunUpdates check.
func Clauses() []Clause {
	once := sync.OnceValue(Publications) // creating them takes longer than any clause
	publications := func() []listing.Publication { return clone(once()) }
	var all []Clause
	for _, c := range slices.Concat(clauses(), bareClauses(), updateClauses()) {
		all = append(all, Clause{c.name, func(ctx context.Context, patience time.Duration, open func([]listing.Publication) (taxonomy.Store, func([]listing.Publication))) error {
			pubs := c.publications(publications)
			s, update := open(pubs)
			return c.check(ctx, &subject{watched{s, patience}, pubs, update})
		}})
	}
	return all
}
