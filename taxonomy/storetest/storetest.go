// Package storetest proves implementations of [taxonomy.Store], one subtest a
// clause of the contract. A store that can be filled once runs
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
//			…
//		})
//	}
//
// and one whose content can change runs [RunUpdates], too. Both also check the
// optional interfaces ([taxonomy.IconStore], [taxonomy.Notifier]) that a store
// implements. Run the tests with -race: that a store is safe for concurrent use
// is a clause.
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// Run proves a store. It calls open once for each clause; open returns a store
// that holds the publications, in whatever order they come, and frees it with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store) {
	t.Helper()
	for _, c := range clauses() {
		t.Run(c.name, func(t *testing.T) {
			pubs := Publications()
			if c.empty {
				pubs = nil
			}
			s := open(t, pubs)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := c.check(ctx, s, pubs); err != nil {
				t.Error(err)
			}
		})
	}
}

// RunUpdates proves a store whose content changes. As [Run] it calls open once
// for each clause; open also returns a function that makes the store hold the
// given publications and no others, the way the store is updated in earnest.
func RunUpdates(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) (s taxonomy.Store, update func(t *testing.T, pubs []taxonomy.Publication))) {
	t.Helper()
	for _, c := range updateClauses() {
		t.Run(c.name, func(t *testing.T) {
			pubs := Publications()
			s, update := open(t, pubs)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := c.check(ctx, s, pubs, func(pubs []taxonomy.Publication) { update(t, pubs) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// patience is how long a clause waits for what should come at once.
const patience = time.Minute

// clause is one thing that a store must do. It is a value whose check returns
// an error, so that it can be shown to fail where it should.
type clause struct {
	name string
	// check gets the store and the very publications that it was opened with.
	check func(ctx context.Context, s taxonomy.Store, pubs []taxonomy.Publication) error
	// empty asks for a store that holds nothing.
	empty bool
}

// updateClause is one thing that a store must do when its content changes. It
// gets the store, what that holds at first, and how to change it, which only
// the goroutine of the check does.
type updateClause struct {
	name  string
	check func(ctx context.Context, s taxonomy.Store, pubs []taxonomy.Publication, update func(pubs []taxonomy.Publication)) error
}
