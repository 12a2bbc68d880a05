package icons_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestSamples composes every icon of the sample taxonomies in every possible way, with the
// same bytes.
func TestSamples(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, index.Entries())
	for _, entry := range index.Entries() {
		t.Run(entry.ID.String(), func(t *testing.T) {
			r, err := store.Release(t.Context(), entry.ID)
			require.NoError(t, err)
			set := must(icons.NewSet(r, nil))

			dir := t.TempDir()
			target, err := dirtarget.Open(t.Context(), dir)
			require.NoError(t, err)
			_, err = publish.Publish(t.Context(), target, []listing.Publication{{Release: r}}, &publish.Options{
				Icon: func(_ *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
					return set.Icon(e.ID, variant)
				},
			})
			require.NoError(t, err)
			require.NoError(t, target.Close())
			published, err := fsstore.OpenDir(dir, nil)
			require.NoError(t, err)
			defer func() { require.NoError(t, published.Close()) }()

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
					stored, err := published.Icon(t.Context(), r, e.ID, variant)
					require.NoError(t, err)
					require.Equal(t, string(composed), string(stored))
				}
			}
		})
	}
}
