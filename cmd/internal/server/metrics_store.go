package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/datachain-go/datachain/taxonomy"
)

// Store returns a store that counts the reads of another. It reports changes ([taxonomy.Notifier]) if
// the other does, and has its method Err. It is always a [taxonomy.IconStore], without icons if the
// other is not one.
func (m *Metrics) Store(s taxonomy.Store) taxonomy.Store {
	c := &countedStore{
		store: s,
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
	return x, err
}

// Release reads a release.
func (s *countedStore) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	begun := time.Now()
	r, err := s.store.Release(ctx, v)
	s.release.done(ctx, begun, err)
	return r, err
}

// Icon reads an icon.
func (s *countedStore) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	if s.icons == nil {
		return nil, noIcons(ctx, r, "icons")
	}
	begun := time.Now()
	svg, err := s.icons.Icon(ctx, r, elementID, variant)
	s.icon.done(ctx, begun, err)
	return svg, err
}

func noIcons(ctx context.Context, r *taxonomy.Release, things string) error {
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
