package baking_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/baking"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/published"
)

// TestWrite writes the files that publishing draws, and counts them.
func TestWrite(t *testing.T) {
	t.Parallel()
	samples, err := published.Store()
	require.NoError(t, err)
	r, err := stores.NewSet(samples).Release(t.Context(), "sensor@latest")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, baking.Write(t.Context(), r, dir, func(int, int) {}))
	written, err := filepath.Glob(filepath.Join(dir, "*", "*.svg"))
	require.NoError(t, err)
	result := baking.NewResult(r, true)
	require.Len(t, written, result.Icons)
	require.Equal(t, "baked", result.Result)
	require.Equal(t, "unchanged", baking.NewResult(r, false).Result)

	icon, e := baking.Icons(), r.Elements()[0]
	for _, variant := range e.IconVariants {
		drawn, err := icon(r, e, variant)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(dir, e.ID, variant+".svg"))
		require.NoError(t, err)
		require.Equal(t, string(drawn), string(text))
	}
}
