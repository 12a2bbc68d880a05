package taxonomies_test

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestSamples compares folders with what the sample taxonomies, and the one of the conformance
// cases, are published as. With UPDATE=1 it writes the folders anew. It publishes into an empty
// directory, because a stable version keeps its content where it was published, and the samples
// still change.
func TestSamples(t *testing.T) {
	samples, err := compiled()
	require.NoError(t, err)
	cases, err := source.CompileAll(os.DirFS("../../validate/testdata/taxonomy"), nil)
	require.NoError(t, err)
	for folder, tree := range map[string]*source.Tree{"../published": samples, "../../validate/testdata/published": cases} {
		require.Empty(t, tree.Issues())
		dir := t.TempDir()
		target, err := dirtarget.Create(t.Context(), dir)
		require.NoError(t, err)
		evolutions, err := history.Texts(tree.Evolutions)
		require.NoError(t, err)
		_, err = publish.Publish(t.Context(), target, tree.Publications(), &publish.Options{Evolutions: evolutions})
		require.NoError(t, err)
		require.NoError(t, target.Close())
		require.NoError(t, os.Remove(filepath.Join(dir, ".lock")))
		if goldentest.Updating() {
			replace(t, folder, dir)
		}
		assert.Equal(t, files(t, dir), files(t, folder), "%s is not up to date: run make samples", folder)
	}
}

// replace replaces the files of a directory, other than Go code, by those of another one.
func replace(t *testing.T, dir, by string) {
	t.Helper()
	for name := range files(t, dir) {
		top, _, _ := strings.Cut(name, "/")
		require.NoError(t, os.RemoveAll(filepath.Join(dir, top)))
	}
	require.NoError(t, os.CopyFS(dir, os.DirFS(by)))
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
