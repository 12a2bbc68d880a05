package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/files"
)

const nobody = 65534

// owner returns who owns a file.
func owner(t *testing.T, path string) [2]uint32 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	stat, ok := info.Sys().(*syscall.Stat_t)
	require.True(t, ok)
	return [2]uint32{stat.Uid, stat.Gid}
}

// TestOwner shows that a file keeps its owner and its group. Only the superuser can
// give them to somebody else in the first place.
func TestOwner(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	s := read(t, path, "first")
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(path, nobody, 12345))
		var err error
		s.Info, err = os.Stat(path)
		require.NoError(t, err)
	}
	before := owner(t, path)
	require.NoError(t, s.Replace([]byte("fixed"), false))
	require.Equal(t, before, owner(t, path))
	require.NoError(t, files.Rewrite(path, []byte("again")))
	require.Equal(t, before, owner(t, path))
	alone(t, path, "again")
}

// TestFileOfAnother shows that the file of another user is read-only, and that it is
// not replaced by a file of one's own.
func TestFileOfAnother(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		return // only the superuser can make one
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	s := read(t, path, "first")
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) //nolint:gosec // it holds nothing
	require.NoError(t, os.Chown(dir, nobody, nobody))
	runtime.LockOSThread() // it is the thread that may less
	defer runtime.UnlockOSThread()
	require.NoError(t, syscall.Setfsuid(nobody))
	defer func() { require.NoError(t, syscall.Setfsuid(0)) }()
	require.ErrorIs(t, s.Replace([]byte("fixed"), false), files.ErrReadOnly)
	require.ErrorIs(t, s.Replace([]byte("fixed"), true), files.ErrOwner)
	alone(t, path, "first")
}
