package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/files"
)

// read returns a file with a text as it is read before it is replaced.
func read(t *testing.T, path, text string) *files.Snapshot {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	info, err := os.Stat(path)
	require.NoError(t, err)
	return &files.Snapshot{Path: path, Text: []byte(text), Info: info}
}

// alone requires that a directory has exactly one file, with a text.
func alone(t *testing.T, path, text string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}

func TestReplace(t *testing.T) {
	t.Parallel()
	const edited = "other" // as long as "first"
	for _, c := range []struct {
		name string
		// edit is what happens between reading and replacing.
		edit func(path string, s *files.Snapshot) error
		want error
		text string
	}{
		{"nothing happened", func(string, *files.Snapshot) error { return nil }, nil, "fixed"},
		{"it was written to", func(path string, _ *files.Snapshot) error {
			return os.WriteFile(path, []byte(edited), 0o644)
		}, files.ErrChanged, edited},
		{"it was written to, and has the same length and time", func(path string, s *files.Snapshot) error {
			if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, s.Info.ModTime())
		}, files.ErrChanged, edited},
		{"it was replaced by a file with the same text and time", func(path string, s *files.Snapshot) error {
			if err := os.WriteFile(path+"~", s.Text, 0o644); err != nil {
				return err
			}
			if err := os.Chtimes(path+"~", time.Time{}, s.Info.ModTime()); err != nil {
				return err
			}
			return os.Rename(path+"~", path)
		}, files.ErrChanged, "first"},
		{"it was saved again with the same text", func(path string, s *files.Snapshot) error {
			return os.Chtimes(path, time.Time{}, s.Info.ModTime().Add(time.Millisecond))
		}, files.ErrChanged, "first"},
		{"it was cut off by an editor that goes on writing", func(path string, s *files.Snapshot) error {
			return os.Truncate(path, 2)
		}, files.ErrChanged, "fi"},
		{"it was made read-only", func(path string, s *files.Snapshot) error {
			if err := os.Chmod(path, 0o444); err != nil {
				return err
			}
			info, err := os.Stat(path)
			s.Info = info
			return err
		}, files.ErrReadOnly, "first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.json")
			s := read(t, path, "first")
			require.NoError(t, c.edit(path, s))
			require.ErrorIs(t, s.Replace([]byte("fixed"), false), c.want)
			alone(t, path, c.text)
		})
	}
}

// TestReplaceKeeps shows that a file keeps its mode, also if it is read-only and
// replaced all the same.
func TestReplaceKeeps(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o664, 0o755, 0o444} {
		t.Run(fmt.Sprintf("%o", mode), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.json")
			s := read(t, path, "first")
			require.NoError(t, os.Chmod(path, mode))
			var err error
			s.Info, err = os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, s.Replace([]byte("fixed"), true))
			alone(t, path, "fixed")
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode().Perm())
		})
	}
}

func TestReplaceOnlyFiles(t *testing.T) {
	t.Parallel()
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	s := &files.Snapshot{Path: os.DevNull, Info: info}
	require.ErrorIs(t, s.Replace([]byte("fixed"), false), files.ErrNotRegular)
}

// TestReplaceRemoved shows that a file which was removed meanwhile stays so.
func TestReplaceRemoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	s := read(t, path, "first")
	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, s.Replace([]byte("fixed"), false), os.ErrNotExist)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Empty(t, entries)
}

// TestFileRace shows that one of several writers wins, completely, while others
// sweep, and that nothing is left behind.
func TestFileRace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	var work sync.WaitGroup
	failed := make(chan error, 400)
	for i := range 4 {
		work.Go(func() {
			for range 25 {
				files.Sweep(filepath.Dir(path))
				failed <- files.Rewrite(path, []byte(strings.Repeat(fmt.Sprint(i), 1000)))
			}
		})
	}
	work.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	alone(t, path, strings.Repeat(string(text[:1]), 1000))
}

// TestSweepKeeps shows that only temporary files are removed.
func TestSweepKeeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{".datachain-notes", ".datachain-ABCDEFGHIJKLMNOPQRSTUVWXYZ.json", ".datachain-zyxwvutsrqponmlkjihgfedcba", "a.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.Symlink("a.json", filepath.Join(dir, ".datachain-ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
	files.Sweep(dir)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 5)
	files.Sweep(filepath.Join(dir, "nowhere"))
}

func ExampleSnapshot_Replace() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "a.txt")
	_ = os.WriteFile(path, []byte("teh text"), 0o644)
	info, _ := os.Stat(path)
	s := &files.Snapshot{Path: path, Text: []byte("teh text"), Info: info}

	_ = os.WriteFile(path, []byte("teh text, and more"), 0o644) // an edit
	fmt.Println(s.Replace([]byte("the text"), false))
	// Output: the file has changed since it was read
}
