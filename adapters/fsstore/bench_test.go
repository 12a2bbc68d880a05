package fsstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// large returns a release of 10,000 elements in 20 categories with 500 symbols.
func large(b *testing.B) taxonomy.Publication {
	b.Helper()
	return ofSize(b, 500)
}

// ofSize returns a release of 20 categories with so many elements each.
func ofSize(b *testing.B, elements int) taxonomy.Publication {
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
	return taxonomy.Publication{Release: r}
}

// baked returns options to publish a release in a layout, with two icons of each
// element, of which 1,000 are distinct.
func baked(l publish.Layout, r *taxonomy.Release) *publish.Options {
	set := icons.NewSet(r, nil)
	return &publish.Options{Layout: l, Icon: func(_ *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		return set.Icon(e.ID, variant)
	}}
}

// inLayouts runs a benchmark in each published.
func inLayouts(b *testing.B, run func(b *testing.B, pubs []taxonomy.Publication, l publish.Layout)) {
	b.Helper()
	pubs := []taxonomy.Publication{large(b)}
	for _, l := range publish.Layouts() {
		b.Run(string(l), func(b *testing.B) {
			b.ReportAllocs()
			run(b, pubs, l)
		})
	}
}

// BenchmarkPublish writes a release of 10,000 elements into an empty directory.
func BenchmarkPublish(b *testing.B) {
	inLayouts(b, func(b *testing.B, pubs []taxonomy.Publication, l publish.Layout) {
		root, n := b.TempDir(), 0
		for b.Loop() {
			n++
			dir := filepath.Join(root, fmt.Sprint(n))
			_, err := publishTo(b.Context(), dir, pubs, baked(l, pubs[0].Release))
			require.NoError(b, err)
			require.NoError(b, os.RemoveAll(dir))
		}
	})
}

// BenchmarkPublishLarge packs releases of growing size. Memory per element should
// not grow.
func BenchmarkPublishLarge(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		pubs := []taxonomy.Publication{ofSize(b, n/20)}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root, i := b.TempDir(), 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				i++
				_, err := publishTo(b.Context(), filepath.Join(root, fmt.Sprint(i)), pubs, baked(publish.LayoutPack, pubs[0].Release))
				require.NoError(b, err)
			}
			runtime.ReadMemStats(&after)
			per := float64(b.N) * float64(n)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per, "ns/element")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/per, "B/element")
		})
	}
}

// BenchmarkPublishAgain finds that the same release is there already.
func BenchmarkPublishAgain(b *testing.B) {
	inLayouts(b, func(b *testing.B, pubs []taxonomy.Publication, l publish.Layout) {
		dir := b.TempDir()
		for b.Loop() {
			_, err := publishTo(b.Context(), dir, pubs, baked(l, pubs[0].Release))
			require.NoError(b, err)
		}
	})
}

// BenchmarkIcon reads an icon of a release that is in memory.
func BenchmarkIcon(b *testing.B) {
	inLayouts(b, func(b *testing.B, pubs []taxonomy.Publication, l publish.Layout) {
		r, dir := pubs[0].Release, b.TempDir()
		_, err := publishTo(b.Context(), dir, pubs, baked(l, r))
		require.NoError(b, err)
		s := openDir(b, dir, nil)
		_, err = s.Release(b.Context(), r.Version())
		require.NoError(b, err)
		for b.Loop() {
			_, err := s.Icon(b.Context(), r, "c07.e0123", taxonomy.VariantDark)
			require.NoError(b, err)
		}
	})
}

// BenchmarkLoad reads and verifies it, as the first caller of a store does.
func BenchmarkLoad(b *testing.B) {
	inLayouts(b, func(b *testing.B, pubs []taxonomy.Publication, l publish.Layout) {
		dir := b.TempDir()
		_, err := publishTo(b.Context(), dir, pubs, baked(l, pubs[0].Release))
		require.NoError(b, err)
		b.SetBytes(int64(pubs[0].Release.Len()))
		for b.Loop() {
			s, err := fsstore.OpenDir(dir, nil)
			require.NoError(b, err)
			_, err = s.Release(b.Context(), pubs[0].Release.Version())
			require.NoError(b, err)
			require.NoError(b, s.Close())
		}
	})
}

// BenchmarkRelease asks for a release that is in memory, as every later caller
// does.
func BenchmarkRelease(b *testing.B) {
	pubs := []taxonomy.Publication{large(b)}
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

// BenchmarkOpen opens packed releases of several sizes as a new process does: for the
// first time on a machine, and after they were verified there.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		pub := ofSize(b, n/20)
		dir, v := publishedDir(b, []taxonomy.Publication{pub}), pub.Release.Version()
		cached := &fsstore.Options{VerifiedDir: filepath.Join(b.TempDir(), "verified")}
		for name, o := range map[string]*fsstore.Options{"first": nil, "verified": cached} {
			b.Run(fmt.Sprintf("elements=%d/%s", n, name), func(b *testing.B) {
				if o != nil {
					remembered(b, dir, v, o, 1)
				}
				b.SetBytes(int64(pub.Release.Len()))
				b.ReportAllocs()
				for b.Loop() {
					s, err := fsstore.OpenDir(dir, o)
					require.NoError(b, err)
					_, err = s.Release(b.Context(), v)
					require.NoError(b, err)
					require.NoError(b, s.Close())
				}
			})
		}
	}
}
