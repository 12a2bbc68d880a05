package laststore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// A read that failed is repeated after retryFactor times the duration of the failure,
	// at most maxRetryDelay: a large release that stays damaged must not keep a CPU busy.
	retryFactor   = 10
	maxRetryDelay = time.Minute
	// recheckLimit is how long a call waits for releases that it did not ask
	// for.
	recheckLimit = time.Second
)

// ask reads the store. With half it gets half of the caller's time. An error is
// late if the time ran out.
func ask[T any](ctx context.Context, half bool, read func(context.Context) (T, error)) (result T, late bool, err error) {
	if end, ok := ctx.Deadline(); half && ok {
		limited, cancel := context.WithDeadline(ctx, end.Add(-time.Until(end)/2))
		defer cancel()
		ctx = limited
	}
	if result, err = read(ctx); err != nil {
		late = ctx.Err() != nil
	}
	return result, late, err
}

// current returns the index of the store with its releases, or the last good
// one.
func (s *Store) current(ctx context.Context) (*snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.store == nil {
		return nil, errors.New("laststore: this Store was not made with New")
	}
	for {
		last := s.last.Load()
		if last != nil && s.fresh() {
			return last, nil
		}
		if !s.pause.over(s.opt.RetryAfter) {
			if last != nil {
				return last, nil
			}
			if err := s.recentError(indexSubject); err != nil {
				return nil, err
			}
		}
		var started time.Time
		if s.Err() != nil {
			started = time.Now() // only then: reading the clock takes time
		}
		index, late, err := ask(ctx, last != nil || s.opt.Fallback != nil, s.readIndex)
		if err == nil {
			err = s.check(last, index)
		}
		if err != nil {
			return s.indexFailed(ctx, last, started, late, err)
		}
		// An index that another call has set meanwhile may be newer: then ask
		// again.
		if snap, ok := s.setIndex(last, index); ok {
			s.indexRead()
			return snap, nil
		}
	}
}

// check returns why an index is not served, unless it is the last one, which may be nil.
func (s *Store) check(last *snapshot, index *taxonomy.Index) error {
	if s.opt.Check == nil || last != nil && last.listed.Equal(index) {
		return nil
	}
	return s.opt.Check(index)
}

// fresh reports whether the index was read recently. When it is due, it is false for
// one caller.
func (s *Store) fresh() bool {
	if s.opt.Refresh <= 0 {
		return false
	}
	now, due := int64(time.Since(s.created)), s.due.Load()
	return now < due || !s.due.CompareAndSwap(due, now+int64(s.opt.Refresh))
}

// setIndex makes an index the current one in place of the last, and ends the
// problems of content that it no longer names. It reports false if the last index
// is no longer the current one.
func (s *Store) setIndex(last *snapshot, index *taxonomy.Index) (*snapshot, bool) {
	if last != nil && last.listed.Equal(index) {
		return last, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Load() != last {
		return nil, false
	}
	next := newSnapshot(index, last)
	s.last.Store(next)
	s.problems.drop(func(subject any) bool {
		e, ok := subject.(*entry)
		return ok && next.entry(e.id) != e
	})
	return next, true
}

// indexRead notes that the index was read. When a store that failed as a whole is
// back, its releases need not wait either.
func (s *Store) indexRead() {
	health := s.healthErr()
	if health == nil || !errors.Is(health, taxonomy.ErrRefused) {
		s.confirmed.Store(int64(time.Since(s.created)))
	}
	if health == nil && s.Err() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problems.causes[indexSubject] != nil {
		for _, e := range s.problems.failedReleases() {
			e.pause.end()
		}
	}
	s.pause.end()
	s.problems.set(storeSubject, health)
	s.problems.set(indexSubject, nil)
}

// healthErr returns what the store reports besides failed calls.
func (s *Store) healthErr() error {
	if s.health == nil {
		return nil
	}
	return s.health.Err()
}

// indexFailed returns what to serve although the index can't be read.
func (s *Store) indexFailed(ctx context.Context, last *snapshot, started time.Time, late bool, err error) (*snapshot, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, err
	}
	problem, delay := err, time.Duration(0)
	switch {
	case late:
		problem, delay = fmt.Errorf("laststore: index: the store did not answer in time: %w", err), s.opt.RetryAfter
	case !started.IsZero():
		delay = min(retryFactor*time.Since(started), s.opt.RetryAfter)
	}
	s.mu.Lock()
	s.pause.begin(delay)
	s.problems.set(indexSubject, problem)
	if last != nil {
		s.problems.set(storeSubject, s.healthErr())
	}
	s.mu.Unlock()
	if last == nil && s.opt.Fallback != nil {
		if index, e := s.opt.Fallback.Index(ctx); e == nil && s.check(nil, index) == nil {
			s.setIndex(nil, index)
		}
		last = s.last.Load()
	}
	if last == nil {
		return nil, err
	}
	return last, nil
}

// recentError returns the error of a read that is not repeated yet, or nil if it
// should be repeated: a caller may have more time than the one before.
func (s *Store) recentError(subject any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.problems.causes[subject]; !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// readRelease reads the release of an entry that was never read, or has changed
// since, in half of the caller's time or all of it.
func (s *Store) readRelease(ctx context.Context, e *entry, half bool) (*taxonomy.Release, error) {
	started := time.Now()
	r, late, err := ask(ctx, half, func(ctx context.Context) (*taxonomy.Release, error) {
		return s.store.Release(ctx, e.id)
	})
	switch {
	case err == nil:
		s.releaseRead(e, r)
		return r, nil
	case errors.Is(err, taxonomy.ErrNotFound):
		e.release.Store(nil) // it was retired after the index was read
		return nil, err
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	}
	problem, delay := err, max(s.opt.RetryAfter, min(retryFactor*time.Since(started), maxRetryDelay))
	if late {
		problem, delay = fmt.Errorf("laststore: release %s: the store did not answer in time: %w", e.id, err), s.opt.RetryAfter
	}
	if e.release.Load() == nil && s.opt.Fallback != nil {
		if r, err := s.opt.Fallback.Release(ctx, e.id); err == nil {
			s.keep(e, r)
		}
	}
	s.releaseFailed(e, problem, delay)
	if last := e.release.Load(); last != nil {
		return last, nil
	}
	return nil, err
}

// keep makes a release the last good one of a version, and moves the aliases that have
// waited for it.
func (s *Store) keep(e *entry, r *taxonomy.Release) {
	e.release.Store(r)
	if len(s.last.Load().held) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if snap := s.last.Load(); snap.entry(e.id) == e && len(snap.heldAliases(e)) > 0 {
		s.last.Store(newSnapshot(snap.listed, snap))
	}
}

func (s *Store) releaseRead(e *entry, r *taxonomy.Release) {
	s.keep(e, r)
	if s.Err() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.pause.end()
	s.problems.set(e, nil)
}

func (s *Store) releaseFailed(e *entry, problem error, delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Load().entry(e.id) != e || e.upToDate() != nil {
		return // the index names other content now, or another call has read it
	}
	if s.opt.RetryAfter >= 0 {
		e.pause.begin(delay)
	}
	if waiting := s.last.Load().heldAliases(e); len(waiting) > 0 {
		problem = fmt.Errorf("%w; until %s can be read, %s", problem, e.id, strings.Join(waiting, ", "))
	}
	s.problems.set(e, problem)
}

// recheck reads the releases that failed, so that their problems end even if no
// caller asks for them, and those that aliases wait for. A store whose index fails is
// left alone.
func (s *Store) recheck(ctx context.Context, snap *snapshot) {
	s.mu.Lock()
	failed, down := s.problems.failedReleases(), s.problems.causes[indexSubject] != nil
	s.mu.Unlock()
	if down {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recheckLimit)
	defer cancel()
	for _, e := range snap.entries {
		if len(snap.heldAliases(e)) > 0 && !slices.Contains(failed, e) && e.pause.over(s.opt.RetryAfter) {
			_, _ = s.readRelease(ctx, e, true) // which reports a failure
		}
	}
	for _, e := range failed {
		if !e.pause.over(s.opt.RetryAfter) {
			continue
		}
		r, _, err := ask(ctx, true, func(ctx context.Context) (*taxonomy.Release, error) { return s.store.Release(ctx, e.id) })
		if err == nil {
			s.releaseRead(e, r) // a failure is known already
		}
	}
}
