package s3store

import (
	"context"
	"errors"
	"fmt"
	"path"

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
	if o := s.copies.Release(e); o != nil {
		return o, nil
	}
	text, data, err := s.fetch(ctx, e)
	if err != nil {
		return nil, err
	}
	o, err := published.Open(e, s.opt.MaxSVG, text, data)
	if err == nil {
		s.copies.Put(e, text, data)
	}
	return o, err
}

// fetch requests the two objects of a release at the same time.
func (s *Store) fetch(ctx context.Context, e taxonomy.Entry) (text, data []byte, err error) {
	var both [2][]byte
	dir := published.Dir(e.ID, e.ContentHash)
	err = parallel.Each(ctx, len(both), len(both), func(_, i int) error {
		name := []string{published.ReleaseFile, published.PackOf(e.Pack)}[i]
		got, err := s.bucket.get(ctx, path.Join(dir, name), "", s.opt.MaxRelease)
		if isMissing(err) && i == 1 {
			// A directory that was copied into a bucket has the pack under the
			// name that packs have in directories.
			if old, oldErr := s.bucket.get(ctx, path.Join(dir, published.PackFile), "", s.opt.MaxRelease); oldErr == nil {
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

// Cached returns the copies in [Options.CacheDir] as a store, for
// [github.com/datachain-go/datachain/adapters/laststore.Options]. It never makes
// a request. If there is no copy of the content that the index names for a
// version, it returns the newest copy of that version.
func (s *Store) Cached() taxonomy.Store {
	return s.copies.Store(func() *taxonomy.Index {
		if st := s.state.Load(); st != nil {
			return st.index
		}
		return nil
	}, s.wrap)
}
