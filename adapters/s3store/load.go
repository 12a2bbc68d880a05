package s3store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/internal/layout"
	"github.com/datachain-go/datachain/internal/packed"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/taxonomy"
)

// load is one reading of a release, which all callers that ask for it share. Its
// result is there when done is closed.
type load struct {
	hash, sum taxonomy.Hash // of the content and the pack
	done      chan struct{}
	packed.Opened
	err error
}

// of reports whether a load is of what an index entry names.
func (l *load) of(e taxonomy.Entry) bool { return l.hash == e.ContentHash && l.sum == e.Pack }

// load returns the reading of a version, and starts one if there is none of the
// content that the index names.
func (s *Store) load(v taxonomy.Version) (*load, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Under mu the state is the one that loads was cleared for.
	e, listed := s.state.Load().index.Lookup(v.Ref())
	switch {
	case !listed:
		return nil, s.about("schema version "+v.String(), taxonomy.ErrNotFound)
	case s.closed:
		return nil, s.errClosed()
	}
	l := s.loads[v]
	if l == nil || !l.of(e) {
		l = &load{hash: e.ContentHash, sum: e.Pack, done: make(chan struct{})}
		s.loads[v] = l
		s.work.Go(func() { s.run(l, e) })
	}
	return l, nil
}

// run reads a release. It continues if the callers leave, since others will
// come. A reading that fails is forgotten, so that the next caller starts another.
func (s *Store) run(l *load, e taxonomy.Entry) {
	defer close(l.done)
	ctx, cancel := context.WithTimeout(s.ctx, s.opt.ReleaseTimeout)
	defer cancel()
	o, err := s.obtain(ctx, e)
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

// obtain returns the release of an entry from its copy or from the bucket.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*packed.Opened, error) {
	if e.Pack.IsZero() {
		return nil, errors.New("it is stored in separate files, but stores in buckets are packed: publish the release again")
	}
	if o, err := s.copied(e); err == nil {
		return o, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		s.noteCache("the copy of "+e.ID.String()+" can't be used, and is fetched again", err)
	}
	text, data, err := s.fetch(ctx, e)
	if err != nil {
		return nil, err
	}
	o, err := s.verify(text, data, e)
	if err == nil && s.copies != nil {
		s.noteCache("the release "+e.ID.String()+" can't be stored", s.keep(e, text, data))
	}
	return o, err
}

// verify opens what was read of an entry.
func (s *Store) verify(text, data []byte, e taxonomy.Entry) (*packed.Opened, error) {
	return packed.Verify(packed.Memory(text), packed.Memory(data), e, path.Join(layout.Dir(e.ID, e.ContentHash), layout.PackOf(e.Pack)), s.opt.MaxSVG)
}

// fetch requests the two objects of a release at the same time.
func (s *Store) fetch(ctx context.Context, e taxonomy.Entry) (text, data []byte, err error) {
	var both [2][]byte
	dir := layout.Dir(e.ID, e.ContentHash)
	err = parallel.Each(ctx, len(both), len(both), func(_, i int) error {
		name := []string{layout.Release, layout.PackOf(e.Pack)}[i]
		got, err := s.bucket.get(ctx, path.Join(dir, name), "", s.opt.MaxRelease)
		if isMissing(err) && i == 1 {
			// A directory that was copied into a bucket has the pack under the
			// name that packs have in directories.
			if old, oldErr := s.bucket.get(ctx, path.Join(dir, layout.Pack), "", s.opt.MaxRelease); oldErr == nil {
				got, err = old, nil
			}
		}
		if err == nil {
			both[i] = got.data
		}
		return err
	})
	return both[0], both[1], err
}

// copiesOf identifies the copies of the two objects of a release.
func copiesOf(e taxonomy.Entry) [2]copies.File {
	return [2]copies.File{
		{Version: e.ID, Hash: e.ContentHash, Kind: "json"},
		{Version: e.ID, Hash: e.ContentHash, Kind: layout.PackOf(e.Pack)},
	}
}

// copied returns the copy of a release. Damaged copies are removed.
func (s *Store) copied(e taxonomy.Entry) (*packed.Opened, error) {
	files := copiesOf(e)
	text, err := s.copies.Read(files[0])
	if err != nil {
		return nil, err
	}
	data, err := s.copies.Read(files[1])
	if err != nil {
		return nil, err
	}
	o, err := s.verify(text, data, e)
	if err != nil {
		s.copies.Remove(files[0])
		s.copies.Remove(files[1])
	}
	return o, err
}

// keep stores a copy, in place of older content.
func (s *Store) keep(e taxonomy.Entry, text, data []byte) error {
	files := copiesOf(e)
	for i, content := range [][]byte{text, data} {
		if err := s.copies.Put(files[i], content); err != nil {
			return err
		}
	}
	s.copies.Only(e.ID, files[:]...)
	return nil
}

// Cached returns the copies in [Options.CacheDir] as a store, for
// [github.com/datachain-go/datachain/adapters/laststore.Options]. It never makes
// a request. If there is no copy of the content that the index names for a
// version, it returns the newest copy of that version.
func (s *Store) Cached() taxonomy.Store { return cached{s} }

type cached struct{ store *Store }

func (c cached) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st := c.store.state.Load(); st != nil && st.index != nil {
		return st.index, nil
	}
	return nil, fmt.Errorf("s3store: copy of the index: %w", taxonomy.ErrNotFound)
}

func (c cached) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	index, err := c.Index(ctx)
	if err != nil {
		return nil, err
	}
	if e, listed := index.Lookup(v.Ref()); listed {
		entries := []taxonomy.Entry{e}
		for _, f := range c.store.copies.Files()[v] {
			if sum, ok := layout.ParsePack(f.Kind); ok {
				entries = append(entries, taxonomy.Entry{ID: v, ContentHash: f.Hash, Pack: sum})
			}
		}
		for _, e := range entries {
			if o, err := c.store.copied(e); err == nil {
				return o.Release, nil
			}
		}
	}
	return nil, fmt.Errorf("s3store: copy of schema version %s: %w", v, taxonomy.ErrNotFound)
}
