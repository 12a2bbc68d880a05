package s3store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/copies"
	"github.com/datachain-go/datachain/internal/layout"
	"github.com/datachain-go/datachain/internal/packed"
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

	state atomic.Pointer[state] // replaced with mu held

	mu       sync.Mutex
	closed   bool
	asking   *question // that is not answered yet; nil for none
	loads    map[taxonomy.Version]*load
	cacheErr error // why the last copy could not be kept or used
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
	s := &Store{opt: opt, loads: make(map[taxonomy.Version]*load)}
	if s.bucket, err = connect(ctx, at, &opt.Access, retries{attempts: 3, delay: time.Second}); err != nil {
		return nil, err
	}
	if opt.CacheDir != "" {
		base := s.bucket.String() + " " + s.bucket.endpoint
		s.copies, err = copies.Open(opt.CacheDir, base, copies.Limits{Index: layout.MaxIndex, File: opt.MaxRelease})
		if err != nil {
			return nil, fmt.Errorf("s3store: %w", err)
		}
	}
	s.state.Store(s.copiedState())
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
	s.work.Wait()
	s.bucket.close()
	return s.copies.Close()
}

// Index returns the index, at most [Options.MaxAge] old.
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
	st, err := s.current(ctx, false)
	for err == nil {
		var l *load
		if l, err = s.load(v); err != nil {
			break
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if l.err == nil {
			return l.Release, nil
		}
		// The index may name something else by now.
		now, nowErr := s.current(ctx, true)
		if nowErr != nil || now.index == st.index {
			return nil, l.err
		}
		st = now
	}
	return nil, err
}

// Icon returns a pre-baked icon, which must not be changed, or wraps
// [taxonomy.ErrNotFound].
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	p, err := s.packOf(ctx, r)
	var data []byte
	switch {
	case err != nil:
	case !taxonomy.ValidElementID(elementID) || !taxonomy.ValidID(variant):
		err = taxonomy.ErrNotFound
	default:
		data, err = p.Icon(elementID, variant)
	}
	if err != nil {
		return nil, s.about(fmt.Sprintf("release %s: icon of %q as %q", r.Version(), elementID, variant), err)
	}
	return data, nil
}

// SearchIndex returns a published search index, which must not be changed, or
// wraps [taxonomy.ErrNotFound].
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	p, err := s.packOf(ctx, r)
	var data []byte
	if err == nil {
		data, err = p.SearchIndex(locale)
	}
	if err != nil {
		return nil, s.about(fmt.Sprintf("release %s: search index for %q", r.Version(), locale), err)
	}
	return data, nil
}

// packOf returns the pack of a release.
func (s *Store) packOf(ctx context.Context, r *taxonomy.Release) (*packed.Pack, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := s.state.Load()
	if st == nil || st.index == nil {
		return nil, taxonomy.ErrNotFound
	}
	e, listed := st.index.Lookup(r.Version().Ref())
	if !listed || e.ContentHash != r.ContentHash() {
		return nil, taxonomy.ErrNotFound
	}
	l, err := s.load(e.ID)
	if err != nil {
		return nil, err
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.err == nil && l.hash != r.ContentHash() { // it has just been replaced
		return nil, taxonomy.ErrNotFound
	}
	return l.Pack, l.err
}

// Err returns what is wrong although calls succeed, or nil: a copy can't be kept or
// used. It makes no request.
func (s *Store) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cacheErr
}

// noteCache notes whether a copy could be kept or used.
func (s *Store) noteCache(subject string, err error) {
	if err != nil {
		err = fmt.Errorf("s3store: %s: %s: %w", s.copies.Path(), subject, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cacheErr = err
}

// about adds where an error is from, and what it is about.
func (s *Store) about(subject string, err error) error {
	return fmt.Errorf("s3store: %s: %s: %w", s.bucket, subject, err)
}

func (s *Store) errClosed() error { return fmt.Errorf("s3store: %s: the store is closed", s.bucket) }
