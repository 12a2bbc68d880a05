package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStoreThatIsNoStore shows what is said of a --store that can't be read: what
// is wrong, where, and what to do, in words that do not tell of our packages.
func TestStoreThatIsNoStore(t *testing.T) {
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
	symbol := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-stable", "sha256-*", "symbols", "letter.svg"))
	require.NoError(t, os.Remove(symbol))
	for store, want := range map[string]string{
		"nowhere":                       "datachain: --store nowhere: no store here: want a folder with index.json, such as 'datachain schema publish' makes\n",
		"file":                          "datachain: --store file: not a directory\nGive a folder that can be read, and all that is in it.\n",
		"half":                          "\nIt is damaged, or there only in part: publish or copy it again.\n",
		"folder":                        "datachain: --store folder: index: index.json: is no regular file\n",
		"store":                         "\nWhat is published there is damaged, or there only in part: publish or copy it again.\n'datachain check' tells all that is wrong with a store.\n",
		"https://me:secret@example.org": "datachain: --store https://me:xxxxx@example.org: want a folder here, not an address\nServers are read by 'datachain serve' and 'datachain check'.\n",
	} {
		t.Run(store, func(t *testing.T) {
			code, stdout, stderr := execute(t.Context(), testSystem(dir), "schema", "list", "--store", store)
			assert.Equal(t, exitFailed, code)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, want)
			assert.NotContains(t, stderr, "fsstore")
			assert.NotContains(t, stderr, "secret")
		})
	}
}
