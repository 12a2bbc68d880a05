// Package laststore provides a [taxonomy.Store] around another store that keeps
// serving the last good data while that store fails.
//
//	store := laststore.New(inner, &laststore.Options{Report: logError})
//	service, err := datachain.New(store, nil)
//
// A [Store] remembers the last index and the last release of each version that
// it read. If the inner store returns an error, or does not answer in time, the
// Store serves what it remembers. If it remembers nothing, the caller gets the
// error. A context that ends limits how long a call waits: while there is
// something to serve, the inner store gets half of the time that the caller has
// left, so that the caller can still use the answer.
//
// After a failure the inner store is left alone for a while, see
// [Options.RetryAfter]. Then one caller at a time tries again. The index and each
// release are retried on their own, and new content is read at once.
//
// An alias that a new index moves to a version stays where it was until a release of
// that version was read, so that aliases do not fail with a version that can't be
// read. The index lists aliases as the inner store does; [taxonomy.Index.Lookup]
// follows them to where they stay. A Store reads such a version itself.
//
// Two errors are never hidden: a version that the inner store no longer has
// ([taxonomy.ErrNotFound]), and a caller's own cancellation.
//
// Programs learn about trouble from a Store: see [Options.Report],
// [Options.Recovered] and [Store.Err]. An inner store that has something to
// report besides failed calls implements
//
//	Err() error
//
// which returns what is wrong now, or nil. It must be cheap: it is called after
// each successful read of the index.
package laststore

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// DefaultRetryAfter is the default of [Options.RetryAfter].
const DefaultRetryAfter = time.Second

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// RetryAfter is how long a store that did not answer in time, or a release
	// that could not be read, is not asked for again; 0 means
	// [DefaultRetryAfter]. A release that took long to fail is not read again
	// for ten times as long as it took, up to a minute. An index that could
	// not be read, which is small, is read again after ten times as long as
	// it took, but RetryAfter at most. If RetryAfter is negative, every call
	// tries again.
	RetryAfter time.Duration
	// Refresh is how long an index that was read is served without reading it
	// again. Then one call reads it, while others still get the last one. The
	// default is to read the index for every call.
	Refresh time.Duration
	// Fallback is asked for an index or a release if the store fails and
	// nothing is remembered, such as after a restart. It may hold older
	// content than the store.
	Fallback taxonomy.Store
	// Report is called with each new problem of the store, and again if a
	// problem changes. Recovered is called when no problem is left. Calls do
	// not overlap. Neither function may block, or call methods of the Store
	// other than Err.
	Report    func(error)
	Recovered func()
}

// Store serves another store, and the last good data while that fails. It is
// safe for concurrent use. Make one with [New].
//
// While the content of the inner store does not change, Index returns the same
// pointer, so callers may cache what they derive from it.
type Store struct {
	store     taxonomy.Store
	readIndex func(context.Context) (*taxonomy.Index, error) // its method
	icons     taxonomy.IconStore                             // nil if it has no icons
	searches  taxonomy.SearchStore                           // nil if it has no search indexes
	parts     taxonomy.SearchOpener                          // nil if they can't be read in parts
	health    interface{ Err() error }                       // nil if it reports nothing
	opt       Options

	last  atomic.Pointer[snapshot] // nil until an index was read
	pause pause                    // of the index
	began time.Time
	due   atomic.Int64 // when the index is read next, in nanoseconds after began
	// confirmed is when the store was last found to have the index that is
	// served, in nanoseconds after began; 0 for never.
	confirmed atomic.Int64

	// mu is held while last, a pause or the problems change, and while Report
	// and Recovered run, which keeps their calls in order.
	mu       sync.Mutex
	problems problems
}

var (
	_ taxonomy.IconStore    = (*Store)(nil)
	_ taxonomy.SearchOpener = (*Store)(nil)
	_ taxonomy.Notifier     = (*Store)(nil)
)

// New returns a store that serves the given one.
func New(store taxonomy.Store, o *Options) *Store {
	s := &Store{store: store, readIndex: store.Index, began: time.Now()}
	s.icons, _ = store.(taxonomy.IconStore)
	s.searches, _ = store.(taxonomy.SearchStore)
	s.parts, _ = store.(taxonomy.SearchOpener)
	s.health, _ = store.(interface{ Err() error })
	if o != nil {
		s.opt = *o
	}
	s.opt.RetryAfter = cmp.Or(s.opt.RetryAfter, DefaultRetryAfter)
	s.problems.report, s.problems.recovered = s.opt.Report, s.opt.Recovered
	return s
}

// Err returns what is wrong with the store now, all problems joined, or nil. It
// does not read the store.
func (s *Store) Err() error { return s.problems.err() }

// Status describes what a [Store] serves.
type Status struct {
	// Confirmed is when the inner store was last found to have the index that is
	// served; zero if no index was read yet.
	Confirmed time.Time
	// Unread is when the index first named the content of a release that was
	// not read since: the oldest of them, or zero if all were read.
	Unread time.Time
	// HeldAliases is the number of aliases that stay at a version until
	// another one can be read.
	HeldAliases int
}

// Status returns what is served now. It does not read the store.
func (s *Store) Status() (now Status) {
	if at := s.confirmed.Load(); at > 0 {
		now.Confirmed = s.began.Add(time.Duration(at))
	}
	last := s.last.Load()
	if last == nil {
		return now
	}
	for _, e := range last.entries {
		if e.good() == nil && (now.Unread.IsZero() || e.since.Before(now.Unread)) {
			now.Unread = e.since
		}
	}
	now.HeldAliases = len(last.held)
	return now
}

// Index returns the index of the store, or the last good one.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	now, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	if len(now.held) > 0 || s.Err() != nil {
		s.recheck(ctx, now)
		now = s.last.Load()
	}
	return now.index, nil
}

// Release returns the release of an indexed version, or the last good one of
// that version. Compare its content hash with the index to tell them apart.
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	now, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	e := now.entries[v]
	if e == nil {
		return nil, fmt.Errorf("schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	if r := e.good(); r != nil {
		return r, nil
	}
	if !e.pause.over(s.opt.RetryAfter) {
		if last := e.release.Load(); last != nil {
			return last, nil
		}
		if err := s.remembered(e); err != nil {
			return nil, err
		}
	}
	return s.readRelease(ctx, e, e.release.Load() != nil || s.opt.Fallback != nil)
}

// Icon returns a pre-baked icon of the store. A store without icons is one in
// which none is found.
func (s *Store) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	if s.icons == nil {
		return nil, none(ctx, r, "icons")
	}
	return s.icons.Icon(ctx, r, elementID, variant)
}

// SearchIndex returns a search index of the store. A store without search
// indexes is one in which none is found.
func (s *Store) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	if s.searches == nil {
		return nil, none(ctx, r, "search indexes")
	}
	return s.searches.SearchIndex(ctx, r, locale)
}

// OpenSearchIndex returns a search index of the store for reading parts of it, if the
// store can do that.
func (s *Store) OpenSearchIndex(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
	if s.parts == nil {
		return nil, none(ctx, r, "search indexes to read in parts")
	}
	return s.parts.OpenSearchIndex(ctx, r, locale)
}

func none(ctx context.Context, r *taxonomy.Release, what string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("release %s: the store has no %s: %w", r.Version(), what, taxonomy.ErrNotFound)
}

// Changes reports the changes of the store; see [taxonomy.Notifier]. If the
// store does not report changes, nothing is ever received.
func (s *Store) Changes(ctx context.Context) <-chan struct{} {
	if n, ok := s.store.(taxonomy.Notifier); ok {
		return n.Changes(ctx)
	}
	never := make(chan struct{})
	context.AfterFunc(ctx, func() { close(never) })
	return never
}
