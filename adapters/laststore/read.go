package laststore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/datachain-go/datachain/internal/deadline"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// A read that failed is not repeated for rest times as long as it took, at
	// most longest: a large release that stays damaged must not keep a CPU
	// busy.
	rest    = 10
	longest = time.Minute
	// recheckLimit is how long a call waits for releases that it did not ask
	// for.
	recheckLimit = time.Second
)

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
		if !s.pause.over(s.opt.RetryAfter) {
			if last != nil {
				return last, nil
			}
			if err := s.remembered(subject{about: aboutIndex}); err != nil {
				return nil, err
			}
		}
		began := time.Time{}
		if s.Err() != nil {
			began = time.Now() // only then, since the clock is slow
		}
		index, late, err := s.askIndex(ctx, last != nil)
		if err != nil {
			return s.indexFailed(ctx, last, began, late, err)
		}
		// An index that another call adopted meanwhile may be newer: then ask
		// again.
		if now, ok := s.adopt(last, index); ok {
			s.indexRead(now)
			return now, nil
		}
	}
}

// askIndex reads the index. A late error is one of a store whose time ran out.
func (s *Store) askIndex(ctx context.Context, known bool) (index *taxonomy.Index, late bool, err error) {
	limited := s.limit(ctx, known)
	if limited != nil {
		defer limited.Stop()
		ctx = limited
	}
	if index, err = s.store.Index(ctx); err != nil {
		late = ctx.Err() != nil
	}
	return index, late, err
}

// askRelease reads a release, like askIndex.
func (s *Store) askRelease(ctx context.Context, v taxonomy.Version, known bool) (r *taxonomy.Release, late bool, err error) {
	limited := s.limit(ctx, known)
	if limited != nil {
		defer limited.Stop()
		ctx = limited
	}
	if r, err = s.store.Release(ctx, v); err != nil {
		late = ctx.Err() != nil
	}
	return r, late, err
}

// limit returns a context that ends when half of the caller's time is over, or
// nil if the store can have all of it.
func (s *Store) limit(ctx context.Context, known bool) *deadline.Context {
	if !known && s.opt.Fallback == nil {
		return nil
	}
	return deadline.Half(ctx)
}

// indexRead notes that the index was read. When a store that failed as a whole is
// back, its releases need not wait either.
func (s *Store) indexRead(now *snapshot) {
	var health error
	if s.health != nil {
		health = s.health.Err()
	}
	if health == nil && s.Err() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problems.causes[subject{about: aboutIndex}] != nil {
		for _, v := range s.problems.versions() {
			if e := now.entries[v]; e != nil {
				e.pause.end()
			}
		}
	}
	s.pause.end()
	s.problems.set(subject{about: aboutStore}, health)
	s.problems.set(subject{about: aboutIndex}, nil)
}

// recheck reads the releases that failed, so that their problems end even if no
// caller asks for them. A store whose index fails is left alone.
func (s *Store) recheck(ctx context.Context, now *snapshot) {
	s.mu.Lock()
	failed, down := s.problems.versions(), s.problems.causes[subject{about: aboutIndex}] != nil
	s.mu.Unlock()
	if down {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recheckLimit)
	defer cancel()
	for _, v := range failed {
		e := now.entries[v]
		if e == nil || !e.pause.over(s.opt.RetryAfter) {
			continue
		}
		if r, _, err := s.askRelease(ctx, v, true); err == nil {
			s.releaseRead(v, e, r) // a failure is known already
		}
	}
}

// indexFailed returns what to serve although the index can't be read.
func (s *Store) indexFailed(ctx context.Context, last *snapshot, began time.Time, late bool, err error) (*snapshot, error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, err
	}
	problem, delay := err, time.Duration(0)
	switch {
	case late:
		problem, delay = fmt.Errorf("laststore: index: the store did not answer in time: %w", err), s.opt.RetryAfter
	case !began.IsZero():
		delay = min(rest*time.Since(began), s.opt.RetryAfter)
	}
	s.mu.Lock()
	s.pause.begin(delay)
	s.problems.set(subject{about: aboutIndex}, problem)
	s.mu.Unlock()
	if last == nil && s.opt.Fallback != nil {
		if index, e := s.opt.Fallback.Index(ctx); e == nil {
			s.adopt(nil, index)
		}
		last = s.last.Load()
	}
	if last == nil {
		return nil, err
	}
	return last, nil
}

// readRelease reads the release of an entry that was never read, or has changed
// since.
func (s *Store) readRelease(ctx context.Context, v taxonomy.Version, e *entry) (*taxonomy.Release, error) {
	began := time.Now()
	r, late, err := s.askRelease(ctx, v, e.release.Load() != nil)
	switch {
	case err == nil:
		s.releaseRead(v, e, r)
		return r, nil
	case errors.Is(err, taxonomy.ErrNotFound):
		e.release.Store(nil) // it was retired after the index was read
		return nil, err
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, err
	}
	problem, delay := err, max(s.opt.RetryAfter, min(rest*time.Since(began), longest))
	if late {
		problem = fmt.Errorf("laststore: release %s: the store did not answer in time: %w", v, err)
		delay = s.opt.RetryAfter
	}
	if e.release.Load() == nil && s.opt.Fallback != nil {
		if r, err := s.opt.Fallback.Release(ctx, v); err == nil {
			e.release.Store(r)
		}
	}
	s.releaseFailed(v, e, problem, delay)
	if last := e.release.Load(); last != nil {
		return last, nil
	}
	return nil, err
}

func (s *Store) releaseRead(v taxonomy.Version, e *entry, r *taxonomy.Release) {
	e.release.Store(r)
	if s.problems.err() == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.pause.end()
	if s.last.Load().entries[v] == e {
		s.problems.set(subject{aboutRelease, v}, nil)
	}
}

func (s *Store) releaseFailed(v taxonomy.Version, e *entry, problem error, delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Load().entries[v] != e || e.good() != nil {
		return // the index names other content by now, or another call has read it
	}
	if s.opt.RetryAfter >= 0 {
		e.pause.begin(delay)
	}
	s.problems.set(subject{aboutRelease, v}, problem)
}

// remembered returns the error of a read that is not repeated yet, or nil if it
// should be repeated: a caller may have more time than the one before.
func (s *Store) remembered(about subject) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.problems.causes[about]; !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// adopt makes an index the current one in place of the last, and ends the
// problems of content that it no longer names. It reports false if the last
// index is not the current one any more.
func (s *Store) adopt(last *snapshot, index *taxonomy.Index) (*snapshot, bool) {
	if last != nil && last.index == index {
		return last, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.last.Load() != last:
		return nil, false
	case last.lists(index):
		return last, true
	}
	next := newSnapshot(index, last)
	s.last.Store(next)
	s.problems.drop(func(about subject) bool {
		return about.about == aboutRelease && next.entries[about.version] != last.entries[about.version]
	})
	return next, true
}
