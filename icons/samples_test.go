package icons_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestSamples composes every icon of the sample taxonomies in every possible way, with the
// same bytes.
func TestSamples(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, index.Entries())
	for _, entry := range index.Entries() {
		t.Run(entry.ID.String(), func(t *testing.T) {
			r, err := store.Release(t.Context(), entry.ID)
			require.NoError(t, err)
			set := must(icons.NewSet(r, nil))

			var archive bytes.Buffer
			require.NoError(t, reader.WriteArchive(&archive, r, func(e *taxonomy.Element, variant string) ([]byte, error) {
				return set.Icon(e.ID, variant)
			}))
			entry.Archive = sha256.Sum256(archive.Bytes())
			baked, err := reader.Open(entry, archive.Bytes())
			require.NoError(t, err)

			owner := map[string]string{} // of ids
			for _, e := range r.Elements() {
				c, _ := r.Category(e.CategoryID)
				text, _ := r.Symbol(e.SymbolID)
				symbol, _ := icons.Sanitize([]byte(text))
				for _, variant := range e.IconVariants {
					colors, _ := icons.ColorsOf(c, variant)
					composed, err := icons.Append(nil, c.Shape, symbol, colors, nil)
					require.NoError(t, err)
					for _, id := range icons.RequireIcon(t, composed) {
						if first, taken := owner[id]; taken {
							require.Equal(t, first, string(composed), "only the same icon has the same ids")
						}
						owner[id] = string(composed)
					}
					got, err := set.Icon(e.ID, variant)
					require.NoError(t, err)
					require.Equal(t, string(composed), string(got))
					stored, err := baked.Icon(e.ID, variant)
					require.NoError(t, err)
					require.Equal(t, string(composed), string(stored))
				}
			}
		})
	}
}
