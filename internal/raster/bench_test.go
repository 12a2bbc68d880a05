//go:build full

package raster_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/raster"
)

// BenchmarkPNG draws a picture in the size of previews.
func BenchmarkPNG(b *testing.B) {
	r := open(b, raster.Options{})
	picture := svg(1200, 630, `<rect width="1200" height="630" fill="#f6f5f1"/><g transform="translate(400 100) scale(10.5)"><circle cx="18" cy="18" r="16" fill="#fff" stroke="#000" stroke-width="2"/></g>`)
	b.ReportAllocs()
	for b.Loop() {
		_, err := r.PNG(b.Context(), picture)
		require.NoError(b, err)
	}
}
