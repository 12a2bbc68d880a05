//go:build darwin || linux

package files_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/files"
)

// childDir makes the test binary a program that crashes while it works there.
const childDir = "REWRITE_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child creates a temporary directory and a temporary file, and waits.
func child(dir string) {
	var remove func() error
	var file *os.File
	root, err := os.OpenRoot(dir)
	if err == nil {
		_, remove, err = files.TempDir(root)
	}
	if err == nil {
		file, err = files.CreateTemp(dir, 0o600)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("at work")
	_, _ = io.Copy(io.Discard, os.Stdin) // never ends
	runtime.KeepAlive(remove)
	runtime.KeepAlive(file)
}

// temporary lists the temporary files of a directory.
func temporary(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".datachain-*"))
	require.NoError(t, err)
	return names
}

// TestCrash shows that temporary files are kept while their program runs, and
// removed after it was killed.
func TestCrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "at work\n", line)
	files.Sweep(dir)
	require.Len(t, temporary(t, dir), 2)

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	files.Sweep(dir)
	require.Empty(t, temporary(t, dir))
}
