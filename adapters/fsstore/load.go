package fsstore

import (
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// load is the reading of one release, which all who ask for it share. Its
// result is there when done is closed. Before that, the store's mu guards it.
type load struct {
	hash taxonomy.Hash
	done chan struct{}

	release *taxonomy.Release
	err     error
	// lastGood is what to serve where the reading fails, nil for nothing.
	lastGood *taxonomy.Release
	// failed is when the reading failed; zero where it did not.
	failed time.Time
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
	if last != nil && last.hash == e.ContentHash && !last.expired(s.opt.RetryAfter) {
		return last, true
	}
	l = &load{hash: e.ContentHash, done: make(chan struct{})}
	if last != nil {
		l.lastGood = last.lastGood
	}
	s.loads[v] = l
	go s.run(l, e)
	return l, true
}

// expired reports whether a reading failed so long ago that another is due.
func (l *load) expired(retryAfter time.Duration) bool {
	return !l.failed.IsZero() && time.Since(l.failed) >= retryAfter
}

// run reads a release. It goes on when the callers have left, since others will
// come.
func (s *Store) run(l *load, e taxonomy.Entry) {
	at, _ := s.enter() // the index tells of a folder that is gone
	r, err := readRelease(at.fsys, e, &s.opt)
	at.leave()
	if err != nil {
		err = s.wrap("release "+e.ID.String(), err)
	}
	if s.wanted(e.ID, l) {
		s.report(e.ID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		l.release, l.lastGood = r, r
	case l.lastGood != nil:
		l.release, l.failed = l.lastGood, time.Now()
	default:
		l.err, l.failed = err, time.Now()
	}
	close(l.done)
}

// wanted reports whether a reading is still that of the version: the index may
// have moved on.
func (s *Store) wanted(v taxonomy.Version, l *load) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads[v] == l
}
