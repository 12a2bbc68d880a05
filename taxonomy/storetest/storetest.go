// Package storetest proves implementations of [taxonomy.Store], one subtest per
// clause of the contract. A store runs
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store {
//			…
//		}, nil)
//	}
//
// and one whose content can change also runs [RunUpdates]. Both also check the
// optional interfaces ([taxonomy.IconStore], [taxonomy.SearchStore],
// [taxonomy.SearchOpener], [taxonomy.Notifier]) that a store implements. Run the
// tests with -race: stores must be safe for concurrent use.
package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
)

// Options are what a suite needs besides a store. nil is enough for a store that is not a
// [taxonomy.SearchStore].
type Options struct {
	// LoadSearch loads a search index of a release and returns its locale, as Load of
	// package search and Locale of its result do. The clauses on search indexes fail
	// without it.
	LoadSearch func(r *taxonomy.Release, data []byte) (locale string, err error)
}

// Run proves a store. It calls open for each clause; open returns a store that
// holds the publications, in whatever order they are, and releases it with
// t.Cleanup. A store that does not answer for ten seconds hangs: that fails the
// clause and ends the run.
func Run(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) taxonomy.Store, o *Options) {
	t.Helper()
	run(t, clauses(), o, func(t *testing.T, pubs []taxonomy.Publication) (taxonomy.Store, func(*testing.T, []taxonomy.Publication)) {
		t.Helper()
		return open(t, pubs), nil
	})
}

// RunUpdates proves a store whose content changes. As [Run] it calls open for
// each clause; open also returns a function that makes the store hold the given
// publications and no others, in the way in which the store is really updated. A
// [taxonomy.Notifier] has ten seconds to report an update: if it polls, use a
// short interval in the test.
func RunUpdates(t *testing.T, open func(t *testing.T, pubs []taxonomy.Publication) (s taxonomy.Store, update func(t *testing.T, pubs []taxonomy.Publication)), o *Options) {
	t.Helper()
	run(t, updateClauses(), o, open)
}

func run(t *testing.T, clauses []clause, o *Options, open func(*testing.T, []taxonomy.Publication) (taxonomy.Store, func(*testing.T, []taxonomy.Publication))) {
	t.Helper()
	if o == nil {
		o = new(Options)
	}
	for _, c := range clauses {
		ok := prove(t, c.name, func(t *testing.T) error {
			t.Helper()
			pubs := Publications()
			if c.empty {
				pubs = nil
			}
			s, update := open(t, pubs)
			return c.check(t.Context(), &subject{watched{s, patience, o.LoadSearch}, pubs, func(pubs []taxonomy.Publication) { update(t, pubs) }})
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
}

// subject is the store to check.
type subject struct {
	watched
	// pubs are the very publications that it was opened with.
	pubs []taxonomy.Publication
	// update makes it hold other publications. Only the goroutine of the check
	// calls it.
	update func(pubs []taxonomy.Publication)
}

// compareIndex returns how an index differs from that of the publications.
func compareIndex(got *taxonomy.Index, pubs []taxonomy.Publication) error {
	want, err := new(taxonomy.Index).With(pubs...)
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

// checkSearch: a search index can be searched, and is of the content and locale
// that were asked for, or it is not found.
func checkSearch(ctx context.Context, s *subject) error { return s.searchable(ctx, s.pubs) }

func (s *watched) searchable(ctx context.Context, pubs []taxonomy.Publication) error {
	for _, p := range pubs {
		r, err := s.Release(ctx, p.Release.Version())
		if err != nil {
			return fmt.Errorf("release of %s: %w", p.Release.Version(), err)
		}
		if err := s.searches(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// searches checks the search indexes of one release.
func (s *watched) searches(ctx context.Context, r *taxonomy.Release) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	switch {
	case !ok:
		return nil
	case s.loadSearch == nil:
		return errors.New("the store is a taxonomy.SearchStore: set Options.LoadSearch, so that its search indexes can be checked")
	}
	for _, locale := range r.Locales() {
		what := fmt.Sprintf("search index of %s for %q", r.Version(), locale)
		data, err := s.searchIndex(ctx, indexes, r, locale)
		switch {
		case errors.Is(err, taxonomy.ErrNotFound) && data == nil:
			continue
		case err != nil:
			return wrongError(what, err, taxonomy.ErrNotFound)
		}
		got, err := s.loadSearch(r, data)
		switch {
		case err != nil:
			return fmt.Errorf("%s: the result can't be loaded: %w", what, err)
		case got != locale:
			return fmt.Errorf("%s: the result is the index for %q", what, got)
		}
		if err := s.sameInParts(ctx, r, locale, data); err != nil {
			return fmt.Errorf("%s, in parts: %w", what, err)
		}
	}
	return nil
}

// sameInParts: a search index that is read in parts is the same as at once.
func (s *watched) sameInParts(ctx context.Context, r *taxonomy.Release, locale string, want []byte) error {
	opener, ok := s.store.(taxonomy.SearchOpener)
	if !ok {
		return nil
	}
	section, err := s.openSearchIndex(ctx, opener, r, locale)
	switch {
	case errors.Is(err, taxonomy.ErrNotFound) && section == nil:
		return nil
	case err != nil:
		return wrongError("opening it", err, taxonomy.ErrNotFound)
	}
	for _, half := range []*io.SectionReader{
		io.NewSectionReader(section, section.Size()/2, section.Size()),
		io.NewSectionReader(section, 0, section.Size()/2),
	} {
		part, err := io.ReadAll(half)
		if err != nil {
			return fmt.Errorf("reading: %w", err)
		}
		if _, at, _ := half.Outer(); at > int64(len(want)) || !bytes.HasPrefix(want[at:], part) || section.Size() != int64(len(want)) {
			return errors.New("it is not the same as at once")
		}
	}
	return nil
}

// checkUnknownSearch: a search index that does not exist is not found, whatever
// the locale.
func checkUnknownSearch(ctx context.Context, s *subject) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, s.pubs[0].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	for _, locale := range []string{"de", "e", "en-", "", ".", "..", "../release", "en/../fr", "en\x00", "en.index"} {
		err := s.noFile(ctx, fmt.Sprintf("search index for %q", locale), func(ctx context.Context) ([]byte, error) {
			return s.searchIndex(ctx, indexes, r, locale)
		})
		if err != nil {
			return err
		}
		err = s.noFile(ctx, fmt.Sprintf("search index for %q, in parts", locale), func(ctx context.Context) ([]byte, error) {
			opener, ok := indexes.(taxonomy.SearchOpener)
			if !ok {
				return nil, cmp.Or(ctx.Err(), taxonomy.ErrNotFound)
			}
			section, err := s.openSearchIndex(ctx, opener, r, locale)
			if section == nil {
				return nil, err
			}
			return []byte(locale), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkSearchUpdated: with a release from before an update a caller gets the index
// of that content or none, and never that of the new content.
func checkSearchUpdated(ctx context.Context, s *subject) error {
	old, err := s.Release(ctx, s.pubs[5].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if err := s.searches(ctx, old); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(s.pubs)
	s.update(changed)
	if err := s.searchable(ctx, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	if err := s.searches(ctx, old); err != nil {
		return fmt.Errorf("of a release from before an update: %w", err)
	}
	return nil
}
