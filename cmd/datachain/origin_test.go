package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnusableStore shows the errors for a --store that can't be read: what is
// wrong, where, and what to do.
func TestUnusableStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	put("file", "")
	put("half/index.json", `{"versions":[{`)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder", "index.json"), 0o755))
	publishStarter(t, dir, "robot@2026-01-01-stable")
	pack := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-stable", "sha256-*", "release.pack"))
	require.NoError(t, os.Truncate(pack, 100))
	for store, want := range map[string]string{
		"nowhere":                       "datachain: --store nowhere: not a store: it has no index.json, which 'datachain schema publish' writes\n",
		"file":                          "datachain: --store file: not a directory\n",
		"half":                          "\nThe store is damaged or incomplete: publish or copy it again.\n",
		"folder":                        "datachain: --store folder: ",
		"store":                         ": publish or copy the release again\n'datachain check' lists every problem of a store.\n",
		"https://me:secret@example.org": "datachain: --store https://me:xxxxx@example.org: must be a directory or a bucket, not a URL\nOnly 'datachain serve', 'datachain mcp' and 'datachain check' read a store at a URL.\n",
	} {
		t.Run(store, func(t *testing.T) {
			code, stdout, stderr := execute(t.Context(), testSystem(dir), "schema", "list", "--store", store)
			assert.Equal(t, exitFailed, code)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, want)
			assert.NotContains(t, stderr, "secret")
		})
	}
}
