package sources_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestEditedMeanwhile edits, creates and locks files after they were read: no change of an author is
// overwritten, and no other file stays changed.
func TestEditedMeanwhile(t *testing.T) {
	t.Parallel()
	const author, elements = "# by an author\n", "robot/2026-01-01-beta/elements/"
	for name, c := range map[string]struct {
		happens func(t *testing.T, dir string)
		author  string // a file with the author's text
		want    string
	}{
		"nothing": {func(*testing.T, string) {}, "", ""},
		"a file to change is edited": {func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, elements+"purpose.yaml", author)
		}, "purpose.yaml", "purpose.yaml: the file has changed since it was read"},
		"a file to remove is edited": {func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, elements+"removed.yaml", author)
		}, "removed.yaml", "removed.yaml: the file has changed since it was read"},
		"a file to create exists": {func(t *testing.T, dir string) {
			t.Helper()
			put(t, dir, elements+"purpose.added.yaml", author)
		}, "purpose.added.yaml", "purpose.added.yaml: file already exists"},
		"a file can't be written": {func(*testing.T, string) {}, "", "purpose.yaml: the file is read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			v := taxonomy.MustVersion("robot@2026-01-01-beta")
			starter(t, dir, v.String())
			put(t, dir, elements+"removed.yaml", "{id: purpose.removed, category_id: purpose, symbol_id: service, title: {en: A}, description: {en: B}}")
			if name == "a file can't be written" {
				require.NoError(t, os.Chmod(filepath.Join(dir, elements, "purpose.yaml"), 0o444))
			}
			s, err := sources.Open(dir, ".")
			require.NoError(t, err)
			t.Cleanup(func() { _ = s.Root.Close() })
			s.Freeze()
			_, err = s.Release(t.Context(), v)
			require.NoError(t, err)
			before := tree(t, dir)

			c.happens(t, dir)
			set := func(id, key, value string) edit.Change {
				return edit.Change{Kind: source.KindElement, ID: id, Path: []edit.Step{{Key: key}, {Locale: "en"}}, Value: value}
			}
			added := []edit.Change{set("purpose.added", "title", "C"), set("purpose.added", "description", "D"), set("contact.office", "title", "E"), set("purpose.service", "title", "F")}
			for key, value := range map[string]string{"category_id": "purpose", "symbol_id": "service"} {
				added = append(added, edit.Change{Kind: source.KindElement, ID: "purpose.added", Path: []edit.Step{{Key: key}}, Value: value})
			}
			edits, err := s.Edit(v, &edit.Changes{Set: added, Add: []string{"purpose.added"}, Remove: []string{"purpose.removed"}})
			require.NoError(t, err)
			require.Empty(t, edits.Issues)
			require.Len(t, edits.Files, 4)
			err = edits.Write()
			after := tree(t, dir)
			if c.want == "" {
				require.NoError(t, err)
				require.Contains(t, after[elements+"contact.yaml"], "E")
				require.Contains(t, after, elements+"purpose.added.yaml")
				require.NotContains(t, after, elements+"removed.yaml")
				return
			}
			require.ErrorContains(t, err, filepath.FromSlash(elements)+c.want)
			if c.author != "" {
				before[elements+c.author] = author
			}
			require.Equal(t, before, after)
		})
	}
}

// tree returns the files of a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return all
}
