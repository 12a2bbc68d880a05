//go:build full

package main

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is where make full puts its file.
func built(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../web/editor/dist")
	require.NoError(t, err)
	return dir
}

// TestRasterServer follows the address of the picture on a page. What draws it is not kept
// in a file, which could be damaged.
func TestRasterServer(t *testing.T) {
	const base = "https://example.org/dc"
	sys := testSystem(t.TempDir())
	sys.cacheDir = t.TempDir()
	s := startServer(t, sys, "--addr", anyPort, "--assets", built(t), "--base-url", base, "--work-timeout", "1m", fastDrain) // the first picture waits for the compiler
	root := strings.TrimSuffix(s.api, "/api/v2")
	get := func(path string) (*http.Response, []byte) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, root+path, nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		return res, body
	}
	for _, page := range []string{"/t/ai@latest", "/t/ai@latest/c/purpose", "/t/ai@latest/e/purpose.benefits"} {
		_, body := get(page)
		found := regexp.MustCompile(`<meta property="og:image" content="` + regexp.QuoteMeta(base) + `([^"]+)"`).FindSubmatch(body)
		require.NotNil(t, found, page)
		res, picture := get(string(found[1]))
		assert.Equal(t, "image/png", res.Header.Get("Content-Type"))
		assert.Contains(t, res.Header.Get("Cache-Control"), "immutable")
		img, err := png.Decode(bytes.NewReader(picture))
		require.NoError(t, err)
		assert.Equal(t, image.Pt(1200, 630), img.Bounds().Size())
	}
	assert.Zero(t, s.stop())
	kept, err := os.ReadDir(sys.cacheDir)
	require.NoError(t, err)
	assert.Empty(t, kept)
}

// TestRasterDamaged shows that a wrong module is an error that says what to do.
func TestRasterDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "resvg.wasm"), []byte("\x00asm"), 0o600))
	code, _, stderr := execute(t.Context(), testSystem(dir), "serve", "--addr", anyPort, "--assets", dir, "--base-url", "https://example.org")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, stderr, "resvg.wasm: raster: not the module of @resvg/resvg-wasm 2.6.2")
	assert.Contains(t, stderr, "get it with 'make full'")
}
