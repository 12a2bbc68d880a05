package sources_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestDraft begins a taxonomy, promotes it, and drafts its next version.
func TestDraft(t *testing.T) {
	t.Parallel()
	s, err := sources.Create(t.TempDir(), "new/schemas")
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Root.Close()) }()
	first, next := taxonomy.MustVersion("bikes@2026-03-01-beta"), taxonomy.MustVersion("bikes@2026-09-01-beta")
	base, files, err := s.Draft(t.Context(), first, "")
	require.NoError(t, err)
	require.True(t, base.IsZero())
	require.Contains(t, files, "schema.yaml")
	only, err := s.One("")
	require.NoError(t, err)
	require.Equal(t, first, only)

	stable, err := sources.Stable(first, "")
	require.NoError(t, err)
	require.Equal(t, "bikes@2026-03-01-stable", stable.String())
	beta, err := source.Compile(s.Root.FS(), first, nil)
	require.NoError(t, err)
	require.NoError(t, s.Promote(t.Context(), beta, stable))
	r, err := s.Release(t.Context(), stable)
	require.NoError(t, err)
	require.Equal(t, beta.Release.ContentHash(), r.ContentHash())
	_, err = sources.Stable(stable, "")
	require.EqualError(t, err, "bikes@2026-03-01-stable is already stable")

	base, _, err = s.Draft(t.Context(), next, "")
	require.NoError(t, err)
	require.Equal(t, "bikes", base.Type())
	_, err = s.One("")
	require.ErrorContains(t, err, "has 3 versions: name the directory of one, or use --schema-version")
	_, _, err = s.Draft(t.Context(), next, "")
	require.Error(t, err, "existing files are not overwritten")
	_, _, err = s.Draft(t.Context(), taxonomy.MustVersion("Bikes@2026-09-01-beta"), "")
	require.ErrorContains(t, err, "differs from it only in case")
	_, _, err = s.Draft(t.Context(), taxonomy.MustVersion("cars@2026-09-01-beta"), "bikes@2026-03-01-stable")
	require.ErrorContains(t, err, "is of another datachain type")
	_, err = os.Stat(filepath.Join(s.Root.Name(), "cars"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestPromoted publishes a stable version with the release date of its beta version, but not before
// its own date.
func TestPromoted(t *testing.T) {
	t.Parallel()
	samples, err := published.Store()
	require.NoError(t, err)
	v := taxonomy.MustVersion("ai@2026-11-18-beta")
	beta, err := samples.Release(t.Context(), v)
	require.NoError(t, err)
	for _, tt := range []struct{ released, date, want string }{{"", "", ""}, {"2026-12-20", "", "2026-12-20"}, {"2026-12-20", "2027-01-01", "2027-01-01"}} {
		x, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: v, Released: tt.released}})
		require.NoError(t, err)
		p, err := sources.Promoted(x, beta, tt.date)
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Released)
		require.Equal(t, beta.ContentHash(), p.Release.ContentHash())
	}
	x, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: v}, {ID: taxonomy.MustVersion("ai@2026-11-18-stable")}})
	require.NoError(t, err)
	_, err = sources.Promoted(x, beta, "")
	require.ErrorContains(t, err, "choose another --date")
}

// TestExactly takes ids, since an alias moves to other versions.
func TestExactly(t *testing.T) {
	t.Parallel()
	samples, err := published.Store()
	require.NoError(t, err)
	x, err := samples.Index(t.Context())
	require.NoError(t, err)
	e, err := sources.Exactly(x, "ai@2026-11-15-stable", "retire")
	require.NoError(t, err)
	require.Equal(t, "ai@2026-11-15-stable", e.ID.String())
	_, err = sources.Exactly(x, "ai@latest", "retire")
	require.EqualError(t, err, "ai@latest is an alias\nIf you mean ai@2026-11-15-stable, retire it by that id.")
	_, err = sources.Exactly(x, "ai@2020-01-01-stable", "retire")
	require.ErrorContains(t, err, "There is no schema version ai@2020-01-01-stable.")
	next, err := sources.Successor(x, "ai@latest")
	require.NoError(t, err)
	require.Equal(t, e.ID, next)
	next, err = sources.Successor(x, "")
	require.NoError(t, err)
	require.True(t, next.IsZero())
}
