package laststore_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// retryAfter is the default of [laststore.Options.RetryAfter].
const retryAfter = time.Second

var errDisk = errors.New("disk failure")

// inner is a store whose content can be changed and that can be made to fail.
type inner struct {
	mu            sync.Mutex
	store         taxonomy.Store
	index         fault
	release       fault
	health        error
	indexes, read atomic.Int64 // how often it was asked
}

// fault runs before a call, which fails with its error.
type fault func(ctx context.Context) error

func (i *inner) set(index, release fault) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.index, i.release = index, release
}

// hold makes the store hold just the publications.
func (i *inner) hold(t testing.TB, pubs ...listing.Publication) {
	t.Helper()
	store, err := memstore.New(pubs...)
	require.NoError(t, err)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.store = store
}

func (i *inner) Index(ctx context.Context) (*taxonomy.Index, error) {
	i.indexes.Add(1)
	i.mu.Lock()
	store, fault := i.store, i.index
	i.mu.Unlock()
	if fault != nil {
		if err := fault(ctx); err != nil {
			return nil, err
		}
	}
	return store.Index(ctx)
}

func (i *inner) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	i.read.Add(1)
	i.mu.Lock()
	store, fault := i.store, i.release
	i.mu.Unlock()
	if fault != nil {
		if err := fault(ctx); err != nil {
			return nil, err
		}
	}
	return store.Release(ctx, v)
}

func (i *inner) Err() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.health
}

func fails(context.Context) error { return errDisk }

func hangs(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// news keeps what a store reports.
type news struct {
	mu        sync.Mutex
	reports   []error
	recovered int
}

// open returns a store over publications, and what to make of it.
func open(t testing.TB, o laststore.Options, pubs ...listing.Publication) (*laststore.Store, *inner, *news) {
	t.Helper()
	in, n := new(inner), new(news)
	in.hold(t, pubs...)
	o.Report = func(err error) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.reports = append(n.reports, err)
	}
	o.Recovered = func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.recovered++
	}
	return must(laststore.New(in, &o)), in, n
}

// take returns the reports and the number of recoveries since the last call.
func (n *news) take() ([]error, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	reports, recovered := n.reports, n.recovered
	n.reports, n.recovered = nil, 0
	return reports, recovered
}

// troubled requires exactly one new problem that wraps an error.
func (n *news) troubled(t testing.TB, s *laststore.Store, want error) {
	t.Helper()
	reports, recovered := n.take()
	require.Len(t, reports, 1)
	require.ErrorIs(t, reports[0], want)
	require.Zero(t, recovered)
	require.ErrorIs(t, s.Err(), want)
}

// well requires that the store has just recovered.
func (n *news) well(t testing.TB, s *laststore.Store) {
	t.Helper()
	reports, recovered := n.take()
	require.Empty(t, reports)
	require.Equal(t, 1, recovered)
	require.NoError(t, s.Err())
}

// quiet requires that nothing was reported.
func (n *news) quiet(t testing.TB) {
	t.Helper()
	reports, recovered := n.take()
	require.Empty(t, reports)
	require.Zero(t, recovered)
}

func release(t testing.TB, s taxonomy.Store, v taxonomy.Version) *taxonomy.Release {
	t.Helper()
	r, err := s.Release(t.Context(), v)
	require.NoError(t, err)
	return r
}

func index(t testing.TB, s taxonomy.Store) *taxonomy.Index {
	t.Helper()
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	return x
}

// beta and stable return one publication each, and another content of the beta.
func publications(t testing.TB) (beta, changed, stable listing.Publication) {
	t.Helper()
	pubs := layouttest.Publications()
	beta, stable = pubs[5], pubs[0]
	r := beta.Release
	c := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: "Changed"}}, Locales: r.Locales(), Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	for _, e := range r.Elements() {
		c.Elements = append(c.Elements, *e)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	edited, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return beta, listing.Publication{Release: edited}, stable
}
