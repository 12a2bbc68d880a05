// Package memstore provides a [taxonomy.Store] in memory, for tests and for
// programs that compile or embed their schemas. It is the simplest example of a
// store.
package memstore

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/hub"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Store holds publications in memory. It is a [taxonomy.Notifier] and safe for
// concurrent use. Its zero value is an empty store.
type Store struct {
	mu        sync.Mutex
	entries   *taxonomy.Index // nil if nothing was published yet
	releases  map[taxonomy.Version]*taxonomy.Release
	listeners hub.Hub
}

var _ taxonomy.Notifier = (*Store)(nil)

// New returns a store with publications. It fails if [Store.Put] does.
func New(pubs ...listing.Publication) (*Store, error) {
	s := new(Store)
	if err := s.Put(pubs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Put publishes all publications or none: it adds new versions and replaces
// existing ones. Other content for a stable version wraps
// [taxonomy.ErrStableChanged], a version that was retired [listing.ErrRetired]
// unless [listing.Publication.Again] is set, and an alias that two versions would
// claim [taxonomy.ErrAliasConflict].
func (s *Store) Put(pubs ...listing.Publication) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, err := listing.Add(s.index(), pubs...)
	if err != nil {
		return errname.Add("memstore", err)
	}
	if s.releases == nil {
		s.releases = make(map[taxonomy.Version]*taxonomy.Release)
	}
	for _, p := range pubs {
		s.releases[p.Release.Version()] = p.Release
	}
	s.change(index)
	return nil
}

// Set makes the store hold what an index lists, with the releases of its versions, in place of
// what it held, such as a copy of another store. Unlike [Store.Put] it does not ask whether a stable
// version changes. It fails, and changes nothing, if the releases are not those of the index.
func (s *Store) Set(x *taxonomy.Index, releases ...*taxonomy.Release) error {
	if x == nil {
		return errors.New("memstore: the index is nil")
	}
	byVersion := make(map[taxonomy.Version]*taxonomy.Release, len(releases))
	for _, r := range releases {
		if r == nil {
			return errors.New("memstore: a release is nil")
		}
		e, err := x.Find(r.Version().Ref())
		if err != nil {
			return fmt.Errorf("memstore: %w", err)
		}
		if e.ContentHash != r.ContentHash() {
			return fmt.Errorf("memstore: schema version %s: %w: the index lists %s, the release has %s", e.ID, taxonomy.ErrHashMismatch, e.ContentHash, r.ContentHash())
		}
		byVersion[e.ID] = r
	}
	for _, e := range x.Entries() {
		if byVersion[e.ID] == nil {
			return fmt.Errorf("memstore: schema version %s: its release is missing", e.ID)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releases = byVersion
	s.change(x)
	return nil
}

// Evolve records what became of the ids of a datachain type, as the text of
// [taxonomy.Index.EvolutionJSON], in place of what was recorded before.
func (s *Store) Evolve(typ string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(s.index().WithEvolution(typ, text))
}

// Remove retires all versions or none. An unknown version wraps
// [taxonomy.ErrNotFound].
func (s *Store) Remove(versions ...taxonomy.Version) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	retired := make([]taxonomy.RetiredVersion, len(versions))
	for i, v := range versions {
		retired[i].ID = v
	}
	index, err := listing.Remove(s.index(), retired...)
	if err != nil {
		return errname.Add("memstore", err)
	}
	for _, v := range versions {
		delete(s.releases, v)
	}
	s.change(index)
	return nil
}

// Deprecate sets the state of a version; the zero [taxonomy.State] takes a deprecation back.
// An unknown version wraps [taxonomy.ErrNotFound].
func (s *Store) Deprecate(v taxonomy.Version, state taxonomy.State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	index, err := listing.SetState(s.index(), v, state)
	if err != nil {
		return errname.Add("memstore", err)
	}
	s.change(index)
	return nil
}

// change replaces the index and, if it differs, notifies the listeners.
func (s *Store) change(index *taxonomy.Index) {
	if !s.index().Equal(index) {
		s.entries = index
		s.listeners.Notify()
	}
}

func (s *Store) index() *taxonomy.Index {
	if s.entries == nil {
		s.entries = new(taxonomy.Index)
	}
	return s.entries
}

// Index returns the index of what the store holds.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index(), nil
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

// Changes reports changes of the index; see [taxonomy.Notifier].
func (s *Store) Changes(ctx context.Context) <-chan struct{} { return s.listeners.Listen(ctx) }
