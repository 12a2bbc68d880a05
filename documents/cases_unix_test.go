//go:build unix

package documents_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/documents"
)

// TestReadAgain shows that a file that could not be read is tried again, also if its size
// and time stay the same, and that the reason is the current one.
func TestReadAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "rain.json", "rain", monday, "")
	at := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", at("s.json"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(at("s.json"), long, long))
	require.NoError(t, os.Symlink("nowhere", at("lost.json")))
	r := live(t, dir, nil)
	messages := func(s *documents.State) (all string) {
		for _, f := range s.Refused() {
			all += f.Issues[0].Message + "\n"
		}
		return all
	}
	require.Equal(t, "lost.json can't be read: no such file or directory.\ns.json can't be read: it is not a regular file.\n", messages(r.State()))

	require.NoError(t, os.WriteFile(at("_empty"), nil, 0o666))
	require.NoError(t, os.Chtimes(at("_empty"), long, long))
	require.NoError(t, os.Rename(at("_empty"), at("s.json")))
	eventually(t, r, func(s *documents.State) bool { return strings.Contains(messages(s), "the text is empty") })
	require.NoError(t, os.Symlink("_loop", at("_loop")))
	require.NoError(t, os.Rename(at("_loop"), at("lost.json")))
	require.NoError(t, os.Symlink("lost.json", at("_loop")))
	s := eventually(t, r, func(s *documents.State) bool { return strings.Contains(messages(s), "symbolic links") })
	for range 5 { // checks of the directory
		time.Sleep(10 * time.Millisecond)
	}
	require.Same(t, s, r.State(), "what still can't be read is not a change")
}
