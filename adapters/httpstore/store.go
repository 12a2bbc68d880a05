package httpstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/broadcast"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

var errNotOpened = errors.New("httpstore: this Store was not made with Open")

// Store follows a datachain server. It is a [taxonomy.Notifier] and safe for
// concurrent use. Make one with [Open].
type Store struct {
	opt    Options
	base   *url.URL // ends in apiPath
	client *http.Client
	own    *http.Transport // nil if the client is the caller's
	cache  *cache          // nil for none

	// ctx ends with the store, and work counts its goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	state     atomic.Pointer[state] // replaced with mu held
	releases  *published.Loader
	listeners broadcast.Hub

	mu       sync.Mutex
	closed   bool
	asking   chan struct{} // closed when the request for the index ends; nil for none
	pause    pause
	poll     poll
	cacheErr error // why the last copy could not be kept or used
}

var _ taxonomy.Notifier = (*Store)(nil)

// Open returns a store that follows the server at a URL such as
// https://datachain.example, with or without /api/v2. It makes no request: the
// first call shows whether the server can be reached. Close the store when it is
// no longer used.
func Open(address string, o *Options) (*Store, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{opt: opt}
	if s.base, err = parseBase(address); err != nil {
		return nil, err
	}
	s.client, s.own = newClient(opt.HTTPClient)
	if opt.CacheDir != "" {
		if s.cache, err = openCache(opt.CacheDir, s.base, opt.MaxRelease); err != nil {
			return nil, err
		}
	}
	s.releases = published.NewLoader(published.Source{
		Read: s.read, Wrap: s.wrap, RetryAt: s.retryAt, Recovered: s.listeners.Tell,
	})
	first := s.cachedState()
	if first.index != nil {
		s.releases.Keep(first.index)
	}
	s.state.Store(first)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// Close ends all requests and releases the directory. Calls fail afterwards.
func (s *Store) Close() error {
	if s.ctx == nil {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.releases.Close()
	s.work.Wait()
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
	return s.cache.close()
}

// Index returns the index of the server, at most [Options.MaxAge] old.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	st, err := s.current(ctx, false)
	if err != nil {
		return nil, err
	}
	return st.index, nil
}

// Release returns the release of an indexed version. If its content does not
// match the hash in the index, the error wraps [taxonomy.ErrHashMismatch].
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	return s.releases.Release(ctx, x, v)
}

// Err returns what is wrong although calls succeed, or nil: the server lists
// other content for a stable version, or dropped versions, or a copy can't be
// kept. It makes no request.
func (s *Store) Err() error {
	st := s.state.Load()
	if st == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.cacheErr, st.changed, st.removed)
}

// noteCache notes whether a copy could be kept or used.
func (s *Store) noteCache(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cacheErr = err
}

// wrap adds where an error is from.
func (s *Store) wrap(err error) error {
	return fmt.Errorf("httpstore: %s: %w", s.base.Redacted(), err)
}

func (s *Store) errClosed() error { return s.wrap(errors.New("the store is closed")) }

// notFound is the error for a version that the index does not list.
func (s *Store) notFound(v taxonomy.Version) error {
	return s.wrap(fmt.Errorf("schema version %s: %w", v, taxonomy.ErrNotFound))
}
