package httpstore

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

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
	return nil, fmt.Errorf("httpstore: copy of the index: %w", taxonomy.ErrNotFound)
}

func (c cached) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	index, err := c.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, listed := index.Lookup(v.Ref())
	if listed {
		copies := c.store.cache
		for _, h := range append([]taxonomy.Hash{e.ContentHash}, copies.contents()[v]...) {
			if r, err := copies.release(v, h); err == nil && r != nil {
				return r, nil
			}
		}
	}
	return nil, fmt.Errorf("httpstore: copy of schema version %s: %w", v, taxonomy.ErrNotFound)
}
