package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

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
		{name: "states, retired versions and evolutions follow", check: checkAnnotations, holds: annotated, annotates: true},
		{name: "changes are reported", check: checkNotified},
		{name: "changes of states, retired versions and evolutions are reported", check: checkAnnotationsNotified, holds: annotated, annotates: true},
	}
}

// checkChangedBeta: index and release have the new content at once, and the old
// content again when that returns.
func checkChangedBeta(ctx context.Context, s *subject) error {
	if err := s.serves(ctx, s.content); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(s.content)
	s.update(changed)
	if err := s.serves(ctx, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	s.update(s.content)
	if err := s.serves(ctx, s.content); err != nil {
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
	updated := newStable(s.content)
	s.update(updated)
	if err := opens("sensor@2026-08-08-stable"); err != nil {
		return fmt.Errorf("after a version was added: %w", err)
	}
	return s.serves(ctx, updated)
}

// checkRetired: a version that was removed is not found, although it was read.
func checkRetired(ctx context.Context, s *subject) error {
	if err := s.serves(ctx, s.content); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	s.update(withoutNewest(s.content))
	if err := s.lacks(ctx, taxonomy.MustVersion("sensor@2026-02-28-stable")); err != nil {
		return fmt.Errorf("after it was retired: %w", err)
	}
	if err := s.opens(ctx, "sensor@latest", "sensor@2025-01-31-stable"); err != nil {
		return fmt.Errorf("after a newer version was retired: %w", err)
	}
	return s.serves(ctx, withoutNewest(s.content))
}

// checkOldStays: an index and releases that callers hold never change.
func checkOldStays(ctx context.Context, s *subject) error {
	index, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	releases := make([]*taxonomy.Release, len(s.content.Releases))
	for i, r := range s.content.Releases {
		if releases[i], err = s.Release(ctx, r.Version()); err != nil {
			return fmt.Errorf("release of %s: %w", r.Version(), err)
		}
	}
	for _, state := range []Content{changedBeta(s.content), withoutNewest(s.content), withoutAll(withoutNewest(s.content))} {
		s.update(state)
		if err := s.serves(ctx, state); err != nil {
			return err
		}
	}
	if err := compareVersions(index, s.content.Index); err != nil {
		return fmt.Errorf("an index from before an update: %w", err)
	}
	for i, r := range s.content.Releases {
		if err := compareRelease(releases[i], r); err != nil {
			return fmt.Errorf("%s from before an update: %w", r.Version(), err)
		}
	}
	return nil
}

// checkForwardOnly: while a beta changes, callers get all of the old or all of the
// new content, and a caller that has seen the new one in the index gets that
// release.
func checkForwardOnly(ctx context.Context, s *subject) error {
	changed := changedBeta(s.content)
	v := taxonomy.MustVersion(changedVersion)
	before, after := s.content.release(v), changed.release(v)
	done := make(chan struct{})
	errs := make([]error, 4) // of each reader
	var started, wg sync.WaitGroup
	started.Add(len(errs))
	for i := range errs {
		wg.Go(func() {
			errs[i] = s.readOnce(ctx, before, after, false)
			started.Done()
			for last := false; errs[i] == nil && !last; {
				select {
				case <-done:
					last = true // the update is done: only the new state counts
				default:
				}
				errs[i] = s.readOnce(ctx, before, after, last)
			}
		})
	}
	started.Wait()
	s.update(changed)
	close(done)
	wg.Wait()
	return errors.Join(errs...)
}

// readOnce reads the beta as one of two releases, with its index entry.
func (w *watched) readOnce(ctx context.Context, before, after *taxonomy.Release, wantAfter bool) error {
	v := before.Version()
	x, err := w.Index(ctx)
	if err != nil {
		return fmt.Errorf("index during an update: %w", err)
	}
	e, ok := x.Lookup(v.Ref())
	if !ok {
		return fmt.Errorf("index during an update of %s does not list it", v)
	}
	r, err := w.Release(ctx, v)
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

// patience is how long a clause waits for what should happen at once: the return
// of a call, or a notification.
const patience = 10 * time.Second

// errHangs is the error of a call that does not return. The remaining clauses
// would wait for it again, so they are not checked.
var errHangs = errors.New("the store hangs")

// watched is a store whose calls always return: each has a deadline, and one that
// ignores it is abandoned, with its goroutine. A call that returns neither a value
// nor an error fails, too.
type watched struct {
	store    taxonomy.Store
	patience time.Duration
}

func (w *watched) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := call(ctx, w, "Index", w.store.Index)
	if x == nil && err == nil {
		return nil, errors.New("neither an index nor an error is returned")
	}
	return x, err
}

func (w *watched) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	r, err := call(ctx, w, fmt.Sprintf("Release of %q", v), func(ctx context.Context) (*taxonomy.Release, error) {
		return w.store.Release(ctx, v)
	})
	if r == nil && err == nil {
		return nil, errors.New("neither a release nor an error is returned")
	}
	return r, err
}

func (w *watched) icon(ctx context.Context, icons taxonomy.IconStore, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return call(ctx, w, "Icon", func(ctx context.Context) ([]byte, error) { return icons.Icon(ctx, r, elementID, variant) })
}

// changes asks for notifications. They end with the context, so it does not get
// the deadline.
func (w *watched) changes(ctx context.Context, n taxonomy.Notifier) (<-chan struct{}, error) {
	changes, err := call(ctx, w, "Changes", func(context.Context) (<-chan struct{}, error) { return n.Changes(ctx), nil })
	if changes == nil && err == nil {
		return nil, errors.New("notifications: no channel is returned")
	}
	return changes, err
}

// call makes a call with a deadline, and abandons it if it does not return soon
// after that.
func call[T any](ctx context.Context, w *watched, what string, do func(context.Context) (T, error)) (answer T, err error) {
	limited, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	type result struct {
		answer T
		err    error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }() // even if the call ends its goroutine, as a failing test does
		r.answer, r.err = do(limited)
	}()
	timeout := w.patience + w.patience/10
	select {
	case r := <-done:
		if r.err != nil && limited.Err() != nil && ctx.Err() == nil {
			r.err = fmt.Errorf("%w: %s did not succeed in %v: %w", errHangs, what, w.patience, r.err)
		}
		return r.answer, r.err
	case <-time.After(timeout):
		return answer, fmt.Errorf("%w: %s did not return in %v, although its context had ended", errHangs, what, timeout)
	}
}

// checkNotifier: a channel is closed when its context ends, and others stay open.
func checkNotifier(ctx context.Context, s *subject) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	lasting, stop := context.WithCancel(ctx)
	defer stop()
	other, err := s.changes(lasting, n)
	if err != nil {
		return err
	}
	ending, end := context.WithCancel(ctx)
	defer end()
	changes, err := s.changes(ending, n)
	if err != nil {
		return err
	}
	end()
	if err := s.drain(ctx, changes); err != nil {
		return err
	}
	select {
	case _, open := <-other:
		if !open {
			return errors.New("notifications: the end of one context closed the channel of another")
		}
	default:
	}
	if changes, err = s.changes(ending, n); err != nil {
		return err
	}
	return s.drain(ctx, changes)
}

// drain waits for the end of a channel whose context has ended.
func (w *watched) drain(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	for {
		select {
		case _, open := <-changes:
			if !open {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("notifications: the channel is not closed %v after its context has ended", w.patience)
		}
	}
}

// checkNotified: a notifier reports an update to all listeners.
func checkNotified(ctx context.Context, s *subject) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	listening, stop := context.WithCancel(ctx)
	defer stop()
	var listeners [2]<-chan struct{}
	for i := range listeners {
		var err error
		if listeners[i], err = s.changes(listening, n); err != nil {
			return err
		}
	}
	for _, state := range []Content{changedBeta(s.content), newStable(s.content), withoutNewest(newStable(s.content))} {
		s.update(state)
		for _, changes := range listeners {
			if err := s.awaitChange(ctx, changes); err != nil {
				return err
			}
		}
		if err := s.lists(ctx, state); err != nil {
			return fmt.Errorf("after a change was reported: %w", err)
		}
	}
	return nil
}

// awaitChange waits for the report of an update.
func (w *watched) awaitChange(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, w.patience)
	defer cancel()
	select {
	case _, open := <-changes:
		if !open {
			return errors.New("notifications: the channel is closed before its context has ended")
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("notifications: an update was not reported in %v", w.patience)
	}
}
