package storetest

import (
	"context"
	"sync"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// ErrHangs and Prove are for the tests of this package, too.
var (
	ErrHangs = errHangs
	Prove    = prove
)

// Clause is a clause of either kind, for the tests of this package.
type Clause struct {
	Name string
	// Check opens a store through open, waits for it for as long as patience
	// says, and says in what it fails.
	Check func(ctx context.Context, patience time.Duration, open func(pubs []taxonomy.Publication) (s taxonomy.Store, update func(pubs []taxonomy.Publication))) error
}

// Clauses returns all that Run and RunUpdates check.
func Clauses() []Clause {
	once := sync.OnceValue(Publications) // making them takes longer than any clause
	publications := func() []taxonomy.Publication { return clone(once()) }
	var all []Clause
	for _, c := range clauses() {
		all = append(all, Clause{c.name, func(ctx context.Context, patience time.Duration, open func([]taxonomy.Publication) (taxonomy.Store, func([]taxonomy.Publication))) error {
			pubs := publications()
			if c.empty {
				pubs = nil
			}
			s, _ := open(pubs)
			return c.check(ctx, &watched{s, patience}, pubs)
		}})
	}
	for _, c := range updateClauses() {
		all = append(all, Clause{c.name, func(ctx context.Context, patience time.Duration, open func([]taxonomy.Publication) (taxonomy.Store, func([]taxonomy.Publication))) error {
			pubs := publications()
			s, update := open(pubs)
			return c.check(ctx, &watched{s, patience}, pubs, update)
		}})
	}
	return all
}
