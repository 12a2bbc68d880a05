//go:build full

package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSignDrawn draws signs as files, with the fonts and the rasterizer that make full fetches.
func TestSignDrawn(t *testing.T) {
	t.Parallel()
	dir := signRegister(t)
	run := func(args ...string) []byte {
		code, _, stderr := execute(t.Context(), testSystem(dir), append([]string{"sign", "--documents", "documents", "--assets", built(t)}, args...)...)
		require.Zero(t, code, stderr)
		text, err := os.ReadFile(filepath.Join(dir, args[len(args)-1]))
		require.NoError(t, err)
		return text
	}
	assert.Contains(t, string(run("city-library-chat", "-o", "sign.svg")), `width="148mm" height="210mm"`)
	pdf := run("--all", "-o", "signs.pdf") // with the logo, which is an SVG
	assert.Equal(t, 2, bytes.Count(pdf, []byte("/Type/Page/")))
	assert.Equal(t, 2, bytes.Count(pdf, []byte("/SMask")), "the logo is drawn on both")
	drawn, err := png.Decode(bytes.NewReader(run("city-library-chat", "--size", "A6", "-o", "sign.png")))
	require.NoError(t, err)
	assert.InDelta(t, 105/25.4*300, drawn.Bounds().Dx(), 1)
}

// TestSignSite writes a site with signs as files, beside the pages that every program writes. The
// taxonomy is small, since its pages have pictures, too.
func TestSignSite(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	require.NoError(t, os.CopyFS(p.sys.path("assets"), os.DirFS(built(t))))
	code, _, stderr := execute(t.Context(), p.sys, "site", "documents/good.json", "--schemas", "schemas", "--base-url", "https://example.org", "--assets", "assets", "--out", "public")
	require.Zero(t, code, stderr)
	dir := p.sys.path(filepath.Join("public", "en", "d"))
	page, err := os.ReadFile(filepath.Join(dir, "harbour-bikes.html"))
	require.NoError(t, err)
	for name, want := range map[string]string{"sign.html": "<!doctype html>", "sign.svg": "<svg", "sign.pdf": "%PDF-1.7", "picture.png": "\x89PNG"} {
		file, err := os.ReadFile(filepath.Join(dir, "harbour-bikes", name))
		require.NoError(t, err)
		assert.Equal(t, want, string(file[:len(want)]))
		assert.Contains(t, string(page), "harbour-bikes/"+name+`"`)
	}
}
