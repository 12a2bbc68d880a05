package livestore_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/livestore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestUnreadableFolders takes the right to read away from each folder in turn:
// what was good is served on, and nobody is told that it was taken out.
func TestUnreadableFolders(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "schemas")
	versions := []taxonomy.Version{starter(t, dir, beta), starter(t, dir, stable)}
	likeAnybody(t, parent)
	s := open(t, dir, &livestore.Options{Interval: -1})
	for _, folder := range []string{".", "draft", beta, stable, beta + "/elements"} {
		t.Run(folder, func(t *testing.T) {
			likeAnybody(t, parent)
			before := []*taxonomy.Release{release(t, s, versions[0]), release(t, s, versions[1])}
			at := filepath.Join(dir, folder)
			require.NoError(t, syscall.Chmod(at, 0))
			for i, v := range versions {
				require.Same(t, before[i], release(t, s, v))
			}
			find(t, s.Findings(), issue.CodeSourceUnreadable)
			require.NoError(t, syscall.Chmod(at, 0o755))
			for i, v := range versions {
				require.Same(t, before[i], release(t, s, v))
			}
			require.Empty(t, s.Findings())
		})
	}
}

// likeAnybody has the rest of a test read files as one who owns them but may not
// do everything: a superuser reads whatever is forbidden.
func likeAnybody(t *testing.T, dir string) {
	t.Helper()
	const nobody = 65534
	if os.Geteuid() != 0 {
		return
	}
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // it holds nothing
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Lchown(name, nobody, nobody)
	}))
	runtime.LockOSThread() // it is the thread that may less
	require.NoError(t, syscall.Setfsuid(nobody))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}
