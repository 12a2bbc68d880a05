package watch_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/taxonomy"
)

// index returns an index of versions with a content each, those after "retired" as
// retired.
func index(t testing.TB, sequence int64, lines ...string) *taxonomy.Index {
	t.Helper()
	var entries []taxonomy.Entry
	var retired []taxonomy.RetiredVersion
	gone := false
	for _, line := range lines {
		if line == "retired" {
			gone = true
			continue
		}
		var id string
		var content byte
		_, err := fmt.Sscan(line, &id, &content)
		require.NoError(t, err)
		if gone {
			retired = append(retired, taxonomy.RetiredVersion{ID: taxonomy.MustVersion(id), ContentHash: taxonomy.Hash{content}})
		} else {
			entries = append(entries, taxonomy.Entry{ID: taxonomy.MustVersion(id), ContentHash: taxonomy.Hash{content}})
		}
	}
	x, err := taxonomy.NewIndex(entries, retired...)
	require.NoError(t, err)
	return x.WithRecord(taxonomy.Record{Sequence: sequence})
}

func TestCheck(t *testing.T) {
	const stable, older, beta = "ai@2026-09-01-stable 1", "ai@2026-03-01-stable 2", "ai@2026-10-01-beta 3"
	all := func(sequence int64) *taxonomy.Index { return index(t, sequence, stable, older, beta) }
	for name, c := range map[string]struct {
		last, next *taxonomy.Index
		want       string // "" if it does not go back
	}{
		"the first":                   {nil, all(1), ""},
		"the next":                    {all(1), all(2), ""},
		"the same":                    {all(7), all(7), ""},
		"a gap":                       {all(1), all(9), ""},
		"the log has grown":           {all(7), all(7).WithRecord(taxonomy.Record{Sequence: 7, LogSize: 9}), ""},
		"lower":                       {all(7), all(6), "its sequence is lower: 6 after 7"},
		"lower without a stable one":  {all(7), index(t, 6, beta), "its sequence is lower"},
		"other content":               {all(7), index(t, 7, stable, older), "the same sequence, 7"},
		"numbered at last":            {all(0), all(1), ""},
		"no longer numbered":          {all(7), all(0), ""},
		"not numbered, without one":   {all(0), index(t, 0, stable, beta), "drops versions without listing them as retired: ai@2026-03-01-stable"},
		"a stable one is gone":        {all(1), index(t, 2, stable, beta), "ai@2026-03-01-stable"},
		"a stable one is retired":     {all(1), index(t, 2, stable, beta, "retired", older), ""},
		"a beta is gone":              {all(1), index(t, 2, stable, older), ""},
		"all are gone":                {index(t, 1, beta), index(t, 2), "ai@2026-10-01-beta"},
		"all are retired":             {index(t, 1, beta), index(t, 2, "retired", beta), ""},
		"a beta changed":              {all(1), index(t, 2, stable, older, "ai@2026-10-01-beta 4"), ""},
		"a stable one changed":        {all(1), index(t, 2, "ai@2026-09-01-stable 4", older, beta), "stable versions can't change"},
		"a stable one retired other":  {all(1), index(t, 2, older, beta, "retired", "ai@2026-09-01-stable 4"), "stable versions can't change"},
		"a retired one changed":       {index(t, 1, beta, "retired", stable), index(t, 2, beta, "ai@2026-09-01-stable 4"), "stable versions can't change"},
		"a retired one is back":       {index(t, 1, beta, "retired", stable), index(t, 2, beta, stable), ""},
		"a retired beta has changed":  {index(t, 1, stable, "retired", beta), index(t, 2, stable, "ai@2026-10-01-beta 4"), ""},
		"what was retired is unknown": {index(t, 1, beta, "retired", stable), index(t, 2, beta), ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := watch.CheckIndex(c.last, c.next)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, taxonomy.ErrRollback)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func take(t *testing.T, g *watch.Guard, last, next *taxonomy.Index) bool {
	t.Helper()
	taken, err := g.Take(t.Context(), last, next)
	require.NoError(t, err)
	return taken
}

// TestGrace shows that a mirror may lag, or alternate, for a while, and that other
// losses are reported at once.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stable, other = "ai@2026-09-01-stable 1", "ai@2026-03-01-stable 2"
		old, now := index(t, 6, other), index(t, 7, stable, other)
		g := &watch.Guard{Store: "test: here"}
		require.True(t, take(t, g, nil, now))
		for range 5 {
			require.False(t, take(t, g, now, old))
			time.Sleep(watch.Grace - time.Second)
			require.False(t, take(t, g, now, old))
			require.NoError(t, g.Err())
			require.NoError(t, g.Confirm(t.Context(), nil)) // the store has the newer one again
		}
		require.False(t, take(t, g, now, old))
		time.Sleep(watch.Grace)
		require.ErrorIs(t, g.Err(), taxonomy.ErrRollback)
		require.ErrorContains(t, g.Err(), "test: here: ")
		require.ErrorContains(t, g.Err(), "--accept-removals")
		require.NoError(t, g.Confirm(t.Context(), nil))
		require.NoError(t, g.Err())

		require.False(t, take(t, g, now, index(t, 8, other)))
		require.ErrorIs(t, g.Err(), taxonomy.ErrRollback)
		require.True(t, take(t, g, now, index(t, 9, stable, other)))
		require.NoError(t, g.Err())
	})
}

// TestAccept shows that only the first index is accepted, which is said as long as
// the program runs.
func TestAccept(t *testing.T) {
	const stable = "ai@2026-09-01-stable 1"
	seen, empty := index(t, 7, stable), index(t, 1)
	g := &watch.Guard{Store: "test: here", Accept: true}
	require.True(t, take(t, g, seen, empty))
	require.ErrorIs(t, g.Err(), watch.ErrAccepted)
	require.NotErrorIs(t, g.Err(), taxonomy.ErrRollback, "the index of the store is served")
	require.ErrorContains(t, g.Err(), "its sequence is lower: 1 after 7")
	again := index(t, 2, stable)
	require.True(t, take(t, g, empty, again))
	require.False(t, take(t, g, again, index(t, 3)))
	require.ErrorIs(t, g.Err(), taxonomy.ErrRollback)
	require.NoError(t, g.Confirm(t.Context(), nil))
	require.ErrorIs(t, g.Err(), watch.ErrAccepted)

	unused := &watch.Guard{Accept: true}
	require.NoError(t, unused.Confirm(t.Context(), nil))
	require.NoError(t, unused.Err())
	require.False(t, take(t, unused, again, empty))
}
