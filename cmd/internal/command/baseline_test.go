package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBetaBaseline compares with the newest older version if none of them is stable.
func TestBetaBaseline(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	bikes := filepath.Join(dir, "schemas", "bikes")
	require.NoError(t, os.Rename(filepath.Join(bikes, "2026-03-01-stable"), filepath.Join(bikes, "2026-03-01-beta")))
	oldest := filepath.Join(bikes, "2026-01-01-beta")
	require.NoError(t, os.CopyFS(oldest, os.DirFS(filepath.Join(bikes, "2026-03-01-beta"))))
	manifest := filepath.Join(oldest, "schema.yaml")
	text, err := os.ReadFile(manifest)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(manifest, []byte(strings.Replace(string(text), "aliases: [pilot]", "", 1)), 0o666))

	stdout, stderr, code := runIn(t, dir, "schema", "breaking", "schemas")
	require.Equal(t, 1, code, stderr)
	require.Contains(t, stdout, "2 breaking changes since bikes@2026-03-01-beta")
	stdout, stderr, _ = runIn(t, dir, "schema", "translations", "schemas")
	require.Contains(t, stdout, "compared with bikes@2026-03-01-beta", stderr)
	stdout, stderr, _ = runIn(t, dir, "schema", "lint", "schemas")
	require.Contains(t, stdout, "which has changed since bikes@2026-03-01-beta", stderr)
	stdout, _, code = runIn(t, dir, "schema", "breaking", "schemas/bikes/2026-01-01-beta")
	require.Zero(t, code)
	require.Contains(t, stdout, "nothing to compare with, because no version is older")
}
