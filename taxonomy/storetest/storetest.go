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
// optional interfaces ([taxonomy.IconStore], [taxonomy.SearchStore],
// [taxonomy.Notifier]) that a store implements. Run the tests with -race: that a
// store is safe for concurrent use is a clause.
package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
)

// Run proves a store. It calls open once for each clause; open returns a store
// that holds the publications, in whatever order they come, and frees it with
// t.Cleanup. A store that does not answer for ten seconds hangs: that fails the
// clause, and ends the run.
func Run(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store) {
	t.Helper()
	for _, c := range clauses() {
		ok := prove(t, c.name, func(t *testing.T) error {
			t.Helper()
			pubs := Publications()
			if c.empty {
				pubs = nil
			}
			return c.check(t.Context(), &watched{open(t, pubs), patience}, pubs)
		})
		if !ok {
			return
		}
	}
}

// RunUpdates proves a store whose content changes. As [Run] it calls open once
// for each clause; open also returns a function that makes the store hold the
// given publications and no others, the way the store is updated in earnest. A
// [taxonomy.Notifier] has ten seconds to tell of an update: let one that looks
// now and then do so more often in its test.
func RunUpdates(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) (s taxonomy.Store, update func(t *testing.T, pubs []taxonomy.Publication))) {
	t.Helper()
	for _, c := range updateClauses() {
		ok := prove(t, c.name, func(t *testing.T) error {
			t.Helper()
			pubs := Publications()
			s, update := open(t, pubs)
			return c.check(t.Context(), &watched{s, patience}, pubs, func(pubs []taxonomy.Publication) { update(t, pubs) })
		})
		if !ok {
			return
		}
	}
}

// prove runs a clause as a subtest. It reports whether to go on with the next:
// a store that hangs would cost as much time in each of them.
func prove(t *testing.T, name string, check func(t *testing.T) error) bool {
	t.Helper()
	var hangs atomic.Bool // a subtest that is parallel ends later
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if err := check(t); err != nil {
			hangs.Store(errors.Is(err, errHangs))
			t.Error(err)
		}
	})
	if hangs.Load() {
		t.Logf("The clauses after %q were not checked, since the store hangs.", name)
	}
	return !hangs.Load()
}

// clause is one thing that a store must do. It is a value whose check returns
// an error, so that it can be shown to fail where it should.
type clause struct {
	name string
	// check gets the store and the very publications that it was opened with.
	check func(ctx context.Context, s *watched, pubs []taxonomy.Publication) error
	// empty asks for a store that holds nothing.
	empty bool
}

// updateClause is one thing that a store must do when its content changes. It
// gets the store, what that holds at first, and how to change it, which only
// the goroutine of the check does.
type updateClause struct {
	name  string
	check func(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func(pubs []taxonomy.Publication)) error
}
