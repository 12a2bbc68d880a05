package httpstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/datachain-go/datachain/internal/trace"
	"github.com/datachain-go/datachain/taxonomy"
)

// load is one reading of a release, which all callers that ask for it share. Its
// result is there when done is closed. Before that, the store's mu guards it.
type load struct {
	hash    taxonomy.Hash
	done    chan struct{}
	release *taxonomy.Release
	err     error
	// failures is how many readings failed in a row, and next when it is time
	// for another; zero if this one did not fail.
	failures int
	next     time.Time
}

// load returns the reading of a version. It starts one if there is none of the
// content that the index names, or it is time to try again.
func (s *Store) load(ctx context.Context, v taxonomy.Version) (*load, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Under mu the state is the one that loads was cleared for.
	e, listed := s.state.Load().index.Lookup(v.Ref())
	if !listed {
		return nil, s.notFound(v)
	}
	last := s.loads[v]
	same := last != nil && last.hash == e.ContentHash
	switch {
	case same && (last.next.IsZero() || time.Now().Before(last.next)):
		return last, nil
	case s.closed:
		return nil, s.errClosed()
	}
	l := &load{hash: e.ContentHash, done: make(chan struct{})}
	if same {
		l.failures = last.failures
	}
	s.loads[v] = l
	s.work.Go(func() { s.run(trace.With(s.ctx, trace.From(ctx)), l, e) })
	return l, nil
}

// run reads a release. It continues if the callers leave, since others will
// come.
func (s *Store) run(ctx context.Context, l *load, e taxonomy.Entry) {
	r, err := s.obtain(ctx, e)
	s.mu.Lock()
	missed := l.failures > 0
	if err != nil {
		l.failures++
		l.err, l.next = err, s.retryAfter(l.failures)
	} else {
		l.release, l.hash, l.failures = r, r.ContentHash(), 0
	}
	close(l.done)
	s.mu.Unlock()
	if missed && err == nil {
		s.listeners.Tell()
	}
}

// reload tries again what failed, if it is time to.
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
		_, _ = s.load(s.ctx, v) // a version that is no longer listed needs nothing
	}
}

// obtain returns the release of an entry from its copy or from the server. A
// version may be changed or retired between the response with the index and that
// with the release; then the index is requested again, and decides.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	r, err := s.cache.release(e.ID, e.ContentHash)
	if err != nil {
		s.noteCache(err)
	} else if r != nil {
		return r, nil
	}
	for range 3 {
		r, text, err := s.fetch(ctx, e.ID)
		if missing := statusOf(err) == http.StatusNotFound; err != nil && !missing {
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
			return nil, s.notFound(e.ID)
		case err == nil && now.ContentHash == r.ContentHash():
			s.keep(r, text)
			return r, nil
		case now.ContentHash == e.ContentHash && err == nil:
			return nil, fmt.Errorf("httpstore: %s: %w: the content is %s, but the index lists %s: contact the operator of the server",
				s.releaseURL(e.ID).Redacted(), taxonomy.ErrHashMismatch, r.ContentHash(), e.ContentHash)
		case now.ContentHash == e.ContentHash:
			return nil, fmt.Errorf("the index lists %s, but there is no release: %w", e.ID, err)
		}
		e = now
	}
	return nil, fmt.Errorf("httpstore: %s: the content changes faster than it can be read: try again later", s.releaseURL(e.ID).Redacted())
}

// keep stores a copy of what the server sent. If that fails, the release is
// served all the same.
func (s *Store) keep(r *taxonomy.Release, text []byte) {
	if s.cache != nil {
		s.noteCache(s.cache.putRelease(r, text))
	}
}
