package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/datachain-go/datachain/taxonomy"
)

// Store returns a store that counts the reads of another. It reports changes ([taxonomy.Notifier]) if
// the other does, and has its method Err. It is always a [taxonomy.IconStore], without icons if the
// other is not one.
func (m *Metrics) Store(s taxonomy.Store) taxonomy.Store {
	c := &countedStore{
		store: s, loaded: &m.loaded,
		index: m.reader("index"), release: m.reader("release"), icon: m.reader("icon"),
	}
	c.icons, _ = s.(taxonomy.IconStore)
	c.health, _ = s.(interface{ Err() error })
	if n, ok := s.(taxonomy.Notifier); ok {
		return countedNotifier{c, n}
	}
	return c
}

// countedStore is a counted store that does not report changes.
type countedStore struct {
	store  taxonomy.Store
	icons  taxonomy.IconStore       // nil for none
	health interface{ Err() error } // nil for none
	loaded *loaded

	index, release, icon reader
}

// Err returns what the store says is wrong with it.
func (s *countedStore) Err() error {
	if s.health == nil {
		return nil
	}
	return s.health.Err()
}

var _ taxonomy.IconStore = (*countedStore)(nil)

// Index reads the index.
func (s *countedStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	begun := time.Now()
	x, err := s.store.Index(ctx)
	s.index.done(ctx, begun, err)
	if err == nil {
		s.loaded.keep(x)
	}
	return x, err
}

// Release reads a release.
func (s *countedStore) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	begun := time.Now()
	r, err := s.store.Release(ctx, v)
	s.release.done(ctx, begun, err)
	if err == nil {
		s.loaded.add(r)
	}
	return r, err
}

// Icon reads an icon.
func (s *countedStore) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	if s.icons == nil {
		return nil, none(ctx, r, "icons")
	}
	begun := time.Now()
	svg, err := s.icons.Icon(ctx, r, elementID, variant)
	s.icon.done(ctx, begun, err)
	return svg, err
}

func none(ctx context.Context, r *taxonomy.Release, things string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("release %s: the store has no %s: %w", r.Version(), things, taxonomy.ErrNotFound)
}

// countedNotifier is a counted store that reports changes.
type countedNotifier struct {
	*countedStore
	notifier taxonomy.Notifier
}

// Changes reports the changes of the store.
func (s countedNotifier) Changes(ctx context.Context) <-chan struct{} { return s.notifier.Changes(ctx) }

// reader counts the reads of one kind.
type reader struct {
	ok, notFound, canceled, failed prometheus.Counter
	duration                       prometheus.Observer
}

func (m *Metrics) reader(kind string) reader {
	return reader{
		ok:       m.reads.WithLabelValues(kind, "ok"),
		notFound: m.reads.WithLabelValues(kind, "not_found"),
		canceled: m.reads.WithLabelValues(kind, "canceled"),
		failed:   m.reads.WithLabelValues(kind, "error"),
		duration: m.reading.WithLabelValues(kind),
	}
}

// done counts a finished read. A read is canceled only if the caller left; one
// that exceeded its deadline is an error.
func (r *reader) done(ctx context.Context, begun time.Time, err error) {
	r.duration.Observe(time.Since(begun).Seconds())
	switch {
	case err == nil:
		r.ok.Inc()
	case errors.Is(err, taxonomy.ErrNotFound):
		r.notFound.Inc()
	case errors.Is(ctx.Err(), context.Canceled):
		r.canceled.Inc()
	default:
		r.failed.Inc()
	}
}

var releaseInfo = gauge("release_info", "Releases that are loaded.", "version", "content_hash")

// loaded are the releases that were read from a store and are still listed.
type loaded struct {
	mu       sync.Mutex
	releases map[*taxonomy.Release]struct{}
	index    *taxonomy.Index // by which releases were removed last
}

// add adds a release in place of the one that the version had before.
func (l *loaded) add(r *taxonomy.Release) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.releases[r]; known {
		return
	}
	if l.releases == nil {
		l.releases = make(map[*taxonomy.Release]struct{})
	}
	maps.DeleteFunc(l.releases, func(old *taxonomy.Release, _ struct{}) bool { return old.Version() == r.Version() })
	l.releases[r] = struct{}{}
}

// keep removes the releases that an index does not list.
func (l *loaded) keep(x *taxonomy.Index) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index == x {
		return
	}
	l.index = x
	maps.DeleteFunc(l.releases, func(r *taxonomy.Release, _ struct{}) bool {
		_, listed := x.Lookup(r.Version().Ref())
		return !listed
	})
}

// collector collects the releases.
func (l *loaded) collector() collector {
	return collector{[]metric{releaseInfo}, func(send sendFunc) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for r := range l.releases {
			send(releaseInfo, 1, r.Version().String(), r.ContentHash().String())
		}
	}}
}
