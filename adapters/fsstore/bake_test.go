package fsstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// bake bakes publications in a directory and returns the versions that changed.
func bake(ctx context.Context, t *testing.T, dir string, pubs []taxonomy.Publication, o *publish.Options) ([]taxonomy.Version, error) {
	t.Helper()
	var releases []*taxonomy.Release
	for _, p := range pubs {
		releases = append(releases, p.Release)
	}
	target := openTarget(t, dir)
	report, err := publish.Bake(ctx, target, releases, o)
	require.NoError(t, target.Close())
	if err != nil {
		require.Nil(t, report)
		return nil, err
	}
	return report.Written, nil
}

// TestBake adds the icons to a store of files that has none, and repairs them.
func TestBake(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedAs(t, publish.LayoutFiles, pubs)
	bare := contents(t, dir)
	total := 0
	options := &publish.Options{Layout: publish.LayoutFiles, Icon: icon, Progress: func(done, all int) { total = all }}

	one := pubs[0].Release
	baked, err := bake(t.Context(), t, dir, pubs[:1], options)
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{one.Version()}, baked)
	require.Positive(t, total)
	added := 0
	for name, text := range contents(t, dir) {
		if before, there := bare[name]; there {
			require.Equal(t, before, text, name)
			continue
		}
		require.True(t, strings.HasPrefix(name, releaseDir(one)+"/icons/"), name)
		added++
	}
	require.Equal(t, total, added)

	// All of them; those that are there stay untouched.
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Len(t, baked, len(pubs)-1)
	require.NotContains(t, baked, one.Version())
	whole, before := contents(t, dir), times(t, dir)
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Empty(t, baked)
	require.Equal(t, before, times(t, dir))

	// It is what publishing with icons writes.
	other := filepath.Join(t.TempDir(), "other")
	_, err = publishTo(t.Context(), other, pubs, options)
	require.NoError(t, err)
	require.Equal(t, contents(t, other), whole)

	// A damaged icon, and a missing one.
	e := one.Elements()[0]
	damaged := filepath.Join(dir, releaseDir(one), "icons", e.ID, "dark.svg")
	require.NoError(t, os.WriteFile(damaged, []byte("<svg/>"), 0o644))
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{one.Version()}, baked)
	require.NoError(t, os.Remove(damaged))
	_, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Equal(t, whole, contents(t, dir))

	// A damaged release is repaired as well.
	require.NoError(t, add(filepath.Join(dir, releaseDir(one), "release.json"), "x"))
	_, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Equal(t, whole, contents(t, dir))
}

// TestBakePacked adds the icons to a packed store that has none, and repairs them.
func TestBakePacked(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedDir(t, pubs)
	options := &publish.Options{Icon: icon}
	baked, err := bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Len(t, baked, len(pubs))
	whole, before := contents(t, dir), times(t, dir)
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Empty(t, baked)
	require.Equal(t, before, times(t, dir))

	other := filepath.Join(t.TempDir(), "other")
	_, err = publishTo(t.Context(), other, pubs, options)
	require.NoError(t, err)
	require.Equal(t, contents(t, other), whole)

	require.NoError(t, add(filepath.Join(dir, releaseDir(pubs[0].Release), "release.pack"), "x"))
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Len(t, baked, 1)
	require.Equal(t, whole, contents(t, dir))
}

func TestBakeRefuses(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedDir(t, pubs)
	before := contents(t, dir)

	_, err := bake(t.Context(), t, dir, pubs, nil)
	require.ErrorContains(t, err, "Options.Icon")
	options := &publish.Options{Icon: icon}
	_, err = bake(t.Context(), t, dir, []taxonomy.Publication{pubs[0], emptyRelease(t, "none@2026-01-01-beta")}, options)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = bake(t.Context(), t, dir, []taxonomy.Publication{edited(t, pubs[1].Release, "Changed")}, options)
	require.ErrorContains(t, err, pubs[1].Release.ContentHash().String())
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = bake(canceled, t, dir, pubs, options)
	require.ErrorIs(t, err, context.Canceled)
	broken := errors.New("broken")
	_, err = bake(t.Context(), t, dir, pubs, &publish.Options{
		Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) { return nil, broken },
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, before, contents(t, dir))

	// An empty directory stays empty.
	empty := t.TempDir()
	_, err = bake(t.Context(), t, empty, nil, options)
	require.NoError(t, err)
	require.Empty(t, files(t, empty))
}
