package inputs_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
)

// put writes a file.
func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// TestBelow lists documents in order, without hidden files, packages of Node and stores.
func TestBelow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"b.json", "a/c.JSON", "a/d.txt", ".hidden/e.json", ".f.json", "node_modules/g.json"} {
		put(t, dir, name, "{}")
	}
	put(t, dir, "dist/index.json", `{"format":2,"sequence":1,"versions":[]}`)
	put(t, dir, "dist/documents/h.json", "{}")
	require.Equal(t, []string{filepath.Join(dir, "a", "c.JSON"), filepath.Join(dir, "b.json")}, inputs.Below(dir))
	require.Equal(t, []string{filepath.Join(dir, "none")}, inputs.Below(filepath.Join(dir, "none")), "reading it returns the error")
}

// TestRead reads files and standard input, up to a size.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.json", "{}")
	read, err := inputs.Named(dir, "a.json").Read(nil)
	require.NoError(t, err)
	require.Equal(t, "{}", string(read.Text))
	read, err = inputs.Named(dir, "-").Read(strings.NewReader("[]"))
	require.NoError(t, err)
	require.Equal(t, "[]", string(read.Text))
	for name, want := range map[string]string{".": "is a directory: name a file", "none.json": "no such file or directory"} {
		_, err = inputs.Named(dir, name).Read(nil)
		require.EqualError(t, err, want)
	}
	_, err = inputs.Named(dir, "-").Read(strings.NewReader(strings.Repeat(" ", inputs.MaxSize+1)))
	require.EqualError(t, err, "too large for a datachain document: more than 16 MiB")
	require.NoError(t, os.Symlink("gone.json", filepath.Join(dir, "link.json")))
	_, err = inputs.Input{Name: "link.json", Path: filepath.Join(dir, "link.json"), Dir: dir}.Read(nil)
	require.EqualError(t, err, "a link to a file that does not exist")
}

// TestReplace replaces files that may be replaced, and says what to do about others.
func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	replace := func(d inputs.Input, o *inputs.ReplaceOptions, before func()) error {
		read, err := d.Read(nil)
		require.NoError(t, err)
		before()
		return d.Replace(read, []byte("new"), o)
	}
	nothing := func() {}
	file := put(t, dir, "docs/a.json", "old")
	d := inputs.Input{Name: "a.json", Path: file, Dir: filepath.Join(dir, "docs")}
	require.NoError(t, replace(d, new(inputs.ReplaceOptions), nothing))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	err = replace(d, new(inputs.ReplaceOptions), func() { put(t, dir, "docs/a.json", "edited meanwhile") })
	require.ErrorContains(t, err, "the file was changed while it was validated")

	outside := put(t, dir, "outside.json", "old")
	link := filepath.Join(dir, "docs", "link.json")
	require.NoError(t, os.Symlink(outside, link))
	d = inputs.Input{Name: "link.json", Path: link, Dir: filepath.Join(dir, "docs")}
	require.ErrorContains(t, replace(d, new(inputs.ReplaceOptions), nothing), "use --follow-links")
	require.NoError(t, replace(d, &inputs.ReplaceOptions{FollowLinks: true}, nothing))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(outside, 0o400))
		require.ErrorContains(t, replace(d, &inputs.ReplaceOptions{FollowLinks: true}, nothing), "make it writable, or use --force")
		require.NoError(t, replace(d, &inputs.ReplaceOptions{FollowLinks: true, Force: true}, nothing))
	}
}
