package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestFixedFiles shows what becomes of a file that is written.
func TestFixedFiles(t *testing.T) {
	t.Parallel()
	fix := func(p *player, name string, more ...string) (int, string) {
		code, stdout, stderr := execute(p.T.Context(), p.sys, append([]string{"validate", name, "--schemas", "schemas", "--fix", "--write"}, more...)...)
		return code, stdout + stderr
	}
	fixed := bikeDocument(strings.Replace(slip, "data.trip", "data.trips", 1))
	t.Run("it keeps its mode, and nothing is left beside it", func(t *testing.T) {
		p := newPlayer(t)
		path := p.write("docs/a.json", bikeDocument(slip))
		require.NoError(t, os.Chmod(path, 0o600))
		code, out := fix(p, "docs/a.json")
		require.Zero(t, code, out)
		require.Equal(t, map[string]string{path: fixed}, tree(t, filepath.Dir(path)))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})
	t.Run("a link stays a link", func(t *testing.T) {
		p := newPlayer(t)
		target := p.write("real/a.json", bikeDocument(slip))
		require.NoError(t, os.Symlink(target, p.sys.Path("link.json")))
		code, out := fix(p, "link.json")
		require.Zero(t, code, out)
		info, err := os.Lstat(p.sys.Path("link.json"))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
		text, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, fixed, string(text))
	})
	t.Run("a link in a directory to a file outside it is not followed", func(t *testing.T) {
		p := newPlayer(t)
		target := p.write("real/a.json", bikeDocument(slip))
		p.write("docs/b.json", fixed)
		require.NoError(t, os.Symlink(target, p.sys.Path("docs/link.json")))
		code, out := fix(p, "docs")
		require.Equal(t, console.ExitFailed, code, out)
		require.Contains(t, out, "is a link to a file outside the directory: name the file, or use --follow-links")
		require.Contains(t, out, "2 files, 1 valid, no findings, 1 not written\n")
		text, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, bikeDocument(slip), string(text))
		code, out = fix(p, "docs", "--follow-links")
		require.Zero(t, code, out)
		text, err = os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, fixed, string(text))
	})
	t.Run("a good file is not touched", func(t *testing.T) {
		p := newPlayer(t)
		path := p.write("a.json", fixed)
		old := time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(path, old, old))
		code, out := fix(p, "a.json")
		require.Zero(t, code, out)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.True(t, info.ModTime().Equal(old))
	})
	t.Run("a read-only file is changed only if asked", func(t *testing.T) {
		p := newPlayer(t)
		path := p.write("docs/a.json", bikeDocument(slip))
		require.NoError(t, os.Chmod(path, 0o444))
		code, out := fix(p, "docs/a.json")
		require.Equal(t, console.ExitFailed, code)
		require.Contains(t, out, "datachain: docs/a.json: can't write the file: the file is read-only: make it writable, or use --force\n")
		require.Equal(t, map[string]string{path: bikeDocument(slip)}, tree(t, filepath.Dir(path)))
		code, out = fix(p, "docs/a.json", "--force")
		require.Zero(t, code, out)
		require.Equal(t, map[string]string{path: fixed}, tree(t, filepath.Dir(path)))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o444), info.Mode().Perm())
	})
	t.Run("what a crash left behind is removed", func(t *testing.T) {
		p := newPlayer(t)
		path := p.write("docs/a.json", fixed)
		p.write("docs/.datachain-ABCDEFGHIJKLMNOPQRSTUVWXYZ", "half a docum")
		code, out := fix(p, "docs/a.json")
		require.Zero(t, code, out)
		if runtime.GOOS != "windows" { // where it is kept for an hour
			require.Equal(t, map[string]string{path: fixed}, tree(t, filepath.Dir(path)))
		}
	})
}

// meanwhile runs a command line, and calls a function when all documents were judged
// and none is written. It returns what was printed on standard error.
func meanwhile(p *player, act func(), args ...string) (code int, stderr string) {
	var out bytes.Buffer
	p.sys.Stdout, p.sys.StderrTerminal = io.Discard, true
	p.sys.Stderr = writerFunc(func(b []byte) {
		if bytes.Contains(b, []byte("validating: 2 of 2")) {
			act()
		}
		out.Write(b)
	})
	now := time.Now()
	p.sys.Now = func() time.Time { now = now.Add(time.Second); return now }
	code = run(p.T.Context(), args, p.sys)
	return code, out.String()
}

// TestFixMeanwhile shows that nothing which happens to a file while it is validated
// is undone, and that other files are written all the same.
func TestFixMeanwhile(t *testing.T) {
	t.Parallel()
	const changed = "not written, because the file was changed while it was validated: run the command again"
	other := strings.Replace(bikeDocument(slip), `"a"`, `"b"`, 1)
	for _, c := range []struct {
		name string
		act  func(path string) error
		why  string
		left map[string]string // the files, by their names
	}{
		{"an edit in place", func(path string) error { return os.WriteFile(path, []byte(other), 0o644) }, changed, map[string]string{"a.json": other}},
		{"an edit in place that keeps the time", func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
				return err
			}
			return os.Chtimes(path, info.ModTime(), info.ModTime())
		}, changed, map[string]string{"a.json": other}},
		{"an edit by renaming", func(path string) error {
			if err := os.WriteFile(path+"~", []byte(other), 0o644); err != nil {
				return err
			}
			return os.Rename(path+"~", path)
		}, changed, map[string]string{"a.json": other}},
		{
			"the file is moved away", func(path string) error { return os.Rename(path, path+".old") },
			"can't write the file: no such file or directory",
			map[string]string{"a.json.old": bikeDocument(slip)},
		},
		{
			"the directory is removed", func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
			"can't write the file: no such file or directory",
			map[string]string{},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayer(t)
			path := p.write("docs/a.json", bikeDocument(slip))
			p.write("more/b.json", bikeDocument(slip))
			code, stderr := meanwhile(p, func() { require.NoError(t, c.act(path)) },
				"validate", "docs/a.json", "more/b.json", "--schemas", "schemas", "--fix", "--write")
			require.Equal(t, console.ExitFailed, code, stderr)
			require.True(t, strings.HasSuffix(strings.ReplaceAll(stderr, "\n", " "), "datachain: docs/a.json: "+c.why+" "), stderr)
			left := map[string]string{}
			if _, err := os.Stat(filepath.Dir(path)); err == nil {
				for name, text := range tree(t, filepath.Dir(path)) {
					left[filepath.Base(name)] = text
				}
			}
			require.Equal(t, c.left, left)
			written, err := os.ReadFile(p.sys.Path("more/b.json"))
			require.NoError(t, err)
			require.Contains(t, string(written), "data.trips")
		})
	}
}
