package sources_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
)

// The samples that are compiled one by one are those that [taxonomies.Store] compiles.
func TestSamples(t *testing.T) {
	t.Parallel()
	all, err := taxonomies.Store()
	require.NoError(t, err)
	want, err := all.Index(t.Context())
	require.NoError(t, err)
	if goldentest.Updating() {
		text, err := taxonomy.EncodeIndex(want)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("samples.json", text, 0o666))
		return // the program that runs has the old one
	}

	opened, err := sources.Samples()
	require.NoError(t, err)
	got, err := opened.Index(t.Context())
	require.NoError(t, err)
	require.True(t, got.Equal(want), "samples.json is not the index of the samples; run the test with UPDATE=1")
	for _, e := range got.Entries() {
		r, err := opened.Release(t.Context(), e.ID)
		require.NoError(t, err)
		assert.Equal(t, e.ID, r.Version())
		again, err := opened.Release(t.Context(), e.ID)
		require.NoError(t, err)
		assert.Same(t, r, again)
	}
	_, err = opened.Release(t.Context(), taxonomy.MustVersion("ai@2020-01-01-stable"))
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
}
