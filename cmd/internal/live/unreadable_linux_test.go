package live_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestUnreadableDirectories takes the permission to read away from each directory
// in turn: behind laststore what was good is still served, the findings say why,
// and no version counts as removed.
func TestUnreadableDirectories(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "schemas")
	versions := []taxonomy.Version{liveStarter(t, dir, beta), liveStarter(t, dir, stable)}
	likeAnybody(t, parent)
	live := openLive(t, dir, &live.Options{Interval: -1})
	s := must(laststore.New(live, &laststore.Options{RetryAfter: -1}))
	for _, folder := range []string{".", "draft", beta, stable, beta + "/elements"} {
		t.Run(folder, func(t *testing.T) {
			likeAnybody(t, parent)
			before := []*taxonomy.Release{release(t, s, versions[0]), release(t, s, versions[1])}
			at := filepath.Join(dir, folder)
			require.NoError(t, syscall.Chmod(at, 0))
			for i, v := range versions {
				require.Same(t, before[i], release(t, s, v))
			}
			find(t, live.Findings(), codes.SourceUnreadable)
			require.Error(t, s.Err())
			require.NoError(t, syscall.Chmod(at, 0o755))
			for i, v := range versions {
				require.Same(t, before[i], release(t, s, v))
			}
			require.Empty(t, live.Findings())
			require.NoError(t, s.Err())
		})
	}
}

// likeAnybody makes the rest of a test read files as an ordinary owner: a
// superuser can read everything.
func likeAnybody(t *testing.T, dir string) {
	t.Helper()
	const ordinary = 65534
	if os.Geteuid() != 0 {
		return
	}
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // it holds nothing
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Lchown(name, ordinary, ordinary)
	}))
	runtime.LockOSThread() // the permissions are those of the thread
	require.NoError(t, syscall.Setfsuid(ordinary))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}
