package fsstore_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestCollect shows what is removed, and when.
func TestCollect(t *testing.T) {
	pubs := storetest.Publications()
	dir := published(t, pubs)
	beta, retired := pubs[1].Release, pubs[4].Release
	leftover := filepath.Dir(folder(beta)) + "/.new-" + retired.ContentHash().String()
	foreign := filepath.Dir(folder(beta)) + "/notes"
	for _, name := range []string{leftover, foreign} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	changed := edited(t, beta, "Changed")
	publish := func(keepFor time.Duration) []string {
		t.Helper()
		report, err := fsstore.Publish(t.Context(), dir, []taxonomy.Publication{changed}, &fsstore.PublishOptions{KeepFor: keepFor})
		require.NoError(t, err)
		require.NoError(t, report.Uncollected)
		return report.Collected
	}
	age := func(names ...string) {
		t.Helper()
		for _, name := range names {
			old := time.Now().Add(-25 * time.Hour)
			require.NoError(t, os.Chtimes(filepath.Join(dir, name), old, old))
		}
	}
	// However old a folder is, its time begins when it is replaced.
	age(slices.Collect(maps.Keys(times(t, dir)))...)
	require.NoError(t, os.Chtimes(filepath.Join(dir, leftover), time.Now(), time.Now()))
	require.NoError(t, fsstore.Retire(t.Context(), dir, retired.Version()))
	require.Empty(t, publish(0))
	require.Empty(t, publish(0))
	age(leftover)
	require.Equal(t, []string{leftover}, publish(0))
	age(folder(beta), folder(retired))
	require.Equal(t, []string{folder(beta)}, publish(0))

	// A retired version stays until that is asked for.
	require.Empty(t, publish(-1))
	removed, err := fsstore.Collect(t.Context(), dir, 26*time.Hour)
	require.NoError(t, err)
	require.Empty(t, removed)
	removed, err = fsstore.Collect(t.Context(), dir, 0)
	require.NoError(t, err)
	require.Equal(t, []string{folder(retired)}, removed)
	require.NoDirExists(t, filepath.Join(dir, filepath.Dir(folder(retired))))
	require.DirExists(t, filepath.Join(dir, foreign))
	require.NoError(t, os.Remove(filepath.Join(dir, foreign)))

	// What is left is what the index names.
	pubs[1] = changed
	require.Equal(t, contents(t, published(t, slices.Delete(pubs, 4, 5))), contents(t, dir))
}
