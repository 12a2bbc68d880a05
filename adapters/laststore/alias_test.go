package laststore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// promoted returns a publication of a version, as a further one with the same content.
func promoted(t testing.TB, p listing.Publication, version string) listing.Publication {
	t.Helper()
	r, err := p.Release.WithVersion(taxonomy.MustVersion(version))
	require.NoError(t, err)
	return listing.Publication{Release: r}
}

// latest returns the version that an alias addresses.
func latest(ctx context.Context, t testing.TB, s *laststore.Store) string {
	t.Helper()
	ref, err := taxonomy.ParseRef("sensor@latest")
	require.NoError(t, err)
	x, err := s.Index(ctx)
	require.NoError(t, err)
	e, _ := x.Lookup(ref)
	return e.ID.String()
}

// TestAliasWaits shows that an alias stays at a version that was read until the one
// that a new index names can be read, whether that fails or hangs.
func TestAliasWaits(t *testing.T) {
	first := layouttest.Publications()[4] // sensor@2026-02-28-stable
	second := promoted(t, first, "sensor@2026-08-08-stable")
	was, is := first.Release.Version(), second.Release.Version()
	for name, c := range map[string]struct {
		fault fault
		want  error
	}{
		"fails": {fails, errDisk},
		"hangs": {hangs, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			s, in, n := open(t, laststore.Options{RetryAfter: -1}, first)
			require.Equal(t, was.String(), latest(t.Context(), t, s))
			release(t, s, was)
			require.Zero(t, s.Status().HeldAliases)
			require.Zero(t, s.Status().Unread)
			require.False(t, s.Status().Confirmed.IsZero())

			in.hold(t, first, second)
			in.set(nil, c.fault)
			started := time.Now()
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				require.Equal(t, was.String(), latest(ctx, t, s))
				require.NoError(t, ctx.Err(), "the caller has time to use the answer")
				cancel()
			}
			n.troubled(t, s, c.want)
			require.ErrorContains(t, s.Err(), "sensor@latest stays at "+was.String())
			require.Equal(t, 1, s.Status().HeldAliases)
			require.WithinRange(t, s.Status().Unread, started, time.Now())
			x, err := s.Index(t.Context())
			require.NoError(t, err)
			e, _ := x.Lookup(is.Ref())
			require.Contains(t, e.Aliases, "sensor@latest", "what is listed is what the store lists")
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err = s.Release(ctx, is)
			cancel()
			require.ErrorIs(t, err, c.want)

			in.set(nil, nil)
			require.Equal(t, is.String(), latest(t.Context(), t, s))
			n.well(t, s)
			require.Zero(t, s.Status().HeldAliases)
			require.Zero(t, s.Status().Unread)
			same, err := s.Index(t.Context())
			require.NoError(t, err)
			again, err := s.Index(t.Context())
			require.NoError(t, err)
			require.Same(t, same, again)
		})
	}
}

// TestAliasMoves shows when an alias moves at once.
func TestAliasMoves(t *testing.T) {
	first := layouttest.Publications()[4]
	second := promoted(t, first, "sensor@2026-08-08-stable")
	is := second.Release.Version().String()
	t.Run("the version can be read", func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, first)
		release(t, s, first.Release.Version())
		in.hold(t, first, second)
		require.Equal(t, is, latest(t.Context(), t, s))
		n.quiet(t)
	})
	t.Run("at the first start", func(t *testing.T) {
		s, in, _ := open(t, laststore.Options{}, first, second)
		in.set(nil, fails)
		require.Equal(t, is, latest(t.Context(), t, s))
	})
	t.Run("the other one was never read", func(t *testing.T) {
		s, in, _ := open(t, laststore.Options{}, first)
		in.set(nil, fails)
		latest(t.Context(), t, s)
		in.hold(t, first, second)
		require.Equal(t, is, latest(t.Context(), t, s))
	})
	t.Run("the other one is gone", func(t *testing.T) {
		s, in, _ := open(t, laststore.Options{}, first)
		release(t, s, first.Release.Version())
		in.hold(t, second)
		in.set(nil, fails)
		require.Equal(t, is, latest(t.Context(), t, s))
	})
}
