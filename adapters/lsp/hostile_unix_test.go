//go:build unix

package lsp_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// special makes files that are not regular, whose readers may wait forever, and names
// that are not UTF-8.
func special(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.datachain.json"), 0o600))
	short := t.TempDir() // addresses have at most 108 bytes
	socket, err := net.Listen("unix", filepath.Join(short, "s"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	require.NoError(t, os.Rename(filepath.Join(short, "s"), filepath.Join(dir, "socket.datachain.json")))
	if err := os.WriteFile(dir+"/\xff.json", []byte(wrong), 0o600); err != nil {
		t.Logf("no such names: %v", err)
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "private"), 0o000))
}
