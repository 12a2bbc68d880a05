package dirtarget_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// large returns a release of 10,000 elements in 20 categories with 500 symbols.
func large(b *testing.B) listing.Publication {
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
		for k := range 500 {
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

// baked returns options to publish a release with two icons of each element.
func baked(b *testing.B, r *taxonomy.Release) *publish.Options {
	b.Helper()
	set, err := icons.NewSet(r, nil)
	require.NoError(b, err)
	return &publish.Options{Icon: func(_ *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		return set.Icon(e.ID, variant)
	}}
}

// BenchmarkPublish writes a release of 10,000 elements into an empty directory.
func BenchmarkPublish(b *testing.B) {
	pubs := []listing.Publication{large(b)}
	root, n := b.TempDir(), 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		dir := filepath.Join(root, fmt.Sprint(n))
		_, err := publishTo(b.Context(), dir, pubs, baked(b, pubs[0].Release))
		require.NoError(b, err)
		require.NoError(b, os.RemoveAll(dir))
	}
}

// BenchmarkPublishAgain finds that the same release is there already.
func BenchmarkPublishAgain(b *testing.B) {
	pubs := []listing.Publication{large(b)}
	dir := b.TempDir()
	for b.Loop() {
		_, err := publishTo(b.Context(), dir, pubs, baked(b, pubs[0].Release))
		require.NoError(b, err)
	}
}
