//go:build unix

package register_test

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
)

// TestReadAgain shows that a file that could not be read is tried again, also if its size
// and time stay the same, and that the reason is the current one.
func TestReadAgain(t *testing.T) {
	dir := t.TempDir()
	registertest.Write(t, dir, "rain.json", "rain", registertest.Monday, "")
	at := func(name string) string { return filepath.Join(dir, name) }
	socket, err := net.Listen("unix", at("s.json"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(at("s.json"), long, long))
	require.NoError(t, os.Symlink("nowhere", at("lost.json")))
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	var checks atomic.Int64
	origins := []register.Origin{origin, register.Stored("store", emptyStore{&checks}, nil)}
	r, err := register.New(registertest.Service(t), origins, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	messages := func(s *register.State) (all string) {
		for _, f := range s.Refused() {
			all += f.Issues[0].Message + "\n"
		}
		return all
	}
	require.Equal(t, "lost.json can't be read: it is a link to a file that does not exist.\ns.json can't be read: it is not a regular file.\n", messages(r.State()))

	require.NoError(t, os.WriteFile(at("_empty"), nil, 0o666))
	require.NoError(t, os.Chtimes(at("_empty"), long, long))
	require.NoError(t, os.Rename(at("_empty"), at("s.json")))
	eventually(t, r, func(s *register.State) bool { return strings.Contains(messages(s), "the text is empty") })
	require.NoError(t, os.Symlink("_loop", at("_loop")))
	require.NoError(t, os.Rename(at("_loop"), at("lost.json")))
	require.NoError(t, os.Symlink("lost.json", at("_loop")))
	s := eventually(t, r, func(s *register.State) bool { return strings.Contains(messages(s), "symbolic links") })
	seen := checks.Load()
	require.Eventually(t, func() bool { return checks.Load() >= seen+2 }, time.Minute, time.Millisecond) // of the directory, too
	require.Same(t, s, r.State(), "what still can't be read is not a change")
}

// emptyStore is a store without documents, which counts how often it is asked for them.
type emptyStore struct{ asked *atomic.Int64 }

func (s emptyStore) ReadFile(context.Context, string, string, int64) (text []byte, newTag string, err error) {
	s.asked.Add(1)
	return nil, "", fs.ErrNotExist
}
