//go:build unix

package httpstore_test

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestPipes puts pipes in place of copies.
func TestPipes(t *testing.T) {
	pubs := storetest.Publications()[:1]
	dir := filled(t, pubs)
	for _, part := range []string{"index", ".json"} {
		name := copies(t, dir, part)[0]
		require.NoError(t, os.Remove(name))
		require.NoError(t, syscall.Mkfifo(name, 0o600))
		require.NoError(t, holds(t, open(t, address, over(direct{newServer(t, pubs)}, dir)), pubs))
		require.NoError(t, holds(t, openLast(t, address, over(offline{}, dir)), pubs), "it was replaced")
	}
}
