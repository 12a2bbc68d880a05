// Package laststore provides a [taxonomy.Store] around another store that keeps
// serving the last good data while that store fails.
//
//	store, err := laststore.New(inner, &laststore.Options{Report: logError})
//	service, err := datachain.New(store, nil)
//
// A [Store] remembers the last index and the last release of each version that
// it read. If the inner store returns an error, or does not answer in time, the
// Store serves what it remembers. If it remembers nothing, the caller gets the
// error. A context that ends limits how long a call waits: while there is
// something to serve, the inner store gets half of the time that the caller has
// left, so that the caller can still use the answer.
//
// After a failure the inner store is not called for a while, see
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
// A Store reports problems: see [Options.Report], [Options.Recovered] and [Store.Err]. An
// inner store with problems other than failed calls implements
//
//	Err() error
//
// which returns the current problem, or nil. It must be cheap: it is called after
// each read of the index.
package laststore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// defaultRetryAfter is the default of [Options.RetryAfter].
const defaultRetryAfter = time.Second

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// RetryAfter is how long a store that did not answer in time, or a release
	// that could not be read, is not asked for again; 0 means
	// a second. A release that took long to fail is not read again
	// for ten times as long as it took, up to a minute. An index that could
	// not be read, which is small, is read again after ten times as long as
	// it took, but RetryAfter at most. A negative value means that every call
	// tries again.
	RetryAfter time.Duration
	// Refresh is how long an index that was read is served without reading it
	// again. Then one call reads it, while others still get the last one. 0 or a
	// negative value means that every call reads the index.
	Refresh time.Duration
	// Fallback is asked for an index or a release if the store fails and
	// nothing is remembered, such as after a restart. It may hold older
	// content than the store.
	Fallback taxonomy.Store
	// Check is called with each new index before it is served. If it returns an error, the index
	// counts as one that could not be read. Programs refuse with it what the store does not
	// look into, such as an evolution that they can't decode; the error should wrap
	// [taxonomy.ErrRefused].
	Check func(*taxonomy.Index) error
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
	health    interface{ Err() error }                       // nil if it reports nothing
	opt       Options

	last    atomic.Pointer[snapshot] // nil until an index was read
	pause   pause                    // of the index
	created time.Time
	due     atomic.Int64 // when the index is read next, in nanoseconds after began
	// confirmed is when the store was last found to have the index that is
	// served, in nanoseconds after began; 0 for never.
	confirmed atomic.Int64

	// mu is held while last, a pause or the problems change, and while Report
	// and Recovered run, which keeps their calls in order.
	mu       sync.Mutex
	problems problems
}

var (
	_ taxonomy.IconStore = (*Store)(nil)
	_ taxonomy.Notifier  = (*Store)(nil)
)

// New returns a store that serves the given one.
func New(store taxonomy.Store, o *Options) (*Store, error) {
	if store == nil {
		return nil, errors.New("laststore: the store is nil")
	}
	s := &Store{store: store, readIndex: store.Index, created: time.Now()}
	s.icons, _ = store.(taxonomy.IconStore)
	s.health, _ = store.(interface{ Err() error })
	if o != nil {
		s.opt = *o
	}
	s.opt.RetryAfter = cmp.Or(s.opt.RetryAfter, defaultRetryAfter)
	s.problems.report, s.problems.recovered = s.opt.Report, s.opt.Recovered
	return s, nil
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
		now.Confirmed = s.created.Add(time.Duration(at))
	}
	last := s.last.Load()
	if last == nil {
		return now
	}
	for _, e := range last.entries {
		if e.upToDate() == nil && (now.Unread.IsZero() || e.listedSince.Before(now.Unread)) {
			now.Unread = e.listedSince
		}
	}
	now.HeldAliases = len(last.held)
	return now
}

// Index returns the index of the store, or the last good one.
func (s *Store) Index(ctx context.Context) (*taxonomy.Index, error) {
	snap, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	if len(snap.held) > 0 || s.Err() != nil {
		s.recheck(ctx, snap)
		snap = s.last.Load()
	}
	return snap.index, nil
}

// Release returns the release of an indexed version, or the last good one of
// that version. Compare its content hash with the index to tell them apart.
func (s *Store) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	snap, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	e := snap.entries[v]
	if e == nil {
		return nil, fmt.Errorf("laststore: schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	if r := e.upToDate(); r != nil {
		return r, nil
	}
	if !e.pause.over(s.opt.RetryAfter) {
		if last := e.release.Load(); last != nil {
			return last, nil
		}
		if err := s.recentError(e); err != nil {
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

func none(ctx context.Context, r *taxonomy.Release, what string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("laststore: release %s: the store has no %s: %w", r.Version(), what, taxonomy.ErrNotFound)
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

// snapshot is an index with the releases that were read of it.
type snapshot struct {
	// listed is what the store has returned, and index the same with aliases
	// that are held.
	listed, index *taxonomy.Index
	entries       map[taxonomy.Version]*entry
	// held are the aliases that stay at a version until another one was read.
	held map[string]move
}

// move is the change of an alias that waits for a release.
type move struct{ from, to taxonomy.Version }

// entry is the content that an index names for a version.
type entry struct {
	id   taxonomy.Version
	hash taxonomy.Hash
	// release is the last good one of the version, or nil. It may have other
	// content.
	release     atomic.Pointer[taxonomy.Release]
	pause       pause
	listedSince time.Time // when an index first named the content
}

// upToDate returns the release with the hash, or nil if it was not read yet.
func (e *entry) upToDate() *taxonomy.Release {
	if r := e.release.Load(); r != nil && r.ContentHash() == e.hash {
		return r
	}
	return nil
}

// newSnapshot returns the snapshot of an index. It keeps what the index still
// lists of the last one, which may be nil.
func newSnapshot(index *taxonomy.Index, last *snapshot) *snapshot {
	next := &snapshot{listed: index, index: index, entries: make(map[taxonomy.Version]*entry, index.Len())}
	entries := index.Entries()
	for _, listed := range entries {
		e := last.entry(listed.ID)
		if e == nil || e.hash != listed.ContentHash {
			old := e
			e = &entry{id: listed.ID, hash: listed.ContentHash, listedSince: time.Now()}
			if old != nil {
				e.release.Store(old.release.Load())
			}
		}
		next.entries[e.id] = e
	}
	if last != nil {
		next.hold(last, entries)
	}
	return next
}

// hold lets aliases stay where they were in the last snapshot if the version that the
// index moves them to was never read, and the other one was.
func (s *snapshot) hold(last *snapshot, entries []taxonomy.Entry) {
	stay := make(map[string]taxonomy.Version)
	for _, to := range entries {
		if s.entries[to.ID].release.Load() != nil {
			continue
		}
		for _, alias := range to.Aliases {
			ref, err := taxonomy.ParseRef(alias)
			if err != nil {
				continue // impossible in an index
			}
			from, ok := last.index.Lookup(ref)
			if e := s.entries[from.ID]; ok && from.ID != to.ID && e != nil && e.release.Load() != nil {
				if s.held == nil {
					s.held = make(map[string]move)
				}
				s.held[alias], stay[alias] = move{from.ID, to.ID}, from.ID
			}
		}
	}
	if len(stay) > 0 {
		s.index = s.index.WithHeld(stay)
	}
}

// heldAliases says which aliases wait for an entry, and at which version they stay, in order.
func (s *snapshot) heldAliases(e *entry) (all []string) {
	for alias, m := range s.held {
		if m.to == e.id {
			all = append(all, alias+" stays at "+m.from.String())
		}
	}
	slices.Sort(all)
	return all
}

// entry returns the entry of a version, or nil.
func (s *snapshot) entry(v taxonomy.Version) *entry {
	if s == nil {
		return nil
	}
	return s.entries[v]
}

// pause is the time for which a read that failed is not repeated. Its zero value
// is over.
type pause struct{ until atomic.Pointer[time.Time] }

// begin starts a pause. A negative one is over at once.
func (p *pause) begin(d time.Duration) {
	if d >= 0 {
		until := time.Now().Add(d)
		p.until.Store(&until)
	}
}

func (p *pause) end() { p.until.Store(nil) }

// over reports whether to read. When the time is over it is true for one caller,
// and the pause continues for the others.
func (p *pause) over(retryAfter time.Duration) bool {
	until := p.until.Load()
	if until == nil {
		return true
	}
	now := time.Now()
	next := now.Add(retryAfter)
	return !now.Before(*until) && p.until.CompareAndSwap(until, &next)
}

// The subjects of problems. That of a release is its *entry.
const (
	storeSubject = "store" // what the store reports about itself
	indexSubject = "index"
)

// problems are what is wrong now, by subject. The lock of the store guards them,
// except err.
type problems struct {
	report    func(error)
	recovered func()
	causes    map[any]error
	joined    atomic.Pointer[error]
}

// err returns all problems, or nil.
func (p *problems) err() error {
	if err := p.joined.Load(); err != nil {
		return *err
	}
	return nil
}

// set notes what is wrong with a subject, or that nothing is if err is nil. It reports only new
// problems: a store that is down fails in the same way for every release.
func (p *problems) set(subject any, err error) {
	if err == nil {
		p.drop(func(known any) bool { return known == subject })
		return
	}
	known := slices.ContainsFunc(slices.Collect(maps.Values(p.causes)), func(e error) bool { return e.Error() == err.Error() })
	if p.causes == nil {
		p.causes = make(map[any]error)
	}
	p.causes[subject] = err
	p.join()
	if p.report != nil && !known {
		p.report(err)
	}
}

// drop forgets the problems that are over.
func (p *problems) drop(over func(subject any) bool) {
	before := len(p.causes)
	maps.DeleteFunc(p.causes, func(subject any, _ error) bool { return over(subject) })
	if len(p.causes) == before {
		return
	}
	p.join()
	if len(p.causes) == 0 && p.recovered != nil {
		p.recovered()
	}
}

// join publishes the problems for err.
func (p *problems) join() {
	if len(p.causes) == 0 {
		p.joined.Store(nil)
		return
	}
	all := slices.SortedFunc(maps.Values(p.causes), func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	err := errors.Join(slices.CompactFunc(all, func(a, b error) bool { return a.Error() == b.Error() })...)
	p.joined.Store(&err)
}

// failedReleases returns the releases that have problems.
func (p *problems) failedReleases() []*entry {
	var all []*entry
	for subject := range p.causes {
		if e, ok := subject.(*entry); ok {
			all = append(all, e)
		}
	}
	return all
}
