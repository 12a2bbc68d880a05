package command

import (
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestFilledWhileServed copies another store into the one that is served, file by
// file in random order: the server stays ready, serves the last good data, refuses
// incomplete releases and serves everything in the end. It logs a few failures,
// not one per file.
func TestFilledWhileServed(t *testing.T) {
	t.Parallel()
	const known, added = "robot@2026-01-01-beta", "robot@2026-02-02-stable"
	dir, next := t.TempDir(), t.TempDir()
	publishStarter(t, dir, known)
	require.NoError(t, os.CopyFS(next, os.DirFS(dir)))
	source := filepath.Join(next, "source")
	for _, v := range []string{known, added} {
		writeStarter(t, source, taxonomy.MustVersion(v))
	}
	category := filepath.Join(source, "robot", "2026-01-01-beta", "categories", "purpose.yaml")
	text, err := os.ReadFile(category)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(category, []byte(strings.Replace(string(text), "en: Purpose", "en: Reason", 1)), 0o644))
	code, _, stderr := execute(t.Context(), testSystem(next), "schema", "publish", "source", "--store", "store")
	require.Zero(t, code, stderr)

	s := startServer(t, testSystem(dir), "--store", "store", "--addr", anyPort, admission, fastDrain, "--rate-limit", "off")
	s.become(s.admin+"/readyz", http.StatusOK)
	fillSlowly(t, filepath.Join(next, "store"), filepath.Join(dir, "store"), func() {
		status, body := s.get("/schemas/" + known + "/categories")
		require.Equal(t, http.StatusOK, status, body)
		status, body = s.get("/schemas/" + added + "/manifest")
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound, http.StatusBadGateway}, status, body)
		require.NotContains(t, body, dir, "clients learn nothing about the machine")
		status, body = getURL(t, s.admin+"/readyz")
		require.Equal(t, http.StatusOK, status, body)
	})
	s.become(s.api+"/schemas/"+added+"/manifest", http.StatusOK)
	require.Eventually(t, func() bool {
		_, body := s.get("/schemas/" + known + "/categories")
		return strings.Contains(body, `"Reason"`)
	}, 30*time.Second, 50*time.Millisecond, "the new content of a beta is never served")
	require.Eventually(t, func() bool {
		_, page := getURL(t, s.admin+"/metrics")
		return strings.Contains(page, "\ndatachain_store_in_trouble 0\n")
	}, 30*time.Second, 50*time.Millisecond, "the store never recovers")
	require.Equal(t, console.ExitGood, s.stop())
	log := s.log.String()
	assert.Less(t, strings.Count(log, "store read failed, serving last good data"), 30, log)
	assert.Less(t, strings.Count(log, "loading a release failed"), 10, log)
}

// fillSlowly copies a directory over another, file by file in random order, each
// in two pieces, and calls look in between.
func fillSlowly(t *testing.T, from, to string, look func()) {
	t.Helper()
	var names []string
	require.NoError(t, fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	}))
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	t.Logf("copied in this order: %q", names)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		target := filepath.Join(to, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		f, err := os.Create(target)
		require.NoError(t, err)
		cut := len(data) / 2
		_, err = f.Write(data[:cut])
		require.NoError(t, err)
		look()
		_, err = f.Write(data[cut:])
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	look()
}
