package s3store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/rollback"
	"github.com/datachain-go/datachain/taxonomy"
)

var errNotOpened = errors.New("s3store: this Store was not made with Open")

// ErrCacheDir is wrapped by the error of [Open] if [Options.CacheDir] can't be
// used.
var ErrCacheDir = copies.ErrDir

// Store reads published releases from a bucket. Each release is read once, however
// many callers ask for it at the same time, and kept in memory while the index names
// it. A Store is safe for concurrent use. Make one with [Open].
type Store struct {
	opt    Options
	bucket *bucket
	copies *copies.Dir // nil for none

	// ctx ends with the store, and work counts its goroutines.
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	state    atomic.Pointer[state] // replaced with mu held
	releases *published.Loader
	guard    rollback.Guard

	mu     sync.Mutex
	closed bool
	asking *question // that is not answered yet; nil for none
}

var (
	_ taxonomy.IconStore   = (*Store)(nil)
	_ taxonomy.SearchStore = (*Store)(nil)
)

// Open returns a store that reads from an address such as s3://bucket/prefix. It
// makes no request to the bucket: the first call shows whether it can be read. Close
// the store when it is no longer used.
func Open(ctx context.Context, at string, o *Options) (*Store, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{opt: opt}
	if s.bucket, err = connect(ctx, at, &opt.Access, retries{attempts: 3, delay: time.Second}); err != nil {
		return nil, err
	}
	if opt.CacheDir != "" {
		base := s.bucket.String() + " " + s.bucket.endpoint
		s.copies, err = copies.Open(opt.CacheDir, base, copies.Options{
			MaxIndex: published.MaxIndex, MaxFile: opt.MaxRelease, MaxSVG: opt.MaxSVG, Packed: true,
			Report: func(err error) {
				if opt.Report != nil {
					opt.Report(fmt.Errorf("s3store: %w", err))
				}
			},
		})
		if err != nil {
			return nil, fmt.Errorf("s3store: %w", err)
		}
	}
	s.guard.Store, s.guard.Accept = "s3store: "+s.bucket.String(), opt.AcceptRemovals
	s.releases = published.NewLoader(published.Source{
		Read: s.read, Renew: func(ctx context.Context) (*taxonomy.Index, error) { return s.indexFor(ctx, true) },
		Wrap: s.wrap, Report: opt.Report,
	})
	first := s.copiedState()
	if first.index != nil {
		s.releases.Keep(first.index)
	}
	s.state.Store(first)
	s.ctx, s.stop = context.WithCancel(context.Background())
	if opt.Interval > 0 {
		s.work.Go(s.poll)
	}
	return s, nil
}

// Close ends all requests and releases the cache directory. Calls fail afterwards.
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
	s.bucket.close()
	return s.copies.Close()
}

// Index returns the index, at most [Options.MaxAge] old, or the last good one if that
// goes back; see [Store.Err].
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) { return s.indexFor(ctx, false) }

func (s *Store) indexFor(ctx context.Context, renew bool) (*taxonomy.Index, error) {
	st, err := s.current(ctx, renew)
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

// Icon returns a pre-baked icon, which must not be changed, or wraps
// [taxonomy.ErrNotFound].
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	return s.releases.Icon(ctx, r, elementID, variant)
}

// SearchIndex returns a published search index, which must not be changed, or
// wraps [taxonomy.ErrNotFound].
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	return s.releases.SearchIndex(ctx, r, locale)
}

// wrap adds where an error is from.
func (s *Store) wrap(err error) error { return fmt.Errorf("s3store: %s: %w", s.bucket, err) }

// Err returns what is wrong although calls succeed, or nil: the index went back
// ([taxonomy.ErrRollback]), so that the last good one is served. It makes no request.
func (s *Store) Err() error { return s.guard.Err() }

// Bound returns the content hash that a stable version is bound to, whatever the index
// lists, or wraps [taxonomy.ErrNotFound]. Publishers bind versions; the store itself
// does not compare.
func (s *Store) Bound(ctx context.Context, v taxonomy.Version) (h taxonomy.Hash, err error) {
	got, err := s.bucket.get(ctx, published.Bound(v), "", published.MaxBound)
	switch {
	case err == nil:
		h, err = published.ParseBound(got.data)
	case isMissing(err):
		err = taxonomy.ErrNotFound
	}
	if err != nil {
		return h, s.wrap(fmt.Errorf("binding of %s: %w", v, err))
	}
	return h, nil
}

func (s *Store) errClosed() error { return s.wrap(errors.New("the store is closed")) }
