package fsstore_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestReplacedFolder puts another folder in the place of the one that is read, in
// the ways in which deployments do.
func TestReplacedFolder(t *testing.T) {
	pubs := storetest.Publications()
	for name, c := range map[string]struct {
		linked  bool
		replace func(t *testing.T, dir, next string)
	}{
		"renamed": {false, func(t *testing.T, dir, next string) {
			require.NoError(t, os.Rename(dir, dir+"-old"))
			require.NoError(t, os.Rename(next, dir))
		}},
		"removed and put back": {false, func(t *testing.T, dir, next string) {
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.Rename(next, dir))
		}},
		"another link": {true, func(t *testing.T, dir, next string) {
			require.NoError(t, os.Symlink(next, dir+"-link"))
			require.NoError(t, os.Rename(dir+"-link", dir))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir, next := filepath.Join(parent, "store"), filepath.Join(parent, "next")
			at := dir
			if c.linked {
				at = filepath.Join(parent, "first")
				require.NoError(t, os.Symlink(at, dir))
			}
			require.NoError(t, os.Rename(published(t, pubs[:3]), at))
			require.NoError(t, os.Rename(published(t, pubs), next))
			s := openDir(t, dir, nil)
			require.NoError(t, holds(t, s, pubs[:3]))
			c.replace(t, dir, next)
			require.NoError(t, holds(t, s, pubs))
		})
	}
}

// TestFolderThatIsAway shows that all is served on while there is no folder, and
// that both the trouble and its end are told once.
func TestFolderThatIsAway(t *testing.T) {
	pubs := storetest.Publications()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Rename(published(t, pubs), dir))
	var told []string
	s := openDir(t, dir, &fsstore.Options{
		Report:    func(err error) { told = append(told, err.Error()) },
		Recovered: func() { told = append(told, "well") },
	})
	require.NoError(t, os.Rename(dir, dir+"-away"))
	require.NoError(t, holds(t, s, pubs), "also what nobody has read yet")
	require.NoError(t, holds(t, s, pubs))
	require.Len(t, told, 1)
	require.Contains(t, told[0], "no such file or directory")
	require.NoError(t, os.Rename(dir+"-away", dir))
	require.NoError(t, holds(t, s, pubs))
	require.NoError(t, holds(t, s, pubs))
	require.Equal(t, []string{told[0], "well"}, told)
}

// TestReplacedWhileRead replaces the folder again and again while it is read: no
// reader notices more than other content.
func TestReplacedWhileRead(t *testing.T) {
	pubs := storetest.Publications()
	parent := t.TempDir()
	dir := filepath.Join(parent, "store")
	folders := []string{published(t, pubs[:3]), published(t, pubs)}
	turn := func(i int) {
		require.NoError(t, os.Symlink(folders[i%2], dir+"-link"))
		require.NoError(t, os.Rename(dir+"-link", dir))
	}
	turn(0)
	s := openDir(t, dir, &fsstore.Options{Report: func(err error) { t.Error(err) }})
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := s.Release(t.Context(), pubs[0].Release.Version()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 60 {
		turn(i + 1)
	}
	close(stop)
	readers.Wait()
	require.NoError(t, holds(t, s, pubs[:3]))
}
