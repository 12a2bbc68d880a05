package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/source"
)

// startServer runs `serve` until the test ends, and returns its address and
// how it ended, once it has.
func startServer(t *testing.T, sys system, args ...string) (address string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	sys.stdout, sys.stderr = io.Discard, write
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve"}, args...), sys)
		_ = write.Close()
	}()
	lines := bufio.NewScanner(read)
	require.True(t, lines.Scan())
	address, found := strings.CutPrefix(lines.Text(), "Serving at ")
	require.True(t, found, lines.Text())
	go func() {
		_, _ = io.Copy(io.Discard, read) // so that the server never waits for a reader
	}()
	t.Cleanup(cancel)
	return strings.TrimSuffix(address, "/schemas"), func() int {
		cancel()
		return <-ended
	}
}

func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}

func TestServeSamples(t *testing.T) {
	address, stop := startServer(t, testSystem(t.TempDir()), "--addr", "127.0.0.1:0")
	status, body := fetch(t, address+"/schemas/sensor@latest/manifest")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "sensor@2026-06-15-stable")
	require.Equal(t, exitGood, stop())
}

// TestServeSource serves a source that is edited, named by variables.
func TestServeSource(t *testing.T) {
	dir := t.TempDir()
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	for name, data := range source.Starter(v) {
		name = filepath.Join(dir, "schemas", "robot", v.Folder(), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, data, 0o644))
	}
	sys := testSystem(dir)
	sys.getenv = func(name string) string {
		return map[string]string{"DATACHAIN_ADDR": "127.0.0.1:0", "DATACHAIN_SCHEMAS": "schemas"}[name]
	}
	address, stop := startServer(t, sys)
	_, body := fetch(t, address+"/schemas/robot@latest/categories")
	require.Contains(t, body, `"Purpose"`)

	file := filepath.Join(dir, "schemas", "robot", v.Folder(), "categories", "purpose.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "en: Purpose", "en: Reason", 1)), 0o644))
	_, body = fetch(t, address+"/schemas/robot@latest/categories")
	require.Contains(t, body, `"Reason"`, "an edit shows in the next answer")
	require.Equal(t, exitGood, stop())
}

func TestServeCanNotRun(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--addr", "nonsense"}, "--addr nonsense"},
		{[]string{"serve", "--store", "nowhere"}, "--store nowhere: no store here"},
		{[]string{"serve", "--schemas", "nowhere"}, "--schemas nowhere"},
		{[]string{"serve", "--schemas", "a", "--store", "b"}, "exclude each other"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			code, _, stderr := execute(t.Context(), testSystem(t.TempDir()), tt.args...)
			require.Equal(t, exitFailed, code)
			require.Contains(t, stderr, tt.want)
		})
	}
}
