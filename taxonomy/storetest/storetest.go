// Package storetest tests implementations of [taxonomy.Store], one subtest per
// clause of the contract. A store runs
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, c storetest.Content) taxonomy.Store {
//			…
//		})
//	}
//
// and one whose content can change also runs [RunUpdates]. Both also check the
// optional interfaces ([taxonomy.IconStore], [taxonomy.Notifier]) that a store implements.
// Run the tests with -race: stores must be safe for concurrent use.
//
// A store that by its nature has releases and nothing else, such as one whose releases are compiled
// into a program, runs [RunReleases] and [RunReleaseUpdates] instead.
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
)

// Content is what a store holds while a clause is checked.
type Content struct {
	// Index is the index that the store must return. Its record belongs to the store: it may have
	// another [taxonomy.Record.Sequence], log and archives. The SHA-256 in
	// [taxonomy.RetiredVersion.IDs] names no file.
	Index *taxonomy.Index
	// Releases are those of the versions that the index lists, in its order.
	Releases []*taxonomy.Release
}

// Opener opens a store that holds the content, and releases it with t.Cleanup.
type Opener func(t *testing.T, c Content) taxonomy.Store

// Run tests a store. It calls open for each clause. A store that does not answer
// for ten seconds hangs: that fails the clause and ends the run.
func Run(t *testing.T, open Opener) {
	t.Helper()
	run(t, clauses(), open.fixed)
}

// RunReleases tests what [Run] does, except for the annotations of an index: the states of versions,
// the retired versions and the evolutions.
func RunReleases(t *testing.T, open Opener) {
	t.Helper()
	run(t, withoutAnnotations(clauses()), open.fixed)
}

// RunWithoutSymbols tests that a store can also hold releases without symbols, see
// [taxonomy.Content]: enough to validate documents. Stores of published files need not; a program
// that has its releases from elsewhere often has no symbols.
func RunWithoutSymbols(t *testing.T, open Opener) {
	t.Helper()
	run(t, bareClauses(), open.fixed)
}

// RunUnknownFields tests that a store also keeps the fields of an index that this program does not
// know, as [taxonomy.EncodeIndex] and [taxonomy.DecodeIndex] do. Stores that keep the text of an index,
// or the index of another store, must; a store that keeps an index in columns of its own can't.
func RunUnknownFields(t *testing.T, open Opener) {
	t.Helper()
	run(t, unknownClauses(), open.fixed)
}

// RunUpdates tests a store whose content changes. As [Run] it calls open for
// each clause; open also returns a function that makes the store hold other content, in the way in
// which the store is really updated. A [taxonomy.Notifier] has ten seconds to report an update: if it
// polls, use a short interval in the test.
func RunUpdates(t *testing.T, open func(t *testing.T, c Content) (s taxonomy.Store, update func(t *testing.T, c Content))) {
	t.Helper()
	run(t, updateClauses(), open)
}

// RunReleaseUpdates tests what [RunUpdates] does, as [RunReleases] does for [Run].
func RunReleaseUpdates(t *testing.T, open func(t *testing.T, c Content) (s taxonomy.Store, update func(t *testing.T, c Content))) {
	t.Helper()
	run(t, withoutAnnotations(updateClauses()), open)
}

// fixed opens a store whose content does not change.
func (o Opener) fixed(t *testing.T, c Content) (taxonomy.Store, func(*testing.T, Content)) {
	t.Helper()
	return o(t, c), nil
}

func run(t *testing.T, clauses []clause, open func(*testing.T, Content) (taxonomy.Store, func(*testing.T, Content))) {
	t.Helper()
	for _, c := range clauses {
		ok := prove(t, c.name, func(t *testing.T) error {
			t.Helper()
			content := c.content(Sample)
			s, update := open(t, content)
			return c.check(t.Context(), &subject{watched{s, patience}, content, func(c Content) { update(t, c) }})
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
	// holds returns what the store of the clause holds, which is [Sample] if it is nil.
	holds func() Content
	// annotates means that the clause is about the annotations of an index.
	annotates bool
}

func withoutAnnotations(clauses []clause) []clause {
	return slices.DeleteFunc(clauses, func(c clause) bool { return c.annotates })
}

// content returns what the store of a clause holds, which usually is what all returns.
func (c clause) content(all func() Content) Content {
	if c.holds != nil {
		return c.holds()
	}
	return all()
}

// subject is the store to check.
type subject struct {
	watched
	// content is what it was opened with.
	content Content
	// update makes it hold other content. Only the goroutine of the check
	// calls it.
	update func(c Content)
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
