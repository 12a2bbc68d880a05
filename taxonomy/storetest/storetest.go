// Package storetest tests implementations of [taxonomy.Store], one subtest per
// clause of the contract. A store runs
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, pubs []listing.Publication) taxonomy.Store {
//			…
//		})
//	}
//
// and one whose content can change also runs [RunUpdates]. Both also check the
// optional interfaces ([taxonomy.IconStore], [taxonomy.Notifier]) that a store implements.
// Run the tests with -race: stores must be safe for concurrent use.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Run tests a store. It calls open for each clause; open returns a store that
// holds the publications, in whatever order they are, and releases it with
// t.Cleanup. A store that does not answer for ten seconds hangs: that fails the
// clause and ends the run.
func Run(t *testing.T, open func(t *testing.T, pubs []listing.Publication) taxonomy.Store) {
	t.Helper()
	run(t, clauses(), func(t *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		t.Helper()
		return open(t, pubs), nil
	})
}

// RunWithoutSymbols tests that a store can also hold releases without symbols, see
// [taxonomy.Content]: enough to validate documents. Stores of published files need not; a program
// that has its releases from elsewhere often has no symbols.
func RunWithoutSymbols(t *testing.T, open func(t *testing.T, pubs []listing.Publication) taxonomy.Store) {
	t.Helper()
	run(t, bareClauses(), func(t *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		t.Helper()
		return open(t, pubs), nil
	})
}

// RunUpdates tests a store whose content changes. As [Run] it calls open for
// each clause; open also returns a function that makes the store hold the given
// publications and no others, in the way in which the store is really updated. A
// [taxonomy.Notifier] has ten seconds to report an update: if it polls, use a
// short interval in the test.
func RunUpdates(t *testing.T, open func(t *testing.T, pubs []listing.Publication) (s taxonomy.Store, update func(t *testing.T, pubs []listing.Publication))) {
	t.Helper()
	run(t, updateClauses(), open)
}

func run(t *testing.T, clauses []clause, open func(*testing.T, []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication))) {
	t.Helper()
	for _, c := range clauses {
		ok := prove(t, c.name, func(t *testing.T) error {
			t.Helper()
			pubs := c.publications(Publications)
			s, update := open(t, pubs)
			return c.check(t.Context(), &subject{watched{s, patience}, pubs, func(pubs []listing.Publication) { update(t, pubs) }})
		})
		if !ok {
			return
		}
	}
}

// prove runs a clause as a subtest. It reports whether to continue: a store that
// hangs would cost the same time in each clause.
func prove(t *testing.T, name string, check func(t *testing.T) error) bool {
	t.Helper()
	var hangs atomic.Bool // a parallel subtest ends later
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if err := check(t); err != nil {
			hangs.Store(errors.Is(err, errHangs))
			t.Error(err)
		}
	})
	if hangs.Load() {
		t.Logf("The clauses after %q were not checked because the store hangs.", name)
	}
	return !hangs.Load()
}

// clause is one requirement. Its check returns an error, so that tests can show
// that it fails if it should.
type clause struct {
	name  string
	check func(ctx context.Context, s *subject) error
	empty bool // needs a store that holds nothing
	bare  bool // needs a store of releases without symbols
}

// publications returns what the store of a clause holds, which usually are all.
func (c clause) publications(all func() []listing.Publication) []listing.Publication {
	switch {
	case c.empty:
		return nil
	case c.bare:
		return bare()
	}
	return all()
}

// subject is the store to check.
type subject struct {
	watched
	// pubs are the very publications that it was opened with.
	pubs []listing.Publication
	// update makes it hold other publications. Only the goroutine of the check
	// calls it.
	update func(pubs []listing.Publication)
}

// compareIndex returns how an index differs from that of the publications.
func compareIndex(got *taxonomy.Index, pubs []listing.Publication) error {
	want, err := listing.Add(new(taxonomy.Index), pubs...)
	if err != nil {
		return err
	}
	g, w := got.Entries(), want.Entries()
	if len(g) != len(w) {
		return fmt.Errorf("index: %d versions are listed, want %d", len(g), len(w))
	}
	for i := range w {
		switch {
		case g[i].ID != w[i].ID:
			return fmt.Errorf("index: entry %d is %s, want %s", i, g[i].ID, w[i].ID)
		case g[i].Status != w[i].Status:
			return fmt.Errorf("index: %s: status %q, want %q", w[i].ID, g[i].Status, w[i].Status)
		case g[i].ContentHash != w[i].ContentHash:
			return fmt.Errorf("index: %s: content hash %s, want %s", w[i].ID, g[i].ContentHash, w[i].ContentHash)
		case !slices.Equal(g[i].Aliases, w[i].Aliases):
			return fmt.Errorf("index: %s: aliases %q, want %q", w[i].ID, g[i].Aliases, w[i].Aliases)
		case g[i].Released != w[i].Released:
			return fmt.Errorf("index: %s: released %q, want %q", w[i].ID, g[i].Released, w[i].Released)
		}
	}
	return nil
}

// compareRelease returns how a release differs from the published one.
func compareRelease(got, want *taxonomy.Release) error {
	switch {
	case got.Version() != want.Version():
		return fmt.Errorf("the version is %s", got.Version())
	case got.ContentHash() != want.ContentHash():
		return fmt.Errorf("the content hash is %s, want %s", got.ContentHash(), want.ContentHash())
	case !bytes.Equal(text(got), text(want)):
		return fmt.Errorf("the release.json differs: %s, want %s", text(got), text(want))
	case !slices.Equal(got.SymbolIDs(), want.SymbolIDs()):
		return fmt.Errorf("the symbols are %q, want %q", got.SymbolIDs(), want.SymbolIDs())
	}
	for _, id := range want.SymbolIDs() {
		g, _ := got.Symbol(id)
		if w, _ := want.Symbol(id); g != w {
			return fmt.Errorf("the symbol %s is %q, want %q", id, g, w)
		}
	}
	return nil
}

func text(r *taxonomy.Release) []byte {
	var b bytes.Buffer
	_, _ = r.WriteTo(&b) // a Buffer never fails
	return b.Bytes()
}

// wrongError is the error for a call that should have returned another error, and
// nothing else.
func wrongError(what string, got, want error) error {
	switch {
	case got == nil:
		return fmt.Errorf("%s: no error, want one that wraps: %w", what, want)
	case errors.Is(got, want):
		return fmt.Errorf("%s: a result beside the error, want nil and the error: %w", what, got)
	}
	return fmt.Errorf("%s: %w, want an error that wraps: %w", what, got, want)
}
