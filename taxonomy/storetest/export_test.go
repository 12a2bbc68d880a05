package storetest

import (
	"context"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// Clause is a clause of either kind, for the tests of this package.
type Clause struct {
	Name string
	// Check opens a store through open, and says in what it fails.
	Check func(ctx context.Context, open func(pubs []taxonomy.Publication) (s taxonomy.Store, update func(pubs []taxonomy.Publication))) error
}

// Clauses returns all that Run and RunUpdates check.
func Clauses() []Clause {
	once := sync.OnceValue(Publications) // making them takes longer than any clause
	publications := func() []taxonomy.Publication { return clone(once()) }
	var all []Clause
	for _, c := range clauses() {
		all = append(all, Clause{c.name, func(ctx context.Context, open func([]taxonomy.Publication) (taxonomy.Store, func([]taxonomy.Publication))) error {
			pubs := publications()
			if c.empty {
				pubs = nil
			}
			s, _ := open(pubs)
			return c.check(ctx, s, pubs)
		}})
	}
	for _, c := range updateClauses() {
		all = append(all, Clause{c.name, func(ctx context.Context, open func([]taxonomy.Publication) (taxonomy.Store, func([]taxonomy.Publication))) error {
			pubs := publications()
			s, update := open(pubs)
			return c.check(ctx, s, pubs, update)
		}})
	}
	return all
}
