package command

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestStoreCacheReadOnly shows that serve ends if a --store-cache with copies can no longer
// be written.
func TestStoreCacheReadOnly(t *testing.T) {
	_, sys := withBucket(t, t.TempDir())
	publishBucket(t, sys, "robot@2026-01-01-beta")
	upstream := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, fastDrain)
	for name, store := range map[string]string{"bucket": inBucket, "server": strings.TrimSuffix(upstream.api, "/api/v2")} {
		t.Run(name, func(t *testing.T) {
			args := []string{"--store", store, "--store-cache", "cache-" + name, "--addr", anyPort, fastDrain}
			s := startServer(t, sys, args...)
			_, body := s.get("/schemas")
			require.Contains(t, body, "content_hash")
			require.Equal(t, console.ExitGood, s.stop())
			folder := onlyFile(t, filepath.Join(sys.Dir, "cache-"+name, "*"))
			require.NoError(t, os.RemoveAll(folder))
			require.NoError(t, os.Symlink("/proc/self", folder))         // not writable for the superuser either
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a server would run for ever
			defer cancel()
			code, _, stderr := execute(ctx, sys, append([]string{"serve"}, args...)...)
			require.Equal(t, console.ExitFailed, code)
			require.Contains(t, stderr, "--store-cache ")
			require.Contains(t, stderr, "Choose a writable directory, or omit --store-cache.")
		})
	}
}

// TestUnreadableDirectory shows that a directory which can't be listed is reported
// like a file which can't be read, and that other files are read.
func TestUnreadableDirectory(t *testing.T) {
	t.Parallel()
	p := likeAnybody(t)
	require.NoError(t, syscall.Chmod(p.Path("documents/more"), 0))
	t.Cleanup(func() { _ = syscall.Chmod(p.Path("documents/more"), 0o755) })
	docs, err := p.Versions().Documents(new(cobra.Command), []string{"documents"})
	require.NoError(t, err)
	var names []string
	for _, d := range docs {
		names = append(names, d.Name)
	}
	require.Equal(t, []string{"documents/good.json", "documents/more", "documents/slips.json"}, names)
	_, err = docs[1].Read(p.Stdin)
	require.EqualError(t, err, "permission denied")
}

// TestUnreadableParent shows that a directory without a source is reported as
// such, also if its parent can't be read.
func TestUnreadableParent(t *testing.T) {
	t.Parallel()
	p := likeAnybody(t)
	require.NoError(t, syscall.Mkdir(p.Path("documents/more/empty"), 0o755))
	require.NoError(t, syscall.Chmod(p.Path("documents/more"), 0o311))
	t.Cleanup(func() { _ = syscall.Chmod(p.Path("documents/more"), 0o755) })
	_, err := p.Versions().OpenSource(stores.Location{Schemas: "documents/more/empty"})
	require.ErrorIs(t, err, sources.ErrNoSource)
}

// TestUnwritable shows the errors for directories that can't be written.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	p := likeAnybody(t)
	require.NoError(t, syscall.Chmod(p.Dir, 0o555))
	t.Cleanup(func() { _ = syscall.Chmod(p.Dir, 0o755) })
	require.EqualError(t, files.Fill(p.Path("dist"), nil), "permission denied")
	v, err := taxonomy.ParseVersion("bikes@2026-10-01-beta")
	require.NoError(t, err)
	_, err = draft(t.Context(), p, p.Versions(), v, "")
	require.EqualError(t, err, "can't write into "+p.Dir+": permission denied")
}

// likeAnybody returns a program in a copy of the sample tree, and gives up the
// rights of the superuser, who may read everything, for the rest of the test.
func likeAnybody(t *testing.T) *console.Console {
	t.Helper()
	const nobody = 65534
	p := newConsole(newPlayer(t).sys)
	if os.Geteuid() != 0 {
		return p
	}
	require.NoError(t, os.Chmod(filepath.Dir(p.Dir), 0o755)) //nolint:gosec // it holds nothing
	require.NoError(t, filepath.WalkDir(p.Dir, func(name string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Lchown(name, nobody, nobody)
	}))
	runtime.LockOSThread() // it is the thread that may less
	require.NoError(t, syscall.Setfsuid(nobody))
	t.Cleanup(func() {
		require.NoError(t, syscall.Setfsuid(0))
		runtime.UnlockOSThread()
	})
	return p
}
