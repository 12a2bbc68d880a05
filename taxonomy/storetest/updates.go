package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// updateClauses are what RunUpdates checks, in this order.
func updateClauses() []clause {
	return []clause{
		{name: "a changed beta is served at the next call", check: checkChangedBeta},
		{name: "a new version takes over aliases", check: checkNewVersion},
		{name: "a retired version is not found", check: checkRetired},
		{name: "what was read before does not change", check: checkOldStays},
		{name: "callers do not see the old state again", check: checkForwardOnly},
		{name: "changes are reported", check: checkNotified},
		{name: "search indexes belong to the content", check: checkSearchUpdated},
	}
}

// checkChangedBeta: index and release have the new content at once, and the old
// content again when that returns.
func checkChangedBeta(ctx context.Context, s *subject) error {
	if err := s.serves(ctx, s.pubs); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(s.pubs)
	s.update(changed)
	if err := s.serves(ctx, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	s.update(s.pubs)
	if err := s.serves(ctx, s.pubs); err != nil {
		return fmt.Errorf("after a beta changed back: %w", err)
	}
	return nil
}

// checkNewVersion: a new version has the aliases that it takes from older ones.
func checkNewVersion(ctx context.Context, s *subject) error {
	opens := func(version string) error {
		return errors.Join(s.opens(ctx, "sensor@latest", version), s.opens(ctx, "sensor@v2", version))
	}
	if err := opens("sensor@2026-02-28-stable"); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	updated := newStable(s.pubs)
	s.update(updated)
	if err := opens("sensor@2026-08-08-stable"); err != nil {
		return fmt.Errorf("after a version was added: %w", err)
	}
	return s.serves(ctx, updated)
}

// checkRetired: a version that was removed is not found, although it was read.
func checkRetired(ctx context.Context, s *subject) error {
	if err := s.serves(ctx, s.pubs); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	s.update(withoutNewest(s.pubs))
	if err := s.lacks(ctx, taxonomy.MustVersion("sensor@2026-02-28-stable")); err != nil {
		return fmt.Errorf("after it was retired: %w", err)
	}
	if err := s.opens(ctx, "sensor@latest", "sensor@2025-01-31-stable"); err != nil {
		return fmt.Errorf("after a newer version was retired: %w", err)
	}
	return s.serves(ctx, withoutNewest(s.pubs))
}

// checkOldStays: an index and releases that callers hold never change.
func checkOldStays(ctx context.Context, s *subject) error {
	index, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	held := make([]*taxonomy.Release, len(s.pubs))
	for i, p := range s.pubs {
		if held[i], err = s.Release(ctx, p.Release.Version()); err != nil {
			return fmt.Errorf("release of %s: %w", p.Release.Version(), err)
		}
	}
	for _, state := range [][]taxonomy.Publication{changedBeta(s.pubs), withoutNewest(s.pubs), nil} {
		s.update(state)
		if err := s.serves(ctx, state); err != nil {
			return err
		}
	}
	if err := compareIndex(index, s.pubs); err != nil {
		return fmt.Errorf("an index from before an update: %w", err)
	}
	for i, p := range s.pubs {
		if err := compareRelease(held[i], p.Release); err != nil {
			return fmt.Errorf("%s from before an update: %w", p.Release.Version(), err)
		}
	}
	return nil
}

// checkForwardOnly: while a beta changes, callers get all of the old or all of the
// new content, and a caller that has seen the new one in the index gets that
// release.
func checkForwardOnly(ctx context.Context, s *subject) error {
	const readers = 4
	changed := changedBeta(s.pubs)
	before, after := s.pubs[5].Release, changed[5].Release
	started, done := make(chan struct{}, readers), make(chan struct{})
	errs := make([]error, readers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for last := false; !last; {
				select {
				case <-done:
					last = true // the update is done: only the new state counts
				default:
				}
				if err := s.readOnce(ctx, before, after, last); err != nil {
					errs[i] = err
					last = true
				}
				select {
				case started <- struct{}{}:
				default:
				}
			}
		})
	}
	for range readers {
		<-started
	}
	s.update(changed)
	close(done)
	wg.Wait()
	return errors.Join(errs...)
}

// readOnce reads the beta as one of two releases, with its index entry.
func (s *watched) readOnce(ctx context.Context, before, after *taxonomy.Release, wantAfter bool) error {
	v := before.Version()
	x, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index during an update: %w", err)
	}
	e, ok := x.Lookup(v.Ref())
	if !ok {
		return fmt.Errorf("index during an update of %s does not list it", v)
	}
	r, err := s.Release(ctx, v)
	if err != nil {
		return fmt.Errorf("release of %s during its update: %w", v, err)
	}
	old := compareRelease(r, before) == nil
	switch err := compareRelease(r, after); {
	case err != nil && !old:
		return fmt.Errorf("release of %s during its update is neither the old nor the new one: %w", v, err)
	case old && (wantAfter || e.ContentHash == after.ContentHash()):
		return fmt.Errorf("release of %s is the old one, but the new one is published", v)
	case e.ContentHash != before.ContentHash() && e.ContentHash != after.ContentHash():
		return fmt.Errorf("index during an update of %s has the hash %s, neither the old nor the new", v, e.ContentHash)
	}
	return nil
}
