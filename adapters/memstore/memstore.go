// Package memstore is a [taxonomy.Store] in memory: for tests, for programs
// that compile or embed their schemas, and as the plainest example of a store.
package memstore

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/datachain-go/datachain/internal/broadcast"
	"github.com/datachain-go/datachain/taxonomy"
)

// Store holds publications in memory. It is a [taxonomy.Notifier] and safe for
// concurrent use. Make one with [New].
type Store struct {
	mu        sync.Mutex
	index     *taxonomy.Index
	releases  map[taxonomy.Version]*taxonomy.Release
	listeners broadcast.Hub
}

var _ taxonomy.Notifier = (*Store)(nil)

// New returns a store with some publications. It fails where [Store.Put] would.
func New(pubs ...taxonomy.Publication) (*Store, error) {
	s := &Store{
		index:    new(taxonomy.Index),
		releases: make(map[taxonomy.Version]*taxonomy.Release),
	}
	if err := s.Put(pubs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Put publishes, all or nothing: new versions are added, those already there
// replaced. Other content for a stable version wraps
// [taxonomy.ErrStableChanged], an alias that two versions would claim
// [taxonomy.ErrAliasConflict].
func (s *Store) Put(pubs ...taxonomy.Publication) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, err := s.index.With(pubs...)
	if err != nil {
		return fmt.Errorf("memstore: %w", err)
	}
	for _, p := range pubs {
		s.releases[p.Release.Version()] = p.Release
	}
	s.change(index)
	return nil
}

// Remove retires versions, all or nothing. One that is not there wraps
// [taxonomy.ErrNotFound].
func (s *Store) Remove(versions ...taxonomy.Version) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, err := s.index.Without(versions...)
	if err != nil {
		return fmt.Errorf("memstore: %w", err)
	}
	for _, v := range versions {
		delete(s.releases, v)
	}
	s.change(index)
	return nil
}

// change puts an index in place and, where it differs, tells the listeners.
func (s *Store) change(index *taxonomy.Index) {
	if reflect.DeepEqual(s.index.Entries(), index.Entries()) {
		return
	}
	s.index = index
	s.listeners.Tell()
}

// Index returns the list of what the store holds.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index, nil
}

// Release returns a release, or wraps [taxonomy.ErrNotFound].
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.releases[v]
	if !ok {
		return nil, fmt.Errorf("memstore: schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	return r, nil
}

// Changes returns a channel that receives after the index has changed, until
// ctx ends and the channel is closed.
func (s *Store) Changes(ctx context.Context) <-chan struct{} { return s.listeners.Listen(ctx) }
