package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/internal/broadcast"
	"github.com/datachain-go/datachain/internal/cache"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/web/wasm/releases"
)

// store is a [taxonomy.Store] of what the page fetches. The index is read only when the
// page asks for it, so that judging never waits for the network, except for a release
// that is needed for the first time.
type store struct {
	page    Page
	changed broadcast.Hub
	loaded  *cache.Cache[key, *taxonomy.Release]

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

func newStore(page Page) *store {
	return &store{page: page, loaded: cache.New[key, *taxonomy.Release](maxLoaded, 1)}
}

var errNoIndex = errors.New("no index of schema versions was read")

// refresh reads the index.
func (s *store) refresh(ctx context.Context) error {
	text, err := s.page.Index(ctx)
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
		return fmt.Errorf("the index of schema versions is malformed: %w", err)
	}
	s.index, s.text = index, text
	s.changed.Tell()
	return nil
}

// Index returns the index that was read last.
func (s *store) Index(context.Context) (*taxonomy.Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return nil, errNoIndex
	}
	return s.index, nil
}

// entry returns the entry of a version.
func (s *store) entry(ctx context.Context, v taxonomy.Version) (taxonomy.Entry, error) {
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
func (s *store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	e, err := s.entry(ctx, v)
	if err != nil {
		return nil, err
	}
	r, failed := s.load(ctx, e)
	if failed == nil || ctx.Err() != nil {
		return r, failed
	}
	if err := s.refresh(ctx); err != nil {
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
func (s *store) load(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
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

func (s *store) fetch(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	parts, err := s.page.Release(ctx, releases.Need(e))
	if err != nil {
		return nil, fmt.Errorf("release %s: %w", e.ID, err)
	}
	r, err := parts.Decode(e)
	if err != nil {
		return nil, fmt.Errorf("release %s: %w", e.ID, err)
	}
	return r, nil
}
