package httpstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// load is the reading of one release, which all who ask for it share. Its
// result is there when done is closed. Before that, the store's mu guards it.
type load struct {
	hash taxonomy.Hash
	done chan struct{}
	// stale is what to serve while the reading goes on, nil for nothing. It
	// is set where the reading before this one failed, and never changes.
	stale *taxonomy.Release

	release *taxonomy.Release
	err     error
	// lastGood is what to serve where the reading fails, nil for nothing.
	lastGood *taxonomy.Release
	// failures is how many readings failed in a row, and next when it is
	// time for another; zero where the last did not fail.
	failures int
	next     time.Time
}

// load returns the reading of a version, a new one where there is none of its
// content or it is time to try again. It reports whether the index lists the
// version.
func (s *Store) load(v taxonomy.Version) (l *load, listed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Under mu the state is the one that loads was cleared for.
	e, listed := s.state.Load().index.Lookup(v.Ref())
	if !listed {
		return nil, false
	}
	last := s.loads[v]
	same := last != nil && last.hash == e.ContentHash
	if same && (last.next.IsZero() || time.Now().Before(last.next)) {
		return last, true
	}
	l = &load{hash: e.ContentHash, done: make(chan struct{})}
	if last != nil {
		l.lastGood = last.lastGood
	}
	if same {
		l.failures = last.failures
		if s.opt.RetryAfter > 0 {
			l.stale = last.lastGood
		}
	}
	if s.closed {
		l.release = l.lastGood
		if l.release == nil {
			l.err = fmt.Errorf("httpstore: %s: schema version %s: %w", s.base.Redacted(), v, errClosed)
		}
		close(l.done)
		return l, true
	}
	s.loads[v] = l
	s.work.Go(func() { s.run(l, e) })
	return l, true
}

// run reads a release. It goes on when the callers have left, since others will
// come.
func (s *Store) run(l *load, e taxonomy.Entry) {
	r, err := s.obtain(e)
	var kept *taxonomy.Release
	if err != nil && l.lastGood == nil && !errors.Is(err, taxonomy.ErrNotFound) {
		kept = s.cache.lastGood(e.ID)
	}
	if s.wanted(e.ID, l) && s.ctx.Err() == nil {
		s.trouble.set(aboutRelease(e.ID), err)
	}
	if s.finish(l, r, kept, err) {
		s.listeners.Tell()
	}
}

// finish gives a reading its result: a release, or an error and perhaps a copy
// that was kept. It reports whether callers had to do without the release.
func (s *Store) finish(l *load, r, kept *taxonomy.Release, err error) (missed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(l.done)
	if err == nil {
		missed = l.failures > 0
		l.release, l.lastGood, l.hash, l.failures = r, r, r.ContentHash(), 0
		return missed
	}
	l.failures++
	l.next = s.retryAfter(l.failures)
	if l.lastGood == nil {
		l.lastGood = kept
	}
	if errors.Is(err, taxonomy.ErrNotFound) || l.lastGood == nil {
		l.err = err
	} else {
		l.release = l.lastGood
	}
	return false
}

// reload tries again what failed, where it is time to.
func (s *Store) reload() {
	var failed []taxonomy.Version
	s.mu.Lock()
	for v, l := range s.loads {
		if !l.next.IsZero() {
			failed = append(failed, v)
		}
	}
	s.mu.Unlock()
	for _, v := range failed {
		s.load(v)
	}
}

// wanted reports whether a reading is still that of the version: the index may
// have moved on.
func (s *Store) wanted(v taxonomy.Version, l *load) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads[v] == l
}

// obtain returns the release of an entry from the folder or from the server. A
// version may change or go between the answer with the index and that with the
// release; then the index is asked for again, and decides.
func (s *Store) obtain(e taxonomy.Entry) (*taxonomy.Release, error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.opt.ReleaseTimeout)
	defer cancel()
	if r := s.cached(e); r != nil {
		return r, nil
	}
	for range 3 {
		r, text, err := s.fetch(ctx, e.ID)
		if gone := statusOf(err) == http.StatusNotFound; err != nil && !gone {
			return nil, err
		}
		if err == nil && r.ContentHash() == e.ContentHash {
			s.keep(r, text)
			return r, nil
		}
		st, stErr := s.current(ctx, true)
		if stErr != nil {
			return nil, errors.Join(err, stErr)
		}
		now, listed := st.index.Lookup(e.ID.Ref())
		switch {
		case !listed:
			return nil, fmt.Errorf("httpstore: %s: schema version %s: %w", s.base.Redacted(), e.ID, taxonomy.ErrNotFound)
		case err == nil && now.ContentHash == r.ContentHash():
			s.keep(r, text)
			return r, nil
		case now.ContentHash == e.ContentHash && err == nil:
			return nil, fmt.Errorf("httpstore: %s: %w: it is the content %s, and the index lists %s: it is for the operator of the server to mend",
				s.releaseURL(e.ID).Redacted(), taxonomy.ErrHashMismatch, r.ContentHash(), e.ContentHash)
		case now.ContentHash == e.ContentHash:
			return nil, fmt.Errorf("the index lists %s, but there is no release: %w", e.ID, err)
		}
		e = now
	}
	return nil, fmt.Errorf("httpstore: %s: the content changes faster than it can be read: try again later", s.releaseURL(e.ID).Redacted())
}

// cached returns the release of an entry from the folder, nil where it is not
// there.
func (s *Store) cached(e taxonomy.Entry) *taxonomy.Release {
	r, err := s.cache.release(e.ID, e.ContentHash)
	if err != nil {
		s.trouble.set(aboutCache, err)
	}
	return r
}

// keep puts what the server sent into the folder. That it can't be kept does
// not hinder serving it.
func (s *Store) keep(r *taxonomy.Release, text []byte) {
	if s.cache != nil {
		s.trouble.set(aboutCache, s.cache.putRelease(r, text))
	}
}
