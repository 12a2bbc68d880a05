//go:build unix

package source_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/codes"
)

// onlyFS hides all methods of a file system but Open.
type onlyFS struct{ fs.FS }

// TestDisk reads hostile files from a real disk through every kind of file
// system: no secret is read, and nothing blocks.
func TestDisk(t *testing.T) {
	const secret = "elements: TOP SECRET"
	for name, c := range map[string]struct {
		at     string // in the version directory
		link   func(root string) string
		always bool // also if the file system does not support links
	}{
		"pipe":                   {at: "elements/more.yaml", always: true},
		"pipe as schema":         {at: "schema.json"},
		"file by absolute path":  {at: "elements/more.yaml", link: func(root string) string { return filepath.Join(root, "secret.yaml") }, always: true},
		"file outside":           {at: "elements/more.yaml", link: func(string) string { return "../../../../secret.yaml" }, always: true},
		"file within, absolute":  {at: "elements/more.yaml", link: func(root string) string { return filepath.Join(root, "tree", dir, "schema.yaml") }, always: true},
		"outside and back":       {at: "elements/more.yaml", link: func(string) string { return "../../../../tree/" + dir + "elements/face.yaml" }, always: true},
		"through a link to root": {at: "elements/more.yaml", link: func(string) string { return "../../../links/top/../secret.yaml" }, always: true},
		"loop":                   {at: "elements/more.yaml", link: func(string) string { return "more.yaml" }, always: true},
		"device":                 {at: "elements/more.yaml", link: func(string) string { return "/dev/zero" }, always: true},
		"symbol outside":         {at: "symbols/disk.svg", link: func(string) string { return "../../../../secret.yaml" }, always: true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for name, f := range sourcetest.Base(t) {
				writeFile(t, filepath.Join(root, "tree", name), string(f.Data))
			}
			writeFile(t, filepath.Join(root, "secret.yaml"), secret)
			writeFile(t, filepath.Join(root, "tree", "links", "secret.yaml"), "[]")
			require.NoError(t, os.Symlink("..", filepath.Join(root, "tree", "links", "top")))
			at := filepath.Join(root, "tree", dir, c.at)
			_ = os.Remove(at) // it may not exist
			if c.link == nil {
				require.NoError(t, syscall.Mkfifo(at, 0o666))
			} else {
				require.NoError(t, os.Symlink(c.link(root), at))
			}
			opened, err := os.OpenRoot(filepath.Join(root, "tree"))
			require.NoError(t, err)
			defer opened.Close()
			for kind, fsys := range map[string]fs.FS{
				"os.DirFS": os.DirFS(filepath.Join(root, "tree")), "os.Root": opened.FS(), "fs.FS": onlyFS{os.DirFS(filepath.Join(root, "tree"))},
			} {
				tree, err := source.CompileAll(fsys, nil)
				require.NoError(t, err, kind)
				issues := tree.Issues()
				require.NotEmpty(t, issues, kind)
				for _, i := range issues {
					assert.NotContains(t, i.String(), "SECRET", kind)
				}
				if c.always {
					require.Len(t, issues, 1, kind)
					assert.EqualValues(t, codes.SourceUnreadable, issues[0].Code, kind)
				}
				files, err := write.Draft(fsys, version)
				require.Error(t, err, kind)
				assert.Empty(t, files)
			}
		})
	}
}

// TestDiskSound reads a valid tree with links within it.
func TestDiskSound(t *testing.T) {
	root := t.TempDir()
	for name, f := range sourcetest.Base(t) {
		writeFile(t, filepath.Join(root, name), string(f.Data))
	}
	want := releaseJSON(t, compile(t, os.DirFS(root)))
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	require.NoError(t, os.Rename(in(dir+"elements"), in("shared")))
	require.NoError(t, os.Symlink("../../shared", in(dir+"elements")))
	require.NoError(t, os.Rename(in(dir+"symbols/disk.svg"), in("shared/.disk")))
	require.NoError(t, os.Symlink("../elements/.disk", in(dir+"symbols/disk.svg")))
	opened, err := os.OpenRoot(root)
	require.NoError(t, err)
	defer opened.Close()
	for _, fsys := range []fs.FS{os.DirFS(root), opened.FS()} {
		assert.Equal(t, want, releaseJSON(t, compile(t, fsys)))
	}
	files, err := write.Draft(os.DirFS(root), version)
	require.NoError(t, err)
	assert.Len(t, files, 7)
	assert.True(t, strings.HasPrefix(string(files["symbols/disk.svg"]), "<svg"))
}

func writeFile(t *testing.T, name, data string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(data), 0o666))
}
