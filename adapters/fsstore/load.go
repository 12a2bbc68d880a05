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
	// failed is when the reading failed, zero where it did not, and took how
	// long it was.
	failed time.Time
	took   time.Duration
}

// rest is how many times as long as a failed reading took the next one has to
// wait at least: a large release that stays damaged must not keep a processor
// busy.
const rest = 10

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
	if retryAfter > 0 {
		retryAfter = max(retryAfter, rest*l.took)
	}
	return !l.failed.IsZero() && time.Since(l.failed) >= retryAfter
}

// run reads a release. It goes on when the callers have left, since others will
// come.
func (s *Store) run(l *load, e taxonomy.Entry) {
	began := time.Now()
	at, _ := s.enter() // the index tells of a folder that is gone
	r, err := readRelease(at.fsys, e, &s.opt)
	at.leave()
	if err != nil {
		err = s.about("release "+e.ID.String(), err)
	}
	if s.wanted(e.ID, l) {
		s.report(e.ID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		l.release, l.lastGood = r, r
	} else {
		l.failed, l.took = time.Now(), time.Since(began)
		if l.release = l.lastGood; l.release == nil {
			l.err = err
		}
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
