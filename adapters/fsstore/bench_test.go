package fsstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// large returns a release of 10,000 elements in 20 categories with 500 symbols.
func large(b *testing.B) listing.Publication {
	b.Helper()
	return ofSize(b, 500)
}

// ofSize returns a release of 20 categories with so many elements each.
func ofSize(b *testing.B, elements int) listing.Publication {
	b.Helper()
	text := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: "Traduction : " + s}}
	}
	c := taxonomy.Content{
		Title: text("Large"), Locales: []string{"en", "fr"}, Symbols: map[string]string{},
		Type: taxonomy.Type{ID: "large", Categories: []string{}, Subchains: []taxonomy.Subchain{}},
	}
	for i := range 500 {
		c.Symbols[fmt.Sprintf("s%d", i)] = fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M%d 9v18"/></svg>`, i)
	}
	for i := range 20 {
		id := fmt.Sprintf("c%02d", i)
		c.Type.Categories = append(c.Type.Categories, id)
		c.Categories = append(c.Categories, taxonomy.Category{ID: id, Name: text(id), Description: text("About " + id), Shape: taxonomy.Circle})
		for k := range elements {
			c.Elements = append(c.Elements, taxonomy.Element{
				ID: fmt.Sprintf("%s.e%04d", id, k), CategoryID: id, SymbolID: fmt.Sprintf("s%d", k%500),
				Title: text("An element of some kind"), Description: text("It says what a system does, in a sentence or two that anybody can understand."),
				IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark}, Variables: []taxonomy.Variable{},
			})
		}
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("large@2026-09-01-stable"), c)
	require.NoError(b, err)
	return listing.Publication{Release: r}
}

// BenchmarkLoad opens and verifies releases, as the first caller of a store does.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pub := ofSize(b, n/20)
			set := must(icons.NewSet(pub.Release, nil))
			dir := filepath.Join(b.TempDir(), "store")
			require.NoError(b, os.CopyFS(dir, layouttest.Files(b, nil, func(e *taxonomy.Element, variant string) ([]byte, error) {
				return set.Icon(e.ID, variant)
			}, pub)))
			b.SetBytes(int64(pub.Release.Len()))
			b.ReportAllocs()
			for b.Loop() {
				s, err := fsstore.OpenDir(dir, nil)
				require.NoError(b, err)
				_, err = s.Release(b.Context(), pub.Release.Version())
				require.NoError(b, err)
				require.NoError(b, s.Close())
			}
		})
	}
}

// BenchmarkRelease asks for a release that is in memory, as every later caller
// does.
func BenchmarkRelease(b *testing.B) {
	pubs := []listing.Publication{large(b)}
	dir := publishedDir(b, pubs)
	old := time.Now().Add(-time.Hour) // an index at rest
	require.NoError(b, os.Chtimes(filepath.Join(dir, "index.json"), old, old))
	s := openDir(b, dir, nil)
	_, err := s.Release(b.Context(), pubs[0].Release.Version())
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Release(b.Context(), pubs[0].Release.Version())
		require.NoError(b, err)
	}
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
