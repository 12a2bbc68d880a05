package fsstore

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/internal/packed"
	"github.com/datachain-go/datachain/taxonomy"
)

// load is one read of a release, which all callers that ask for it share. Its
// result is there when done is closed.
type load struct {
	hash taxonomy.Hash
	sum  taxonomy.Hash // of the pack; zero if the release is not packed
	done chan struct{}
	packed.Opened
	err    error
	folder *folder.Opened // that was read
}

// of reports whether a load is of what an index entry names.
func (l *load) of(e taxonomy.Entry) bool { return l.hash == e.ContentHash && l.sum == e.Pack }

// load returns the read of a version, and starts one if there is none of the
// content that the index names.
func (s *Store) load(v taxonomy.Version) (*load, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Under mu the state is the one that loads was cleared for.
	e, listed := s.state.Load().index.Lookup(v.Ref())
	if !listed {
		return nil, fmt.Errorf("fsstore: schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	l := s.loads[v]
	if l == nil || !l.of(e) {
		l = &load{hash: e.ContentHash, sum: e.Pack, done: make(chan struct{})}
		s.loads[v] = l
		go s.run(l, e)
	}
	return l, nil
}

// run reads a release. It continues if the callers leave, since others will
// come. A read that fails is forgotten, so that the next caller starts another.
func (s *Store) run(l *load, e taxonomy.Entry) {
	defer close(l.done)
	at, err := s.enter()
	l.folder = at.folder
	var o *packed.Opened
	if err == nil {
		o, err = s.readRelease(at.fsys, e)
	}
	at.leave()
	if err == nil {
		l.Opened = *o
		if o.Unfit != nil && s.opt.Report != nil {
			s.opt.Report(s.about("release "+e.ID.String(), o.Unfit))
		}
		return
	}
	l.err = s.about("release "+e.ID.String(), err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loads[e.ID] == l {
		delete(s.loads, e.ID)
	}
}
