package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/hub"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/taxonomy"
)

// Source is where releases come from.
type Source interface {
	// Index fetches the index of schema versions: an index.json, or what
	// GET …/schemas answers.
	Index(ctx context.Context) ([]byte, error)
	// Release fetches a release: its archive, or what GET …/release answers.
	Release(ctx context.Context, needed Needed) ([]byte, error)
}

// Store is a [taxonomy.Store] of what a source has. The index is read only by
// [Store.Refresh], so that nothing waits for the network, except for a release that is
// needed for the first time.
type Store struct {
	source  Source
	changed hub.Hub
	loaded  *lru.Cache[key, *taxonomy.Release]

	mu    sync.Mutex
	index *taxonomy.Index
	text  []byte // of the index
}

// key is a release: a version, and its content when the index was read.
type key struct {
	version taxonomy.Version
	content taxonomy.Hash
}

// maxLoaded is how many releases are kept. A document needs one.
const maxLoaded = 64

// NewStore returns a store. [Store.Refresh] must be called before it is used.
func NewStore(source Source) *Store {
	return &Store{source: source, loaded: lru.New[key, *taxonomy.Release](maxLoaded)}
}

var errIndexUnread = errors.New("no index of schema versions was read")

// Refresh reads the index. If that fails, the last one stays.
func (s *Store) Refresh(ctx context.Context) error {
	text, err := s.source.Index(ctx)
	if err != nil {
		return fmt.Errorf("the index of schema versions could not be read: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index != nil && bytes.Equal(text, s.text) {
		return nil
	}
	index, err := taxonomy.DecodeIndex(text)
	if err != nil {
		return fmt.Errorf("the index of schema versions is malformed: %w", errname.Trim(err))
	}
	s.index, s.text = index, text
	s.changed.Notify()
	return nil
}

// Changes returns a channel that receives after the index has changed, until ctx ends.
func (s *Store) Changes(ctx context.Context) <-chan struct{} { return s.changed.Listen(ctx) }

// Index returns the index that was read last.
func (s *Store) Index(context.Context) (*taxonomy.Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return nil, errIndexUnread
	}
	return s.index, nil
}

// entry returns the entry of a version.
func (s *Store) entry(ctx context.Context, v taxonomy.Version) (taxonomy.Entry, error) {
	index, err := s.Index(ctx)
	if err != nil {
		return taxonomy.Entry{}, err
	}
	e, ok := index.Lookup(v.Ref())
	if !ok {
		return e, fmt.Errorf("release %s: %w", v, taxonomy.ErrNotFound)
	}
	return e, nil
}

// Release returns a release, which is fetched once. If that fails because a beta was
// published again since the index was read, the index is read again.
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	e, err := s.entry(ctx, v)
	if err != nil {
		return nil, err
	}
	r, failed := s.load(ctx, e)
	if failed == nil || ctx.Err() != nil {
		return r, failed
	}
	if err := s.Refresh(ctx); err != nil {
		return nil, errors.Join(failed, err)
	}
	now, err := s.entry(ctx, v)
	if err != nil {
		return nil, err
	}
	if now.ContentHash == e.ContentHash {
		return nil, failed
	}
	return s.load(ctx, now)
}

// load returns the release of an entry. One that is being fetched is fetched to its end,
// even if the document that needed it has changed meanwhile.
func (s *Store) load(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	k := key{e.ID, e.ContentHash}
	if r, ok := s.loaded.Get(k); ok {
		return r, nil
	}
	type result struct {
		release *taxonomy.Release
		err     error
	}
	done := make(chan result, 1)
	go func() {
		fetching := context.WithoutCancel(ctx)
		r, err := s.loaded.Do(fetching, k, func() (*taxonomy.Release, int64, error) {
			r, err := s.fetch(fetching, e)
			return r, 1, err
		})
		done <- result{r, err}
	}()
	select {
	case got := <-done:
		return got.release, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Store) fetch(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	data, err := s.source.Release(ctx, Need(e))
	if err != nil {
		return nil, fmt.Errorf("release %s: %w", e.ID, err)
	}
	a, err := reader.Open(e, data)
	if err != nil {
		return nil, fmt.Errorf("release %s: %w", e.ID, err)
	}
	return a.Release, nil
}

// Needed is a release to fetch.
type Needed struct {
	ID          taxonomy.Version `json:"id"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	// Archive is the name of its archive in a store of published releases, or "" if the index
	// is that of a server.
	Archive string `json:"archive,omitempty"`
}

// Need returns what to fetch for an entry of the index.
func Need(e taxonomy.Entry) Needed {
	n := Needed{ID: e.ID, ContentHash: e.ContentHash}
	if !e.Archive.IsZero() {
		n.Archive = layout.ArchiveFile(e)
	}
	return n
}
