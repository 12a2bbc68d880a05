package fsstore

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/taxonomy"
)

// state is what a reading of index.json gave. It never changes.
type state struct {
	// index is the last good index.
	index *taxonomy.Index
	// text is what was read last, and err why it is no index.
	text []byte
	err  error
	// info is the file that text was read from, folder where that was, and
	// read when.
	info   fs.FileInfo
	folder *folder.Opened
	read   time.Time
}

// settle is how much older than its reading a file must be before its time can
// be relied on: a file written again within the resolution of the file system's
// clock keeps its time.
const settle = 2 * time.Second

// covers reports whether index.json is the file that was read, for sure. Where a
// file system has no identities or times that tell, it says no, and the file is
// read again.
func (st *state) covers(at place) bool {
	info, err := fs.Stat(at.fsys, indexFile)
	return err == nil && st.info != nil && st.folder == at.folder && os.SameFile(st.info, info) &&
		info.Size() == st.info.Size() && info.ModTime().Equal(st.info.ModTime()) &&
		st.read.Sub(info.ModTime()) > settle
}

// current returns the state of index.json as it is now. Two calls to the file
// system are enough while it stays the same: is the folder, is the file.
func (s *Store) current(ctx context.Context) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := s.state.Load()
	at, err := s.enter()
	same := err == nil && st.covers(at)
	at.leave()
	if same {
		return st, nil
	}
	// One at a time, so that nobody puts an older index over a newer one.
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	st = s.readState(s.state.Load())
	s.adopt(st)
	if st.err != nil {
		s.report(taxonomy.Version{}, s.wrap(st.err))
	} else {
		s.report(taxonomy.Version{}, nil)
	}
	return st, nil
}

// readState reads index.json. The last state gives the index where there is no
// good one, and saves decoding where nothing has changed.
func (s *Store) readState(last *state) *state {
	next := &state{index: last.index, read: time.Now()}
	at, err := s.enter()
	defer at.leave()
	if err != nil {
		next.err = fmt.Errorf("index: %w", err)
		return next
	}
	next.folder = at.folder
	next.text, next.info, err = readFile(at.fsys, indexFile, maxIndex)
	switch {
	case err != nil:
		next.err = fmt.Errorf("index: %w", err)
	case last.info != nil && bytes.Equal(next.text, last.text):
		next.err = last.err
	default:
		var index *taxonomy.Index
		if index, next.err = taxonomy.DecodeIndex(next.text); next.err == nil {
			next.index = index
		}
	}
	return next
}

// adopt makes a state the current one, and forgets what it no longer lists.
func (s *Store) adopt(st *state) {
	var gone []taxonomy.Version
	s.mu.Lock()
	if before := s.state.Swap(st); before.index != st.index {
		for v := range s.loads {
			if _, listed := st.index.Lookup(v.Ref()); !listed {
				delete(s.loads, v)
				gone = append(gone, v)
			}
		}
	}
	s.mu.Unlock()
	for _, v := range gone {
		s.report(v, nil)
	}
}
