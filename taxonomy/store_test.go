package taxonomy_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// store is a minimal store.
type store struct {
	releases []*taxonomy.Release
	err      error
}

func (s store) Index(context.Context) (*taxonomy.Index, error) {
	if s.err != nil {
		return nil, s.err
	}
	var entries []taxonomy.Entry
	for _, r := range s.releases {
		entries = append(entries, taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash()})
	}
	return taxonomy.NewIndex(entries)
}

func (s store) Release(_ context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	for _, r := range s.releases {
		if r.Version() == v {
			return r, nil
		}
	}
	return nil, fmt.Errorf("version %s: %w", v, taxonomy.ErrNotFound)
}

func TestOpen(t *testing.T) {
	r := release(t)
	stable, err := r.WithVersion(taxonomy.MustVersion("ai@2026-08-01-stable"))
	require.NoError(t, err)
	s := store{releases: []*taxonomy.Release{r, stable}}
	for text, want := range map[string]*taxonomy.Release{
		"ai@latest": stable, "ai@latest-beta": r, "ai@2026-08-01-stable": stable, "ai@2026-09-01-beta": r,
	} {
		ref, err := taxonomy.ParseRef(text)
		require.NoError(t, err)
		got, err := taxonomy.Open(t.Context(), s, ref)
		require.NoError(t, err)
		require.Same(t, want, got)
	}
	for text, want := range map[string]string{
		"ai@2026-09-02-beta": "schema version ai@2026-09-02-beta: not found (known: ai@2026-09-01-beta",
		"robot@zzzzzzzzzzzz": "schema version robot@zzzzzzzzzzzz: not found",
	} {
		ref, err := taxonomy.ParseRef(text)
		require.NoError(t, err)
		_, err = taxonomy.Open(t.Context(), s, ref)
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		require.ErrorContains(t, err, want)
	}
}

func TestOpenReportsTheStore(t *testing.T) {
	broken := errors.New("broken")
	ref, err := taxonomy.ParseRef("ai@latest")
	require.NoError(t, err)
	_, err = taxonomy.Open(t.Context(), store{err: broken}, ref)
	require.ErrorIs(t, err, broken)
}
