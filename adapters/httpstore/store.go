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
	"github.com/datachain-go/datachain/taxonomy"
)

// errClosed ends what is under way when a store is closed.
var errClosed = errors.New("the store is closed: open another")

// Store follows a datachain server. It is a [taxonomy.Notifier] and safe for
// concurrent use. Make one with [Open].
type Store struct {
	opt    Options
	base   *url.URL // ends in apiPath
	client *http.Client
	own    *http.Transport // nil where the client is the caller's
	cache  *cache          // nil for none

	// ctx ends with the store, and work counts what runs on its own.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	// state is the index as it is known. Who replaces it holds mu.
	state     atomic.Pointer[state]
	listeners broadcast.Hub
	trouble   trouble

	mu     sync.Mutex
	closed bool
	asking *asking // the request for the index that is under way
	loads  map[taxonomy.Version]*load
	pause  pause
	poll   poll
}

var _ taxonomy.Notifier = (*Store)(nil)

// Open returns a store that follows the server at an address, such as
// https://datachain.example or that with /api/v2. It makes no request: whether
// the server can be reached shows at the first call. Close the store when it is
// no longer used.
func Open(address string, o *Options) (*Store, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{opt: opt, loads: make(map[taxonomy.Version]*load)}
	s.trouble = trouble{report: opt.Report, recovered: opt.Recovered, causes: make(map[string]error)}
	if s.base, err = parseBase(address); err != nil {
		return nil, err
	}
	s.client, s.own = newClient(opt.HTTPClient)
	first := new(state)
	if opt.CacheDir != "" {
		if s.cache, err = openCache(opt.CacheDir, s.base, opt.MaxRelease); err != nil {
			return nil, err
		}
		first = s.cachedState()
	}
	s.state.Store(first)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// Close ends all requests and releases the folder. What was read stays usable.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.work.Wait()
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
	return s.cache.close()
}

// Index returns the index of the server, at most [Options.MaxAge] old, or the
// last good one while there is none to be had. It fails only where the store
// has never had one.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	st, err := s.current(ctx, false)
	if err != nil {
		return nil, err
	}
	return st.index, nil
}

// Release returns the release of an indexed version or, while that can't be
// had, the last good one of the version. Go by the hash of the release, not by
// that of the index, where it matters which content it is. A release that is
// not what its hash says wraps [taxonomy.ErrHashMismatch].
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if _, err := s.current(ctx, false); err != nil {
		return nil, err
	}
	l, listed := s.load(v)
	if !listed {
		return nil, fmt.Errorf("httpstore: %s: schema version %s: %w", s.base.Redacted(), v, taxonomy.ErrNotFound)
	}
	if l.stale != nil { // the last try failed: nobody waits for the next
		select {
		case <-l.done:
		default:
			return l.stale, nil
		}
	}
	select {
	case <-l.done:
		return l.release, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Err returns why what the store serves may be out of date, all reasons joined,
// or nil where the last requests succeeded. It makes no request.
func (s *Store) Err() error { return s.trouble.err() }
