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
