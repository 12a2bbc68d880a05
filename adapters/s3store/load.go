package s3store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/internal/layout"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// read reads a release for the loader.
func (s *Store) read(ctx context.Context, e taxonomy.Entry) (*published.Opened, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	o, err := s.obtain(ctx, e)
	if err != nil {
		return nil, s.wrap(fmt.Errorf("release %s: %w", e.ID, err))
	}
	return o, nil
}

// obtain returns the release of an entry from its copy or from the bucket.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*published.Opened, error) {
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
func (s *Store) verify(text, data []byte, e taxonomy.Entry) (*published.Opened, error) {
	return published.Verify(published.Memory(text), published.Memory(data), e, path.Join(layout.Dir(e.ID, e.ContentHash), layout.PackOf(e.Pack)), s.opt.MaxSVG)
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
func (s *Store) copied(e taxonomy.Entry) (*published.Opened, error) {
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
