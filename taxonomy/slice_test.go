package taxonomy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func TestSlice(t *testing.T) {
	r := release(t)
	for name, c := range map[string]struct {
		ids, categories, elements []string
	}{
		"none":                 {nil, []string{}, []string{}},
		"one":                  {[]string{"image"}, []string{"data"}, []string{"image"}},
		"one, twice":           {[]string{"image", "image"}, []string{"data"}, []string{"image"}},
		"two of one category":  {[]string{"purpose.comfort", "purpose.safety"}, []string{"purpose"}, []string{"purpose.safety", "purpose.comfort"}},
		"all, in any order":    {[]string{"image", "purpose.comfort", "image", "purpose.safety"}, []string{"purpose", "data"}, []string{"purpose.safety", "purpose.comfort", "image"}},
		"from both categories": {[]string{"image", "purpose.comfort"}, []string{"purpose", "data"}, []string{"purpose.comfort", "image"}},
	} {
		t.Run(name, func(t *testing.T) {
			slice, err := r.Slice(c.ids)
			require.NoError(t, err)
			snapshot := slice.Snapshot()
			categories, elements := []string{}, []string{}
			for _, c := range snapshot.Categories {
				categories = append(categories, c.ID)
			}
			for _, e := range snapshot.Elements {
				elements = append(elements, e.ID)
			}
			require.Equal(t, c.categories, categories)
			require.Equal(t, c.elements, elements)
			require.Equal(t, *r.Type(), snapshot.DatachainType, "the type is there whole")

			text := slice.AppendJSON([]byte("before "))
			require.Equal(t, "before ", string(text[:7]))
			text = text[7:]
			require.Len(t, text, slice.Len())
			canonical, err := document.Canonical(text)
			require.NoError(t, err)
			require.Equal(t, string(canonical), string(text))
			marshalled, err := document.MarshalCanonical(snapshot)
			require.NoError(t, err)
			require.Equal(t, string(marshalled), string(text))
		})
	}
}

func TestSliceOfUnknownElement(t *testing.T) {
	_, err := release(t).Slice([]string{"image", "imagine"})
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.EqualError(t, err, `release ai@2026-09-01-beta: element "imagine": not found`)
}

func TestShapes(t *testing.T) {
	require.Equal(t, []taxonomy.Shape{"circle", "hexagon", "octagon", "rounded-square"}, taxonomy.Shapes())
}
