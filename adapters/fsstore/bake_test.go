package fsstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestBake adds the icons to a store that has none, and mends them.
func TestBake(t *testing.T) {
	pubs := storetest.Publications()
	dir := published(t, pubs)
	bare := contents(t, dir)
	total := 0
	options := &fsstore.PublishOptions{Icon: icon, Progress: func(done, all int) { total = all }}

	one := pubs[0].Release
	baked, err := fsstore.Bake(t.Context(), dir, []taxonomy.Version{one.Version()}, options)
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{one.Version()}, baked)
	require.Positive(t, total)
	added := 0
	for name, text := range contents(t, dir) {
		if before, there := bare[name]; there {
			require.Equal(t, before, text, name)
			continue
		}
		require.True(t, strings.HasPrefix(name, folder(one)+"/icons/"), name)
		added++
	}
	require.Equal(t, total, added)

	// All of them; those that are there are left alone.
	baked, err = fsstore.Bake(t.Context(), dir, nil, options)
	require.NoError(t, err)
	require.Len(t, baked, len(pubs)-1)
	require.NotContains(t, baked, one.Version())
	whole, before := contents(t, dir), times(t, dir)
	baked, err = fsstore.Bake(t.Context(), dir, nil, options)
	require.NoError(t, err)
	require.Empty(t, baked)
	require.Equal(t, before, times(t, dir))

	// It is what publishing with icons writes.
	other := filepath.Join(t.TempDir(), "other")
	_, err = fsstore.Publish(t.Context(), other, pubs, options)
	require.NoError(t, err)
	require.Equal(t, contents(t, other), whole)

	// A damaged icon, and one too few.
	e := one.Elements()[0]
	damaged := filepath.Join(dir, folder(one), "icons", e.ID, "dark.svg")
	require.NoError(t, os.WriteFile(damaged, []byte("<svg/>"), 0o644))
	baked, err = fsstore.Bake(t.Context(), dir, nil, options)
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{one.Version()}, baked)
	require.NoError(t, os.Remove(damaged))
	_, err = fsstore.Bake(t.Context(), dir, nil, options)
	require.NoError(t, err)
	require.Equal(t, whole, contents(t, dir))
}

func TestBakeRefuses(t *testing.T) {
	pubs := storetest.Publications()
	dir := published(t, pubs)
	before := contents(t, dir)
	v := pubs[0].Release.Version()

	_, err := fsstore.Bake(t.Context(), dir, nil, nil)
	require.ErrorContains(t, err, "PublishOptions.Icon")
	options := &fsstore.PublishOptions{Icon: icon}
	_, err = fsstore.Bake(t.Context(), dir, []taxonomy.Version{v, taxonomy.MustVersion("none@2026-01-01-beta")}, options)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = fsstore.Bake(t.Context(), filepath.Join(dir, "nowhere"), nil, options)
	require.ErrorIs(t, err, os.ErrNotExist)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = fsstore.Bake(canceled, dir, nil, options)
	require.ErrorIs(t, err, context.Canceled)
	broken := errors.New("broken")
	_, err = fsstore.Bake(t.Context(), dir, nil, &fsstore.PublishOptions{
		Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) { return nil, broken },
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, before, contents(t, dir))

	// A release that is not what its hash says gets no icons.
	require.NoError(t, add(filepath.Join(dir, folder(pubs[0].Release), "release.json"), "x"))
	_, err = fsstore.Bake(t.Context(), dir, []taxonomy.Version{v}, options)
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
}
