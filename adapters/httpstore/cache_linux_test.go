package httpstore_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
)

// TestCacheReadOnly: a directory that has copies and is not writable is refused.
func TestCacheReadOnly(t *testing.T) {
	dir := filled(t, layouttest.Publications()[:1])
	folder := filepath.Dir(copies(t, dir, "index")[0])
	require.NoError(t, os.Rename(folder, folder+"-moved"))
	require.NoError(t, os.Symlink("/proc/self", folder)) // not writable for the superuser either
	_, err := httpstore.Open(address, over(offline{}, dir))
	require.ErrorContains(t, err, "the cache directory can't be used")
}

// TestPipes puts pipes in place of copies.
func TestPipes(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	dir := filled(t, pubs)
	for _, part := range []string{"index", ".json"} {
		name := copies(t, dir, part)[0]
		require.NoError(t, os.Remove(name))
		require.NoError(t, syscall.Mkfifo(name, 0o600))
		require.NoError(t, holds(t, open(t, address, over(direct{newServer(t, pubs)}, dir)), pubs))
		require.NoError(t, holds(t, openLast(t, address, over(offline{}, dir)), pubs), "it was replaced")
	}
}
