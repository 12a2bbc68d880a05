package dirtarget_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestCollect shows what is removed, and when.
func TestCollect(t *testing.T) {
	pubs := layouttest.Publications()
	dir := publishedDir(t, pubs)
	beta, retired := pubs[1].Release, pubs[4].Release
	foreign := filepath.Join(dir, filepath.Dir(releaseDir(beta)), "notes")
	require.NoError(t, os.Mkdir(foreign, 0o755))
	changed := edited(t, beta, "Changed")
	_, err := publishTo(t.Context(), dir, []listing.Publication{changed}, nil)
	require.NoError(t, err)
	require.NoError(t, retire(t, dir, retired.Version()))
	oldBeta, _ := archiveOf(t, beta)
	oldStable, _ := archiveOf(t, retired)
	unused := []string{oldBeta, oldStable}

	target := openTarget(t, dir)
	report, err := publish.Unused(t.Context(), target)
	require.NoError(t, err)
	require.ElementsMatch(t, unused, report.Unused)
	require.NoFileExists(t, filepath.Join(dir, layout.CollectFile))
	// The time of a file says nothing about how long it has been unused.
	old := time.Now().Add(-100 * time.Hour)
	for _, name := range unused {
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
	collect := func() *publish.Report {
		t.Helper()
		report, err := publish.Collect(t.Context(), target, 24*time.Hour)
		require.NoError(t, err)
		return report
	}
	for range 2 {
		report = collect()
		require.Empty(t, report.Collected)
		require.ElementsMatch(t, unused, report.Unused)
	}
	// A day later.
	var list struct {
		Unused []map[string]string `json:"unused"`
	}
	text, err := os.ReadFile(filepath.Join(dir, layout.CollectFile))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &list))
	for _, u := range list.Unused {
		u["since"] = time.Now().Add(-25 * time.Hour).UTC().Format(time.RFC3339)
	}
	text, err = json.Marshal(list)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, layout.CollectFile), text, 0o644))
	report = collect()
	require.ElementsMatch(t, unused, report.Collected)
	require.Empty(t, report.Unused)
	require.NoDirExists(t, filepath.Join(dir, releaseDir(retired)))
	require.FileExists(t, filepath.Join(dir, layout.Bound(retired.Version())))
	require.DirExists(t, foreign)
	require.Empty(t, collect().Collected)

	require.NoError(t, os.WriteFile(filepath.Join(dir, layout.CollectFile), []byte("{"), 0o644))
	_, err = publish.Collect(t.Context(), target, 24*time.Hour)
	require.ErrorContains(t, err, "collect.json")
}
