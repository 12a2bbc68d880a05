package fsstore

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/datachain-go/datachain/internal/folder"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// state is the result of reading index.json. It never changes.
type state struct {
	index *taxonomy.Index
	text  []byte // that the index was decoded from, or that was refused
	// refused reports that index is older than text, since that goes back.
	refused bool
	// info is the file that text was read from, folder the directory that it
	// was in, and read the time.
	info   fs.FileInfo
	folder *folder.Opened
	read   time.Time
}

// settle is how much older than its reading a file must be before its time can
// be relied on: a file written again within the resolution of the file system's
// clock keeps its time.
const settle = 2 * time.Second

// covers reports whether index.json is certainly the file that was read. If a
// file system has no file identities or times, it is not certain, and the file
// is read again.
func (st *state) covers(at place) bool {
	info, err := fs.Stat(at.fsys, published.IndexFile)
	return err == nil && st.folder == at.folder && os.SameFile(st.info, info) &&
		info.Size() == st.info.Size() && info.ModTime().Equal(st.info.ModTime()) &&
		st.read.Sub(info.ModTime()) > settle
}

// current returns the state of index.json as it is now. While nothing changes
// it needs two calls to the file system: for the directory and for the file.
func (s *Store) current(ctx context.Context) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := s.state.Load()
	if st == nil {
		return nil, errNotOpened
	}
	at, err := s.enter()
	same := err == nil && st.covers(at)
	at.leave()
	if same {
		return st, nil
	}
	// One at a time, so that an older index never replaces a newer one.
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if st, err = s.readState(s.state.Load()); err != nil {
		return nil, s.wrap(err)
	}
	s.adopt(st)
	return st, nil
}

// readState reads index.json. The last state, or nil, saves decoding if nothing
// has changed.
func (s *Store) readState(last *state) (*state, error) {
	next := &state{read: time.Now()}
	at, err := s.enter()
	defer at.leave()
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	next.folder = at.folder
	if next.text, next.info, err = readFile(at.fsys, published.IndexFile, published.MaxIndex); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if last == nil {
		last = new(state)
	}
	if last.index != nil && bytes.Equal(next.text, last.text) {
		if next.index, next.refused = last.index, last.refused; !next.refused {
			s.guard.Confirm()
		}
		return next, nil
	}
	if next.index, err = taxonomy.DecodeIndex(next.text); err != nil {
		return nil, err
	}
	if next.refused = !s.guard.Take(last.index, next.index); next.refused {
		next.index = last.index
	}
	return next, nil
}

// adopt makes a state the current one.
func (s *Store) adopt(st *state) {
	if s.state.Load().index != st.index {
		s.releases.Keep(st.index)
	}
	s.state.Store(st)
}
