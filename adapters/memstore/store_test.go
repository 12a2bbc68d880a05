package memstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	open := func(t *testing.T, c storetest.Content) taxonomy.Store {
		t.Helper()
		s := new(memstore.Store)
		require.NoError(t, s.Set(c.Index, c.Releases...))
		return s
	}
	storetest.Run(t, open)
	storetest.RunWithoutSymbols(t, open)
	storetest.RunUnknownFields(t, open)
	storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		t.Helper()
		s := open(t, c).(*memstore.Store)
		return s, func(t *testing.T, c storetest.Content) {
			t.Helper()
			require.NoError(t, s.Set(c.Index, c.Releases...))
		}
	})
}

// TestPublications shows that publishing makes what a store is set to.
func TestPublications(t *testing.T) {
	c := storetest.Sample()
	s := open(t, layouttest.Publications())
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	require.True(t, x.Equal(c.Index))
	for _, r := range c.Releases {
		got, err := s.Release(t.Context(), r.Version())
		require.NoError(t, err)
		require.Equal(t, r.ContentHash(), got.ContentHash())
	}
}

// TestSetRefused shows that an index is set with its releases or not at all.
func TestSetRefused(t *testing.T) {
	c := storetest.Sample()
	s := new(memstore.Store)
	require.ErrorContains(t, s.Set(c.Index, c.Releases[1:]...), "memstore: schema version Draft_1-x@2026-05-05-beta: its release is missing")
	require.ErrorIs(t, s.Set(new(taxonomy.Index), c.Releases...), taxonomy.ErrNotFound)
	other := edited(t, c.Releases[0]).Release
	require.ErrorContains(t, s.Set(nil), "memstore: the index is nil")
	require.ErrorContains(t, s.Set(c.Index, nil), "memstore: a release is nil")
	require.ErrorIs(t, s.Set(c.Index, append([]*taxonomy.Release{other}, c.Releases[1:]...)...), taxonomy.ErrHashMismatch)
	require.Empty(t, entries(t, s))
}

// TestZero: the zero value is an empty store.
func TestZero(t *testing.T) {
	s := new(memstore.Store)
	require.Empty(t, entries(t, s))
	require.NoError(t, s.Put(layouttest.Publications()...))
	require.NotEmpty(t, entries(t, s))
}

func open(t *testing.T, pubs []listing.Publication) *memstore.Store {
	t.Helper()
	s, err := memstore.New(pubs...)
	require.NoError(t, err)
	return s
}

func entries(t *testing.T, s *memstore.Store) []taxonomy.Entry {
	t.Helper()
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	return x.Entries()
}

// edited returns a publication of the release with another title.
func edited(t *testing.T, r *taxonomy.Release) listing.Publication {
	t.Helper()
	c := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: "Edited"}}, Locales: r.Locales(), Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	changed, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return listing.Publication{Release: changed}
}

// TestRefused shows what is refused, and that a refusal changes nothing, not
// even if other publications of the same call are fine.
func TestRefused(t *testing.T) {
	pubs := layouttest.Publications()
	beta, stable, newest := pubs[1].Release, pubs[2].Release, pubs[4].Release
	for _, c := range []struct {
		name string
		do   func(s *memstore.Store) error
		want error
		says string
	}{
		{
			name: "another content for a stable version",
			do:   func(s *memstore.Store) error { return s.Put(edited(t, beta), edited(t, stable)) },
			want: taxonomy.ErrStableChanged, says: stable.ContentHash().String(),
		},
		{
			name: "one version twice",
			do:   func(s *memstore.Store) error { return s.Put(edited(t, beta), listing.Publication{Release: beta}) },
			says: "listed twice",
		},
		{
			name: "an alias that is taken",
			do: func(s *memstore.Store) error {
				return s.Put(listing.Publication{Release: beta, Aliases: []string{"ai@v1.0"}})
			},
			want: taxonomy.ErrAliasConflict, says: "ai@v1.0",
		},
		{
			name: "no release",
			do:   func(s *memstore.Store) error { return s.Put(edited(t, beta), listing.Publication{}) },
			says: "no release",
		},
		{
			name: "retiring what is not there",
			do: func(s *memstore.Store) error {
				return s.Remove(newest.Version(), taxonomy.MustVersion("sensor@2026-02-27-stable"))
			},
			want: taxonomy.ErrNotFound, says: "sensor@2026-02-28-stable",
		},
		{
			name: "deprecating what is not there",
			do: func(s *memstore.Store) error {
				return s.Deprecate(taxonomy.MustVersion("sensor@2026-02-27-stable"), taxonomy.State{Deprecated: "2026-11-17"})
			},
			want: taxonomy.ErrNotFound, says: "sensor@2026-02-28-stable",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, pubs)
			before, changes := entries(t, s), s.Changes(t.Context())
			err := c.do(s)
			require.ErrorContains(t, err, "memstore: ")
			require.ErrorContains(t, err, c.says)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			require.Equal(t, before, entries(t, s))
			for _, p := range pubs {
				r, err := s.Release(t.Context(), p.Release.Version())
				require.NoError(t, err)
				require.Same(t, p.Release, r)
			}
			require.Empty(t, changes)
		})
	}
}

func TestNewRefuses(t *testing.T) {
	pub := layouttest.Publications()[0]
	_, err := memstore.New(pub, pub)
	require.ErrorContains(t, err, "listed twice")
}

// TestNothingNew shows that publishing what is there already is fine, and that
// no listener is notified.
func TestNothingNew(t *testing.T) {
	s := open(t, layouttest.Publications())
	changes := s.Changes(t.Context())
	require.NoError(t, s.Put(layouttest.Publications()...))
	require.NoError(t, s.Remove())
	require.Empty(t, changes)
	require.NoError(t, s.Remove(layouttest.Publications()[0].Release.Version()))
	require.Len(t, changes, 1)
}

func TestDeprecate(t *testing.T) {
	s := open(t, layouttest.Publications())
	v, state := layouttest.Publications()[0].Release.Version(), taxonomy.State{Deprecated: "2026-11-17"}
	changes := s.Changes(t.Context())
	for _, want := range []taxonomy.State{state, state, {}} {
		require.NoError(t, s.Deprecate(v, want))
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		e, _ := x.Lookup(v.Ref())
		require.Equal(t, want, e.State)
	}
	require.NotEmpty(t, changes)
}

func Example() {
	c := storetest.Sample() // or any index with its releases
	s := new(memstore.Store)
	if err := s.Set(c.Index, c.Releases...); err != nil {
		fmt.Println(err)
		return
	}
	ref, _ := taxonomy.ParseRef("ai@latest")
	r, err := taxonomy.Open(context.Background(), s, ref)
	fmt.Println(r.Version(), err)
	// Output: ai@2026-09-01-stable <nil>
}
