package fsstore_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestCollect shows what is removed, and when.
func TestCollect(t *testing.T) {
	pubs := storetest.Publications()
	dir := publishedDir(t, pubs)
	beta, retired := pubs[1].Release, pubs[4].Release
	leftover := filepath.Dir(releaseDir(beta)) + "/.new-" + retired.ContentHash().String()
	foreign := filepath.Dir(releaseDir(beta)) + "/notes"
	for _, name := range []string{leftover, foreign} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	changed := edited(t, beta, "Changed")
	republish := func(keepFor time.Duration) []string {
		t.Helper()
		report, err := publishTo(t.Context(), dir, []taxonomy.Publication{changed}, &publish.Options{KeepFor: keepFor})
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
	// However old a directory is, its time begins when it is replaced.
	age(slices.Collect(maps.Keys(times(t, dir)))...)
	require.NoError(t, os.Chtimes(filepath.Join(dir, leftover), time.Now(), time.Now()))
	require.NoError(t, retire(t, dir, retired.Version()))
	require.Empty(t, republish(0))
	require.Empty(t, republish(0))
	age(leftover)
	require.Equal(t, []string{leftover}, republish(0))
	age(releaseDir(beta), releaseDir(retired))
	require.Equal(t, []string{releaseDir(beta)}, republish(0))

	// A retired version stays until Collect is called.
	require.Empty(t, republish(-1))
	target := openTarget(t, dir)
	report, err := publish.Collect(t.Context(), target, 26*time.Hour)
	require.NoError(t, err)
	require.Empty(t, report.Collected)
	report, err = publish.Collect(t.Context(), target, 0)
	require.NoError(t, err)
	require.Equal(t, []string{releaseDir(retired)}, report.Collected)
	require.NoError(t, target.Close())
	require.NoDirExists(t, filepath.Join(dir, releaseDir(retired)))
	require.FileExists(t, filepath.Join(dir, published.Bound(retired.Version())))
	require.DirExists(t, filepath.Join(dir, foreign))
	require.NoError(t, os.Remove(filepath.Join(dir, foreign)))

	// What is left is what the index names, which still knows what was retired.
	pubs[1] = changed
	fresh := publishedDir(t, pubs)
	require.NoError(t, retire(t, fresh, retired.Version()))
	require.NoError(t, os.RemoveAll(filepath.Join(fresh, releaseDir(retired))))
	require.Equal(t, contents(t, fresh), contents(t, dir))
}
