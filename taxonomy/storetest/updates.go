package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// updateClauses are what RunUpdates checks, in this order.
func updateClauses() []updateClause {
	return []updateClause{
		{name: "a changed beta is served at the next call", check: checkChangedBeta},
		{name: "a new version takes over aliases", check: checkNewVersion},
		{name: "a retired version goes", check: checkRetired},
		{name: "what was read before stays as it was", check: checkOldStays},
		{name: "nobody goes back to the old state", check: checkForwardOnly},
		{name: "changes are told", check: checkTold},
		{name: "search indexes go with the content", check: checkSearchUpdated},
	}
}

// serves checks that a store holds the publications and no others.
func serves(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	if err := checkIndex(ctx, s, pubs); err != nil {
		return err
	}
	return checkReleases(ctx, s, pubs)
}

// checkChangedBeta: index and release show the new content at once, and again
// the old one when that returns.
func checkChangedBeta(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	if err := serves(ctx, s, pubs); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(pubs)
	update(changed)
	if err := serves(ctx, s, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	update(pubs)
	if err := serves(ctx, s, pubs); err != nil {
		return fmt.Errorf("after a beta changed back: %w", err)
	}
	return nil
}

// checkNewVersion: a new version is there, with the aliases that it takes from
// older ones.
func checkNewVersion(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	before, after := "sensor@2026-02-28-stable", "sensor@2026-08-08-stable"
	for _, alias := range []string{"sensor@latest", "sensor@v2"} {
		if err := wantOpen(ctx, s, alias, before); err != nil {
			return fmt.Errorf("at first: %w", err)
		}
	}
	updated := newStable(pubs)
	update(updated)
	for _, alias := range []string{"sensor@latest", "sensor@v2"} {
		if err := wantOpen(ctx, s, alias, after); err != nil {
			return fmt.Errorf("after a new version came: %w", err)
		}
	}
	return serves(ctx, s, updated)
}

// checkRetired: a version that was taken out is gone, though it was read.
func checkRetired(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	if err := serves(ctx, s, pubs); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	update(withoutNewest(pubs))
	if err := wantNotFound(ctx, s, taxonomy.MustVersion("sensor@2026-02-28-stable")); err != nil {
		return fmt.Errorf("after it was retired: %w", err)
	}
	if err := wantOpen(ctx, s, "sensor@latest", "sensor@2025-01-31-stable"); err != nil {
		return fmt.Errorf("after a newer version was retired: %w", err)
	}
	return serves(ctx, s, withoutNewest(pubs))
}

// checkOldStays: an index and releases that callers hold never change.
func checkOldStays(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	index, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	held := make([]*taxonomy.Release, len(pubs))
	for i, p := range pubs {
		if held[i], err = s.Release(ctx, p.Release.Version()); err != nil {
			return fmt.Errorf("release of %s: %w", p.Release.Version(), err)
		}
	}
	for _, state := range [][]taxonomy.Publication{changedBeta(pubs), withoutNewest(pubs), nil} {
		update(state)
		if err := serves(ctx, s, state); err != nil {
			return err
		}
	}
	if err := compareIndex(index, pubs); err != nil {
		return fmt.Errorf("an index from before an update: %w", err)
	}
	for i, p := range pubs {
		if err := compareRelease(held[i], p.Release); err != nil {
			return fmt.Errorf("%s from before an update: %w", p.Release.Version(), err)
		}
	}
	return nil
}

// checkForwardOnly: while a beta changes, callers get the old or the new
// content whole, and who has seen the new one in the index gets that release.
func checkForwardOnly(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	const readers = 4
	changed := changedBeta(pubs)
	before, after := pubs[5].Release, changed[5].Release
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
				if err := readOnce(ctx, s, before, after, last); err != nil {
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
	update(changed)
	close(done)
	wg.Wait()
	return errors.Join(errs...)
}

// readOnce reads the beta as one of two releases, with its index entry.
func readOnce(ctx context.Context, s *watched, before, after *taxonomy.Release, wantAfter bool) error {
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

// checkTold: a notifier tells of an update, to everyone who listens.
func checkTold(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	listening, stop := context.WithCancel(ctx)
	defer stop()
	first, err := s.changes(listening, n)
	if err != nil {
		return err
	}
	second, err := s.changes(listening, n)
	if err != nil {
		return err
	}
	for _, state := range [][]taxonomy.Publication{changedBeta(pubs), newStable(pubs), withoutNewest(pubs)} {
		update(state)
		for _, changes := range []<-chan struct{}{first, second} {
			if err := s.hear(ctx, changes); err != nil {
				return err
			}
		}
		if err := checkIndex(ctx, s, state); err != nil {
			return fmt.Errorf("after a change was told: %w", err)
		}
	}
	return nil
}

// hear waits for the word of an update.
func (s *watched) hear(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := s.limit(ctx)
	defer cancel()
	select {
	case _, open := <-changes:
		if !open {
			return errors.New("notifications: the channel is closed though its context lasts")
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("notifications: nothing was told of an update in %v", s.patience)
	}
}
