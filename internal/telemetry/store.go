package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/datachain-go/datachain/taxonomy"
)

// Store returns a store that counts the reads of another. It reports changes
// ([taxonomy.Notifier]) if that does, and passes on its method Err, if any. It is
// always a [taxonomy.IconStore] and a [taxonomy.SearchOpener], in which nothing is
// found if the other is not one. Parts of search indexes that are read later are not
// counted.
func (m *Metrics) Store(s taxonomy.Store) taxonomy.Store {
	c := &countedStore{
		store: s, loaded: &m.loaded,
		index: m.reader("index"), release: m.reader("release"), icon: m.reader("icon"), search: m.reader("search"),
	}
	c.icons, _ = s.(taxonomy.IconStore)
	c.searches, _ = s.(taxonomy.SearchStore)
	c.parts, _ = s.(taxonomy.SearchOpener)
	c.health, _ = s.(interface{ Err() error })
	if n, ok := s.(taxonomy.Notifier); ok {
		return countedNotifier{c, n}
	}
	return c
}

// countedStore is a store that does not report changes.
type countedStore struct {
	store    taxonomy.Store
	icons    taxonomy.IconStore       // nil for none
	searches taxonomy.SearchStore     // nil for none
	parts    taxonomy.SearchOpener    // nil for none
	health   interface{ Err() error } // nil for none
	loaded   *loaded

	index, release, icon, search reader
}

// Err returns what the store says is wrong with it.
func (s *countedStore) Err() error {
	if s.health == nil {
		return nil
	}
	return s.health.Err()
}

var (
	_ taxonomy.IconStore    = (*countedStore)(nil)
	_ taxonomy.SearchOpener = (*countedStore)(nil)
)

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

// SearchIndex reads a search index.
func (s *countedStore) SearchIndex(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
	if s.searches == nil {
		return nil, none(ctx, r, "search indexes")
	}
	begun := time.Now()
	data, err := s.searches.SearchIndex(ctx, r, locale)
	s.search.done(ctx, begun, err)
	return data, err
}

// OpenSearchIndex opens a search index. One that can only be read at once is counted when
// it is.
func (s *countedStore) OpenSearchIndex(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
	if s.parts == nil {
		return nil, none(ctx, r, "search indexes to read in parts")
	}
	begun := time.Now()
	section, err := s.parts.OpenSearchIndex(ctx, r, locale)
	if !errors.Is(err, taxonomy.ErrNotFound) {
		s.search.done(ctx, begun, err)
	}
	return section, err
}

func none(ctx context.Context, r *taxonomy.Release, things string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("release %s: the store has no %s: %w", r.Version(), things, taxonomy.ErrNotFound)
}

// countedNotifier is a store that reports changes.
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
