package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/files"
)

// put makes a folder with a file that tells it from others.
func put(t *testing.T, dir, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte(text), 0o644))
}

func readIn(t *testing.T, o *files.Opened) string {
	t.Helper()
	text, err := fs.ReadFile(o.FS(), "file")
	require.NoError(t, err)
	return string(text)
}

// TestReplaced shows that the new folder is read at the next use, and the old
// one to the end of its own.
func TestReplaced(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, dir string){
		"renamed": func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(dir, dir+"-old"))
			put(t, dir, "new")
		},
		"another link": func(t *testing.T, dir string) {
			put(t, dir+"-2", "new")
			require.NoError(t, os.Symlink(dir+"-2", dir+"-link"))
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.Rename(dir+"-link", dir))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dir")
			put(t, dir, "old")
			f, err := files.OpenFolder(dir)
			require.NoError(t, err)
			old, err := f.Use()
			require.NoError(t, err)
			again, err := f.Use()
			require.NoError(t, err)
			require.Same(t, old, again)
			again.Done()

			replace(t, dir)
			now, err := f.Use()
			require.NoError(t, err)
			assert.Equal(t, "new", readIn(t, now))
			_, err = fs.Stat(old.FS(), ".")
			require.NoError(t, err, "the old one can still be read")
			old.Done()
			_, err = fs.Stat(old.FS(), ".")
			require.ErrorIs(t, err, os.ErrClosed, "and then it is closed")
			now.Done()
			require.NoError(t, f.Close())
			_, err = fs.Stat(now.FS(), ".")
			require.ErrorIs(t, err, os.ErrClosed)
		})
	}
}

// TestGone shows that the last folder is there while the path leads nowhere.
func TestGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	put(t, dir, "old")
	f, err := files.OpenFolder(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	require.NoError(t, os.Rename(dir, dir+"-away"))
	for range 2 {
		o, err := f.Use()
		require.ErrorIs(t, err, fs.ErrNotExist)
		assert.Equal(t, "old", readIn(t, o))
		o.Done()
	}
	require.NoError(t, os.WriteFile(dir, nil, 0o644))
	o, err := f.Use()
	require.Error(t, err, "a file is not a directory")
	assert.Equal(t, "old", readIn(t, o))
	o.Done()
	require.NoError(t, os.Remove(dir))
	put(t, dir, "new")
	o, err = f.Use()
	require.NoError(t, err)
	assert.Equal(t, "new", readIn(t, o))
	o.Done()
}

func TestOpenNothing(t *testing.T) {
	_, err := files.OpenFolder(filepath.Join(t.TempDir(), "nowhere"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestConcurrent reads while the folder is replaced again and again.
func TestConcurrent(t *testing.T) {
	parent := t.TempDir()
	link := filepath.Join(parent, "link")
	turn := func(i int) {
		dir := filepath.Join(parent, strconv.Itoa(i))
		put(t, dir, strconv.Itoa(i))
		require.NoError(t, os.Symlink(dir, link+"-next"))
		require.NoError(t, os.Rename(link+"-next", link))
	}
	turn(0)
	f, err := files.OpenFolder(link)
	require.NoError(t, err)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				o, err := f.Use()
				_, readErr := fs.ReadFile(o.FS(), "file")
				if err != nil || readErr != nil {
					t.Error(err, readErr)
				}
				o.Done()
			}
		})
	}
	for i := range 50 {
		turn(i + 1)
	}
	close(stop)
	readers.Wait()
	o, err := f.Use()
	require.NoError(t, err)
	assert.Equal(t, "50", readIn(t, o))
	o.Done()
	require.NoError(t, f.Close())
}
