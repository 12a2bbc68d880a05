package dirtarget_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// bake bakes publications in a directory and returns the versions that changed.
func bake(ctx context.Context, t *testing.T, dir string, pubs []listing.Publication, o *publish.Options) ([]taxonomy.Version, error) {
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

// TestBake adds the icons to a store that has none, and repairs archives.
func TestBake(t *testing.T) {
	pubs := layouttest.Publications()
	dir := publishedDir(t, pubs)
	total := 0
	options := &publish.Options{Icon: icon, Progress: func(_, all int) { total = all }}
	baked, err := bake(t.Context(), t, dir, pubs[:1], options)
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{pubs[0].Release.Version()}, baked)
	require.Positive(t, total)

	// All of them; those that are there stay untouched.
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Len(t, baked, len(pubs)-1)
	whole, before := contents(t, dir), times(t, dir)
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Empty(t, baked)
	require.Equal(t, before, times(t, dir))

	// The index and archives are those that publishing with icons writes.
	other := filepath.Join(t.TempDir(), "other")
	_, err = publishTo(t.Context(), other, pubs, options)
	require.NoError(t, err)
	drawn := contents(t, other)
	require.Equal(t, drawn[layout.IndexFile], whole[layout.IndexFile])
	for name, text := range drawn {
		require.Equal(t, text, whole[name], name)
	}

	for name := range drawn {
		if e, ok := layout.ParseArchiveFile(name); ok && e.ID == pubs[0].Release.Version() {
			require.NoError(t, add(filepath.Join(dir, name), "x"))
		}
	}
	baked, err = bake(t.Context(), t, dir, pubs, options)
	require.NoError(t, err)
	require.Len(t, baked, 1)
	require.Equal(t, whole, contents(t, dir))
}

func TestBakeRefuses(t *testing.T) {
	pubs := layouttest.Publications()
	dir := publishedDir(t, pubs)
	before := contents(t, dir)

	_, err := bake(t.Context(), t, dir, pubs, nil)
	require.ErrorContains(t, err, "Options.Icon")
	options := &publish.Options{Icon: icon}
	_, err = bake(t.Context(), t, dir, []listing.Publication{pubs[0], emptyRelease(t, "none@2026-01-01-beta")}, options)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = bake(t.Context(), t, dir, []listing.Publication{edited(t, pubs[1].Release, "Changed")}, options)
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
