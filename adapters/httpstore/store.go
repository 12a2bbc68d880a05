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
	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/rollback"
	"github.com/datachain-go/datachain/taxonomy"
)

// ErrCacheDir is wrapped by the error of [Open] if [Options.CacheDir] can't be
// used.
var ErrCacheDir = copies.ErrDir

var errNotOpened = errors.New("httpstore: this Store was not made with Open")

// Store follows a datachain server. It is a [taxonomy.Notifier] and safe for
// concurrent use. Make one with [Open].
type Store struct {
	opt    Options
	base   *url.URL // ends in apiPath
	client *http.Client
	own    *http.Transport // nil if the client is the caller's
	copies *copies.Dir     // nil for none

	// ctx ends with the store, and work counts its goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	state     atomic.Pointer[state] // replaced with mu held
	releases  *published.Loader
	guard     rollback.Guard
	listeners broadcast.Hub

	mu     sync.Mutex
	closed bool
	asking chan struct{} // closed when the request for the index ends; nil for none
	pause  pause
	poll   poll
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
	s.guard.Store, s.guard.Accept = "httpstore: "+s.base.Redacted(), opt.AcceptRemovals
	s.client, s.own = newClient(opt.HTTPClient)
	if opt.CacheDir != "" {
		base := *s.base
		base.User = nil // a server with another password is the same server
		s.copies, err = copies.Open(opt.CacheDir, base.String(), copies.Options{
			MaxIndex: maxIndex, MaxFile: opt.MaxRelease,
			Report: func(err error) {
				if opt.Report != nil {
					opt.Report(fmt.Errorf("httpstore: %w", err))
				}
			},
		})
		if err != nil {
			return nil, fmt.Errorf("httpstore: %w", err)
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
	return s.copies.Close()
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

// Err returns what is wrong although calls succeed, or nil: the index went back
// ([taxonomy.ErrRollback]), so that the last good one is served. It makes no request.
func (s *Store) Err() error { return s.guard.Err() }

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

// wrap adds where an error is from.
func (s *Store) wrap(err error) error {
	return fmt.Errorf("httpstore: %s: %w", s.base.Redacted(), err)
}

func (s *Store) errClosed() error { return s.wrap(errors.New("the store is closed")) }

// notFound is the error for a version that the index does not list.
func (s *Store) notFound(v taxonomy.Version) error {
	return s.wrap(fmt.Errorf("schema version %s: %w", v, taxonomy.ErrNotFound))
}
