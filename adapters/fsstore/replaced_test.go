package fsstore_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestReplacedDirectory puts another directory in the place of the one that is
// read, as deployments do.
func TestReplacedDirectory(t *testing.T) {
	pubs := layouttest.Publications()
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
			require.NoError(t, os.Rename(publishedDir(t, pubs[:3]), at))
			require.NoError(t, os.Rename(publishedDir(t, pubs), next))
			number(t, next, 2)
			s := openDir(t, dir, nil)
			require.NoError(t, holds(t, s, pubs[:3]))
			c.replace(t, dir, next)
			require.NoError(t, holds(t, s, pubs))
		})
	}
}

// TestMissingDirectory: while there is no directory the store fails, and behind
// laststore everything that was read is still served.
func TestMissingDirectory(t *testing.T) {
	pubs := layouttest.Publications()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Rename(publishedDir(t, pubs), dir))
	s := openDir(t, dir, nil)
	last := must(laststore.New(s, &laststore.Options{RetryAfter: -1}))
	require.NoError(t, holds(t, last, pubs))
	require.NoError(t, os.Rename(dir, dir+"-away"))
	_, err := s.Index(t.Context())
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = s.Release(t.Context(), pubs[0].Release.Version())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotErrorIs(t, err, taxonomy.ErrNotFound)
	require.NoError(t, holds(t, last, pubs))
	require.ErrorIs(t, last.Err(), os.ErrNotExist)
	require.NoError(t, os.Rename(dir+"-away", dir))
	require.NoError(t, holds(t, s, pubs))
	require.NoError(t, holds(t, last, pubs))
	require.NoError(t, last.Err())
}

// TestReplacedWhileRead replaces the directory again and again while it is read:
// no read fails, though each directory has other content of the version.
func TestReplacedWhileRead(t *testing.T) {
	pubs := layouttest.Publications()
	parent := t.TempDir()
	dir := filepath.Join(parent, "store")
	changed := slices.Clone(pubs)
	changed[1] = edited(t, pubs[1].Release, "Changed")
	dirs := []string{publishedDir(t, pubs), publishedDir(t, changed)}
	turn := func(i int) {
		number(t, dirs[i%2], int64(i+1))
		require.NoError(t, os.Symlink(dirs[i%2], dir+"-link"))
		require.NoError(t, os.Rename(dir+"-link", dir))
	}
	turn(0)
	s := openDir(t, dir, nil)
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
				if _, err := s.Release(t.Context(), pubs[1].Release.Version()); err != nil {
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
	require.NoError(t, holds(t, s, pubs))
}

// TestRolledBack shows that an index that goes back is not served: an older one, an
// empty one, and one that alternates with the present one.
func TestRolledBack(t *testing.T) {
	pubs := layouttest.Publications()
	fsys := mapFS(t, pubs[:3])
	old := fsys[layout.IndexFile]
	maps.Copy(fsys, mapFS(t, pubs))
	now := fsys[layout.IndexFile]
	synctest.Test(t, func(t *testing.T) {
		s := open(t, fsys, nil)
		require.NoError(t, holds(t, s, pubs))
		for range 3 {
			fsys[layout.IndexFile] = old
			require.NoError(t, holds(t, s, pubs))
			require.NoError(t, s.Err(), "mirrors lag")
			time.Sleep(watch.Grace - time.Second)
			fsys[layout.IndexFile] = now
			require.NoError(t, holds(t, s, pubs))
		}
		fsys[layout.IndexFile] = old
		require.NoError(t, holds(t, s, pubs))
		time.Sleep(watch.Grace)
		require.NoError(t, holds(t, s, pubs))
		require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)
		fsys[layout.IndexFile] = &fstest.MapFile{Data: []byte(`{"format":2,"versions":[]}`)}
		require.NoError(t, holds(t, s, pubs))
		require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)
		fsys[layout.IndexFile] = now
		require.NoError(t, holds(t, s, pubs))
		require.NoError(t, s.Err())
	})
}
