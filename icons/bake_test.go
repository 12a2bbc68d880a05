package icons

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

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

// TestBake compares baked icons with those of a set, and checks the progress.
func TestBake(t *testing.T) {
	const elements = 300
	r := largeRelease(t, elements)
	s := NewSet(r, nil)
	for _, workers := range []int{0, 1, 7, -1} {
		var mu sync.Mutex
		baked := map[string]string{}
		last, calls := 0, 0
		err := Bake(r, func(e *taxonomy.Element, variant string, svg []byte) error {
			mu.Lock()
			defer mu.Unlock()
			baked[e.ID+" "+variant] = string(svg)
			return nil
		}, &BakeOptions{Workers: workers, Progress: func(done, total int) {
			require.Equal(t, 4*elements, total)
			require.Greater(t, done, last)
			last = done
			calls++
		}})
		require.NoError(t, err)
		require.Equal(t, 4*elements, last)
		require.Greater(t, calls, 2)
		require.Len(t, baked, 4*elements)
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				want, err := s.Icon(e.ID, variant)
				require.NoError(t, err)
				require.Equal(t, string(want), baked[e.ID+" "+variant])
			}
		}
	}
}

func TestBakeStops(t *testing.T) {
	r := largeRelease(t, 1000)
	stop := errors.New("stop")
	for name, run := range map[string]func(count func()) error{
		"emit": func(count func()) error {
			return Bake(r, func(*taxonomy.Element, string, []byte) error { count(); return stop }, nil)
		},
		"interrupt": func(count func()) error {
			return Bake(r, func(*taxonomy.Element, string, []byte) error { count(); return nil }, &BakeOptions{Interrupt: func() error { return stop }})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			emitted := 0
			err := run(func() { mu.Lock(); defer mu.Unlock(); emitted++ })
			require.ErrorIs(t, err, stop)
			require.LessOrEqual(t, emitted, 200)
		})
	}
	empty := release(t, nil)
	require.NoError(t, Bake(empty, func(*taxonomy.Element, string, []byte) error { return stop }, nil))
}

// BenchmarkBake composes the icons of 10,000 elements, each with its own symbol, which is
// sanitized first.
func BenchmarkBake(b *testing.B) {
	r := largeRelease(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := Bake(r, func(*taxonomy.Element, string, []byte) error { return nil }, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/40_000, "ns/icon")
}
