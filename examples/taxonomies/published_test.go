package taxonomies_test

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestSamples compares the folder published with what the sample taxonomies are published as.
// With UPDATE=1 it writes the folder anew. It publishes into an empty directory, because a
// stable version keeps its content where it was published, and the samples still change.
func TestSamples(t *testing.T) {
	tree, err := compiled()
	require.NoError(t, err)
	dir := t.TempDir()
	target, err := dirtarget.Create(t.Context(), dir)
	require.NoError(t, err)
	_, err = publish.Publish(t.Context(), target, tree.Publications(), &publish.Options{Evolutions: tree.Evolutions})
	require.NoError(t, err)
	require.NoError(t, target.Close())
	require.NoError(t, os.Remove(filepath.Join(dir, ".lock")))

	const folder = "../published"
	if goldentest.Updating() {
		old, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, f := range old {
			if filepath.Ext(f.Name()) != ".go" {
				require.NoError(t, os.RemoveAll(filepath.Join(folder, f.Name())))
			}
		}
		require.NoError(t, os.CopyFS(folder, os.DirFS(dir)))
	}
	assert.Equal(t, files(t, dir), files(t, folder), "the folder published is not up to date: run make samples")
}

// files returns the files of a directory, other than Go code, and their SHA-256.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	fsys := os.DirFS(dir)
	require.NoError(t, fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) == ".go" {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		sums[name] = taxonomy.Hash(sha256.Sum256(text)).String()
		return err
	}))
	return sums
}
