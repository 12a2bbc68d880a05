package storetest

import (
	"context"
	"slices"
	"sync"
	"time"

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
	Check func(ctx context.Context, patience time.Duration, open func(c Content) (s taxonomy.Store, update func(c Content))) error
}

// Clauses returns what Run, RunWithoutSymbols, RunUnknownFields and RunUpdates check.
func Clauses() []Clause {
	once := sync.OnceValue(Sample) // creating it takes longer than any clause
	sample := func() Content { return Content{once().Index, slices.Clone(once().Releases)} }
	var all []Clause
	for _, c := range slices.Concat(clauses(), bareClauses(), unknownClauses(), updateClauses()) {
		if c.holds != nil {
			c.holds = sync.OnceValue(c.holds)
		}
		all = append(all, Clause{c.name, func(ctx context.Context, patience time.Duration, open func(Content) (taxonomy.Store, func(Content))) error {
			content := c.content(sample)
			s, update := open(content)
			return c.check(ctx, &subject{watched{s, patience}, content, update})
		}})
	}
	return all
}
