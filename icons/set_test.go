package icons

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// release returns a release with one element for each symbol in each of two
// categories, which differ in shape and in their context.
func release(t testing.TB, symbols map[string]string) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Content{
		Locales: []string{"en"}, Symbols: symbols,
		Type: taxonomy.Type{ID: "test", Categories: []string{"plain", "context"}},
		Categories: []taxonomy.Category{
			{ID: "plain", Shape: taxonomy.Circle},
			{ID: "context", Shape: taxonomy.Hexagon, Context: taxonomy.Context{Values: []taxonomy.ContextValue{
				{ID: "light", Color: "#F7E08A"}, {ID: "deep", Color: "#1B62A5"}, {ID: "tag"}, {ID: "odd", Color: `red"><script>`},
			}}},
		},
	}
	for i, category := range c.Categories {
		for id := range symbols {
			for _, twin := range []string{"a", "b"} {
				c.Elements = append(c.Elements, taxonomy.Element{
					ID: fmt.Sprintf("%s.%s%s", category.ID, id, twin), CategoryID: category.ID, SymbolID: id,
					IconVariants: c.Categories[i].IconVariants(),
				})
			}
		}
	}
	slices.SortFunc(c.Elements, func(a, b taxonomy.Element) int {
		// The first category is the later one by name.
		return cmp.Or(strings.Compare(b.CategoryID, a.CategoryID), strings.Compare(a.ID, b.ID))
	})
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

func twoSymbols() map[string]string {
	return map[string]string{"ring": drawing(`<circle cx="18" cy="18" r="6" stroke="currentColor"/>`), "fade": drawing(gradientBody)}
}

// TestSet compares every icon of a set with what Compose draws.
func TestSet(t *testing.T) {
	r := release(t, twoSymbols())
	for _, most := range []int64{0, -1, 2_000} {
		s := must(NewSet(r, &SetOptions{CacheBytes: most}))
		for range 2 { // composed, then looked up
			for _, e := range r.Elements() {
				c, _ := r.Category(e.CategoryID)
				text, _ := r.Symbol(e.SymbolID)
				symbol, _ := Sanitize([]byte(text))
				for _, variant := range append([]string{""}, e.IconVariants...) {
					colors, ok := ColorsOf(c, variant)
					require.True(t, ok)
					want, err := Append(nil, c.Shape, symbol, colors, nil)
					require.NoError(t, err)
					got, err := s.Icon(e.ID, variant)
					require.NoError(t, err)
					require.Equal(t, string(want), string(got), "%s %s", e.ID, variant)
					RequireIcon(t, got)
				}
			}
		}
	}
	s := must(NewSet(r, nil))
	plain, err := s.Icon("context.ringa", "")
	require.NoError(t, err)
	for _, variant := range []string{"default", "tag", "odd"} {
		icon, err := s.Icon("context.ringa", variant)
		require.NoError(t, err)
		require.Same(t, &plain[0], &icon[0], "%s is the default icon", variant)
	}
	twin, err := s.Icon("context.ringb", "tag")
	require.NoError(t, err)
	require.Same(t, &plain[0], &twin[0], "elements share equal icons")
}

func TestSetAppend(t *testing.T) {
	s := must(NewSet(release(t, twoSymbols()), nil))
	icon, err := s.Icon("context.fadea", "deep")
	require.NoError(t, err)
	plain, err := s.Append([]byte("before"), "context.fadea", "deep", nil)
	require.NoError(t, err)
	require.Equal(t, "before"+string(icon), string(plain))
	titled, err := s.Append(nil, "context.fadea", "deep", &Options{Title: "Fade", IDPrefix: "x"})
	require.NoError(t, err)
	require.Contains(t, string(titled), "<title>Fade</title>")
	require.Equal(t, []string{"xi1", "xi2"}, RequireIcon(t, titled))
	for _, bad := range []struct {
		element, variant string
		o                *Options
	}{{"none", "", nil}, {"plain.ringa", "deep", nil}, {"plain.ringa", "", &Options{Size: -1}}} {
		out, err := s.Append([]byte("before"), bad.element, bad.variant, bad.o)
		require.Error(t, err)
		require.Equal(t, "before", string(out))
	}
}

func TestSetUnknown(t *testing.T) {
	s := must(NewSet(release(t, twoSymbols()), nil))
	for _, id := range []string{"", "plain.ring", "plain.ringA", `x"<`, strings.Repeat("a", 1000)} {
		icon, err := s.Icon(id, "")
		require.Nil(t, icon)
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		require.Less(t, len(err.Error()), 200)
	}
	for _, variant := range []string{"light", "Dark", "default.svg", `"`} {
		icon, err := s.Icon("plain.ringa", variant)
		require.Nil(t, icon)
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		require.ErrorContains(t, err, "valid variants: default, dark")
	}
}

func TestZeroValues(t *testing.T) {
	var s Set
	_, err := s.Icon("a", "")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = s.Append(nil, "a", "", nil)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = s.Symbol("a")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	var symbol Symbol
	require.Empty(t, symbol.SVG())
	require.Empty(t, symbol.Paints())
	require.Equal(t, 1.0, symbol.Contrast(Colors{}))
}

// TestSVGIsACopy: callers may change the bytes.
func TestSVGIsACopy(t *testing.T) {
	symbol := mustSanitize(t, gradientBody)
	want := string(symbol.SVG())
	clear(symbol.SVG())
	require.Equal(t, want, string(symbol.SVG()))
	shape, _ := Shape(taxonomy.Circle)
	want = string(shape)
	clear(shape)
	shape, _ = Shape(taxonomy.Circle)
	require.Equal(t, want, string(shape))
}

// TestSetUnsafe has a store with symbols that lint would refuse.
func TestSetUnsafe(t *testing.T) {
	symbols := map[string]string{
		"empty": "", "text": "hello", "huge": drawing(strings.Repeat("<g/>", 5000)),
		"slow": drawing(`<mask id="m"><path/></mask>` + strings.Repeat(`<path mask="url(#m)"/>`, 1900)),
	}
	n := 0
	for _, body := range unsafeBodies {
		n++
		symbols[fmt.Sprintf("s%d", n)] = drawing(body)
	}
	r := release(t, symbols)
	for _, most := range []int64{0, -1} {
		s := must(NewSet(r, &SetOptions{CacheBytes: most}))
		for range 2 {
			for _, e := range r.Elements() {
				for _, variant := range e.IconVariants {
					icon, err := s.Icon(e.ID, variant)
					require.Nil(t, icon)
					require.NotErrorIs(t, err, taxonomy.ErrNotFound)
					require.ErrorContains(t, err, "symbol "+e.SymbolID+": ")
					require.ErrorContains(t, err, " error symbol_")
				}
			}
		}
	}
}

// TestSetKeepsWithinBounds fills sets of several sizes.
func TestSetKeepsWithinBounds(t *testing.T) {
	symbols := map[string]string{}
	for i := range 50 {
		symbols[fmt.Sprintf("s%d", i)] = drawing(fmt.Sprintf(`<path d="M%d 9v18"/>`, i))
	}
	r := release(t, symbols)
	kept := func(most int64) (icons int, used int64) {
		s := must(NewSet(r, &SetOptions{CacheBytes: most}))
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				_, err := s.Icon(e.ID, variant)
				require.NoError(t, err)
			}
		}
		sum := int64(0)
		for _, icon := range s.icons {
			sum += int64(len(icon)) + iconCost
		}
		require.Equal(t, sum, s.used)
		return len(s.icons), s.used
	}
	all, used := kept(0)
	require.Equal(t, 50*(2+4), all, "equal icons are cached once")
	for _, most := range []int64{-1, 1, 10_000, used - 1, used} {
		icons, size := kept(most)
		require.LessOrEqual(t, size, limit(most))
		require.Equal(t, most == used, icons == all)
		if most == 10_000 {
			require.Greater(t, icons, 10)
		}
	}
}

// limit is how many bytes a set with the option may cache.
func limit(most int64) int64 { return max(most, 0) }

// TestSetConcurrently requests all icons concurrently and gets the same bytes.
func TestSetConcurrently(t *testing.T) {
	r := release(t, twoSymbols())
	for _, most := range []int64{0, -1, 3_000} {
		want := must(NewSet(r, nil))
		s := must(NewSet(r, &SetOptions{CacheBytes: most}))
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for _, e := range r.Elements() {
					for _, variant := range e.IconVariants {
						got, err := s.Icon(e.ID, variant)
						same, _ := want.Icon(e.ID, variant)
						if err != nil || string(got) != string(same) {
							t.Errorf("%s %s: %v", e.ID, variant, err)
						}
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestLookupAllocatesNothing looks up a cached icon.
func TestLookupAllocatesNothing(t *testing.T) {
	s := must(NewSet(release(t, twoSymbols()), nil))
	require.Equal(t, 0.0, testing.AllocsPerRun(100, func() {
		_, _ = s.Icon("context.fadea", "deep")
	}))
}

// BenchmarkIcon looks up cached icons. In a large release, cache misses dominate.
func BenchmarkIcon(b *testing.B) {
	for _, size := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("%d elements", size), func(b *testing.B) {
			r := largeRelease(b, size)
			s := must(NewSet(r, nil))
			elements := r.Elements()
			for _, e := range elements {
				for _, variant := range e.IconVariants {
					if _, err := s.Icon(e.ID, variant); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				e := elements[i%len(elements)]
				i += 7
				if _, err := s.Icon(e.ID, e.IconVariants[i%4]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// largeRelease returns a release of n elements with a symbol each and four
// variants.
func largeRelease(t testing.TB, n int) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Content{
		Locales: []string{"en"}, Symbols: make(map[string]string, n),
		Type: taxonomy.Type{ID: "test", Categories: []string{"c"}},
		Categories: []taxonomy.Category{{ID: "c", Shape: taxonomy.Octagon, Context: taxonomy.Context{Values: []taxonomy.ContextValue{
			{ID: "light", Color: "#F7E08A"}, {ID: "deep", Color: "#1B62A5"},
		}}}},
		Elements: make([]taxonomy.Element, 0, n),
	}
	variants := c.Categories[0].IconVariants()
	for i := range n {
		id := fmt.Sprintf("e%06d", i)
		c.Symbols[id] = fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2">`+
			`<path d="M10 14V12A2 2 0 0 1 12 10H14M22 10H24A2 2 0 0 1 26 12V14M26 22V24A2 2 0 0 1 24 26H22"/><path d="M18 15.5V%d"/></svg>`, i)
		c.Elements = append(c.Elements, taxonomy.Element{ID: id, CategoryID: "c", SymbolID: id, IconVariants: variants})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("test@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
