package lsp_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// warned waits for the message about what was left out, and returns it.
func (e *editor) warned() string {
	e.t.Helper()
	var text string
	e.await("a message", func() bool {
		for _, m := range e.asked {
			if m.Method == "window/showMessage" {
				text = string(m.Params)
				return true
			}
		}
		return false
	})
	return text
}

// endless is a directory that never ends.
type endless struct{ listed *int }

func (e endless) Open(name string) (fs.File, error) {
	if name == "." {
		return e, nil
	}
	return nil, fs.ErrPermission
}
func (endless) Stat() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }
func (endless) Read([]byte) (int, error)   { return 0, io.EOF }
func (endless) Close() error               { return nil }
func (e endless) ReadDir(n int) ([]fs.DirEntry, error) {
	list := make([]fs.DirEntry, n)
	for i := range list {
		*e.listed++
		list[i] = entry{fmt.Sprintf("%d.txt", *e.listed)}
	}
	return list, nil
}

type entry struct{ name string }

func (e entry) Name() string             { return e.name }
func (entry) IsDir() bool                { return false }
func (entry) Type() fs.FileMode          { return 0 }
func (entry) Info() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }

// locked is a file system with files and directories that can't be read.
type locked struct{ fs.FS }

func (l locked) Open(name string) (fs.File, error) {
	if strings.Contains(name, "private") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.FS.Open(name)
}

func (l locked) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(l.FS, name) }
func (l locked) ReadLink(name string) (string, error)   { return fs.ReadLink(l.FS, name) }

// TestLimits reaches every limit: the rest is left out, with one message that says so.
func TestLimits(t *testing.T) {
	many := fstest.MapFS{}
	for i := range 10 {
		many[fmt.Sprintf("%d.datachain.json", i)] = mapFile(wrong)
	}
	deep := fstest.MapFS{strings.Repeat("d/", 80) + "x.datachain.json": mapFile(wrong), "x.datachain.json": mapFile(wrong)}
	private := locked{fstest.MapFS{"private/x.json": mapFile(wrong), "private.datachain.json": mapFile(wrong), "x.datachain.json": mapFile(wrong)}}
	listed := 0
	for _, c := range []struct {
		name    string
		files   fs.FS
		limits  lsp.Limits
		message string
	}{
		{"entries", many, lsp.Limits{Entries: 5}, "more than 5 files"},
		{"entries of an endless directory", endless{&listed}, lsp.Limits{}, "more than 200000 files"},
		{"documents", many, lsp.Limits{Documents: 3}, "more than 3 documents"},
		{"findings", many, lsp.Limits{Findings: 7}, "more than 7 findings"},
		{"size", many, lsp.Limits{FileSize: 50}, "datachain.json and 9 more are larger than 50 bytes"},
		{"bytes", fstest.MapFS{"a.json": mapFile("{" + strings.Repeat(" ", 2<<20)), "b.json": mapFile("{" + strings.Repeat(" ", 2<<20))}, lsp.Limits{Bytes: 1 << 20}, "more than 1 MiB"},
		{"depth", deep, lsp.Limits{}, "… is nested deeper than 64 directories"},
		{"unreadable", private, lsp.Limits{}, "and 1 more are unreadable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := inWorkspace(t, c.files, lsp.Limited(c.limits), nil)
			message := e.warned()
			assert.Contains(t, message, c.message)
			assert.Contains(t, message, "open a smaller folder or run 'datachain validate'")
			e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
			e.ask("workspace/diagnostic", object{})
			e.mu.Lock()
			defer e.mu.Unlock()
			assert.Len(t, e.asked, 1, "the message is shown once")
			total := 0
			for uri := range e.published {
				total += len(e.shown(uri))
			}
			if c.limits.Findings > 0 {
				assert.LessOrEqual(t, total, c.limits.Findings)
			}
			if c.limits.Documents > 0 {
				assert.Len(t, e.published, c.limits.Documents)
			}
		})
	}
	assert.Less(t, listed, 500_000)
}

// TestHostileTree validates the documents of a directory that is full of traps.
func TestHostileTree(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	names := []string{"100%.datachain.json", "100%25.datachain.json", "a b#c?d.datachain.json", "日本.datachain.json", "dir/x.datachain.json"}
	for _, name := range names {
		write(name, wrong)
	}
	write("binary.json", string(make([]byte, 1000)))
	write("zeros.datachain.json", string(make([]byte, 1000)))
	big, err := os.Create(filepath.Join(dir, "big.datachain.json"))
	require.NoError(t, err)
	require.NoError(t, big.Truncate(100<<20))
	require.NoError(t, big.Close())
	for link, target := range map[string]string{"dir/loop": "..", "self.datachain.json": "self.datachain.json", "outside.json": "/etc/hostname", "gone.json": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Logf("no symbolic links: %v", err)
		}
	}
	special(t, dir)
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	begun := time.Now()
	e := inWorkspace(t, root.FS(), lsp.Options{}, nil)
	assert.Contains(t, e.warned(), "big.datachain.json is larger than 16 MiB")
	for _, name := range append(names, "zeros.datachain.json", "big.datachain.json") {
		uri := workspace + (&url.URL{Path: "/" + name}).EscapedPath()
		e.await("findings in "+uri, func() bool { return len(e.shown(uri)) > 0 })
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	assert.Len(t, e.published, len(names)+2, "in %s", time.Since(begun))
	assert.Contains(t, e.shown(workspace + "/big.datachain.json")[0].Message, "not checked")
}
