package icons

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRasterSame has drawings that look the same, written in different ways.
func TestRasterSame(t *testing.T) {
	for name, pair := range map[string][2]string{
		"shapes and paths":      {`<rect x="9" y="9" width="18" height="12"/>`, `<path d="M9 9h18v12H9z"/>`},
		"relative and absolute": {`<path d="M9 9l18 0 0 18z"/>`, `<path d="M9,9L27,9L27,27Z"/>`},
		"size and position":     {`<path d="M9 9h18v18z"/>`, `<path d="M1 1h6v6z"/>`},
		"transform":             {`<path d="M9 9h18v9H9z"/>`, `<g transform="translate(18 18) rotate(90) scale(.5)"><path d="M-9-18h18v36h-18z"/></g>`},
		"matrix":                {`<path d="M9 9h18v9H9z"/>`, `<path transform="matrix(2 0 0 1 0 0)" d="M0 0h9v9h-9z"/>`},
		"skew":                  {`<path d="M0 0h10l10 10h-10z"/>`, `<rect transform="skewX(45)" width="10" height="10"/>`},
		"use":                   {`<circle cx="12" cy="12" r="3"/><circle cx="24" cy="24" r="3"/>`, `<defs><circle id="a" cx="12" cy="12" r="3"/></defs><use href="#a"/><use href="#a" x="12" y="12"/>`},
		"circle and arcs":       {`<circle cx="18" cy="18" r="9"/>`, `<path d="M9 18a9 9 0 0 1 18 0a9 9 0 0 1-18 0"/>`},
		"large arc":             {`<path d="M18 9A9 9 0 1 1 9 18L18 18z"/>`, `<path d="M18 9A9 9 0 0 1 18 27A9 9 0 0 1 9 18L18 18z"/>`},
		"short radii":           {`<path d="M9 18a1 1 0 0 1 18 0z"/>`, `<path d="M9 18a9 9 0 0 1 18 0z"/>`},
		"round corners":         {`<rect x="9" y="9" width="18" height="18" rx="9"/>`, `<circle cx="18" cy="18" r="9"/>`},
		"ellipse":               {`<ellipse cx="18" cy="18" rx="9" ry="5"/>`, `<path transform="scale(1.8 1)" d="M5 5A5 5 0 0 1 15 5A5 5 0 0 1 5 5"/>`},
		"curves":                {`<path d="M9 18C9 9 27 9 27 18z"/>`, `<path d="M9 18C9 9 27 9 27 18C27 18 9 18 9 18"/>`},
		"smooth curves":         {`<path d="M0 9C0 0 9 0 9 9S18 18 18 9"/>`, `<path d="M0 9C0 0 9 0 9 9C9 18 18 18 18 9"/>`},
		"quadratic curves":      {`<path d="M0 9Q4 0 8 9T16 9z"/>`, `<path d="M0 9Q4 0 8 9Q12 18 16 9z"/>`},
		"stroke and fill":       {`<path d="M9 18h18" stroke="#000" stroke-width="4"/>`, `<rect x="7" y="16" width="22" height="4" rx="2"/>`},
		"polygon":               {`<polygon points="9,9 27,9 18,27"/>`, `<path d="M9 9H27L18 27"/>`},
		"polyline":              {`<polyline fill="none" stroke="red" points="9,9 27,9 18,27"/>`, `<path fill="none" stroke="red" d="M9 9H27L18 27"/>`},
		"line":                  {`<line x1="9" x2="27" y2="18" stroke="red"/>`, `<path stroke="red" d="M9 0L27 18"/>`},
		"colours":               {`<circle cx="18" cy="18" r="9"/>`, `<circle cx="18" cy="18" r="9" fill="#2F6FEB"/>`},
		"cut out":               {`<circle r="9"/><circle r="4" fill="var(--icon-fill, #fff)"/>`, `<path fill-rule="evenodd" d="M-9 0a9 9 0 0 1 18 0a9 9 0 0 1-18 0M-4 0a4 4 0 0 1 8 0a4 4 0 0 1-8 0"/>`},
		"white":                 {`<circle r="9"/><circle r="4" fill="#fff"/>`, `<circle r="9"/><circle r="4" fill="var(--icon-fill, #fff)"/>`},
		"hidden parts":          {`<circle r="9"/>`, `<circle r="9"/><path display="none" d="M0 0h36v36z"/><g opacity="0"><path d="M0 0h36v36z"/></g><path visibility="hidden" d="M0 0h36v36z"/><path fill="none" d="M0 0h36v36z"/><path fill-opacity="0" d="M0 0h36v36z"/>`},
		"gradient":              {`<circle r="9"/>`, `<linearGradient id="a"><stop/></linearGradient><circle r="9" fill="url(#a)"/>`},
		"two pieces":            {`<path d="M0 0h9v9h-9zM18 0h9v9h-9z"/>`, `<path d="M0 0h9v9h-9zm18 0h9v9h-9z"/>`},
		"after the end":         {`<path d="M0 0h9v9h-9zl9 18z"/>`, `<path d="M0 0h9v9h-9zM0 0l9 18z"/>`},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := mustSanitize(t, pair[0]), mustSanitize(t, pair[1])
			require.Greater(t, a.Likeness(b), 0.96)
			require.InDelta(t, a.Likeness(b), b.Likeness(a), 0)
			require.InDelta(t, 1, a.Likeness(a), 1e-9)
		})
	}
}

// TestRasterOther has drawings that look different.
func TestRasterOther(t *testing.T) {
	drawings := []string{
		`<circle r="9"/>`,
		`<path d="M0 0h18v18z"/>`,
		`<path d="M0 18h18v-18z"/>`,
		`<path d="M9 0h2v18h-2z"/>`,
		`<path d="M0 9h18v2h-18z"/>`,
		`<circle r="9" fill="none" stroke="#000"/>`,
		`<path d="M0 0h9v9h-9zM9 9h9v9h-9z"/>`,
	}
	for i, a := range drawings {
		for _, b := range drawings[:i] {
			require.Less(t, mustSanitize(t, a).Likeness(mustSanitize(t, b)), 0.75, "%s %s", a, b)
		}
	}
}

// TestRasterBlank has symbols without ink, which are like nothing.
func TestRasterBlank(t *testing.T) {
	full := mustSanitize(t, `<circle r="9"/>`)
	for _, body := range []string{``, `<g/>`, `<circle r="9" fill="none"/>`, `<circle r="9" fill="#fff"/>`, `<path d="M9 9"/>`, `<use/>`} {
		blank := mustSanitize(t, body)
		require.Zero(t, blank.Likeness(blank), body)
		require.Zero(t, blank.Likeness(full), body)
	}
	require.Zero(t, new(Symbol).Likeness(full))
	require.Zero(t, (*Symbol)(nil).Likeness(full))
}

// TestRasterHostile draws symbols with as much as the limits allow.
func TestRasterHostile(t *testing.T) {
	laughs := `<g id="l0"><path d="M0 0` + strings.Repeat("c1 2 3 4 5 6", 20) + `" stroke="#000" stroke-width="1e6"/></g>`
	for i := range 8 {
		laughs += fmt.Sprintf(`<g id="l%d"><use href="#l%d"/><use href="#l%d"/></g>`, i+1, i, i)
	}
	for _, body := range []string{laughs, `<path d="M1e6 1e6h-2e6v2e6z" transform="scale(1e6)scale(1e6)scale(1e6)"/>`, `<path stroke="red" transform="scale(0)" d="M0 0h9"/>`} {
		symbol, _ := Sanitize([]byte(drawing(body)))
		if symbol != nil {
			symbol.raster()
		}
	}
}

// FuzzRaster draws arbitrary symbols.
func FuzzRaster(f *testing.F) {
	for seed := range uint64(50) {
		f.Add([]byte(drawing(newArtist(seed).elements("svg", 4))))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		symbol, _ := Sanitize(src)
		if symbol == nil {
			return
		}
		likeness := symbol.Likeness(symbol)
		require.True(t, likeness == 0 || likeness > 0.999999 && likeness < 1.000001, "%v", likeness)
	})
}

func BenchmarkRaster(b *testing.B) {
	symbol := mustSanitize(b, `<circle cx="18" cy="18" r="9"/><path d="M9 18C9 9 27 9 27 18z" stroke="#000"/>`)
	b.ReportAllocs()
	for b.Loop() {
		symbol.drawn.Store(nil)
		symbol.raster()
	}
}

func TestPaints(t *testing.T) {
	const shape = `<path d="M0 0h9v9z"/>`
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", ``, nil},
		{"black by default", shape, []string{"#000000"}},
		{"inherited", `<g fill="red">` + shape + `</g>`, []string{"#FF0000"}},
		{"overridden", `<g fill="red"><path d="M0 0h9" fill="lime"/></g>`, []string{"#00FF00"}},
		{"none", `<g fill="none">` + shape + `</g>`, nil},
		{"stroke", `<g fill="none" stroke="currentColor">` + shape + `</g>`, []string{"currentColor"}},
		{"sorted once", `<g stroke="currentColor" fill="#fff">` + shape + shape + `</g>` + shape, []string{"#000000", "#FFFFFF", "currentColor"}},
		{"the icon's fill", `<g fill="var(--icon-fill, #fff)" stroke="red">` + shape + `</g>`, []string{"#FF0000"}},
		{"unused group", `<g fill="red"/>`, nil},
		{"definitions", `<defs>` + shape + `</defs>`, nil},
		{"used", `<defs><path id="a" d="M0 0h9"/></defs><use href="#a" fill="red"/>`, []string{"#FF0000"}},
		{"used in another ink", `<g fill="blue"><path id="a" d="M0 0h9"/></g><use href="#a" fill="red"/>`, []string{"#0000FF", "#FF0000"}},
		{"used through a group", `<defs><g id="b"><path id="a" d="M0 0h9" stroke="red"/></g></defs><use fill="none" href="#b"/>`, []string{"#FF0000"}},
		{"use of nothing", `<use/>`, nil},
		{"line", `<line x2="9" fill="red" stroke="blue"/>`, []string{"#0000FF"}},
		{"not displayed", `<g display="none">` + shape + `</g>`, nil},
		{"hidden", `<g visibility="hidden">` + shape + `</g>`, nil},
		{"shown in hidden", `<g visibility="hidden" fill="red">` + shape + `<path visibility="visible" d="M0 0h9" fill="lime"/></g>`, []string{"#00FF00"}},
		{"transparent", `<g opacity="0">` + shape + `</g><g fill-opacity="0%" stroke="red" stroke-opacity="0">` + shape + `</g>`, nil},
		{"stroke without width", `<g fill="none" stroke="red" stroke-width="0">` + shape + `</g>`, nil},
		{"shapes without extent", `<path/><rect width="3"/><circle r="0"/><ellipse/><ellipse rx="0" ry="3"/><polygon points=""/><polyline/>`, nil},
		{"shapes", `<rect width="3" height="3" fill="#111"/><circle r="1" fill="#222"/><ellipse rx="1" fill="#333"/><polygon points="1 1" fill="#444"/>`, []string{"#111111", "#222222", "#333333", "#444444"}},
		{"clip and mask", `<clipPath id="c"><path d="M0 0h9" fill="red"/></clipPath><mask id="m"><rect width="9" height="9" fill="white"/></mask><g clip-path="url(#c)" mask="url(#m)" fill="blue">` + shape + `</g>`, []string{"#0000FF"}},
		{"gradient", `<linearGradient id="a"><stop/><stop stop-color="red"/><stop stop-color="lime" stop-opacity="0"/></linearGradient><g fill="url(#a)">` + shape + `</g>`, []string{"#000000", "#FF0000"}},
		{"gradient on use", `<linearGradient id="a"><stop stop-color="red"/></linearGradient><defs><path id="b" d="M0 0h9"/><path id="c" d="M0 0h9"/></defs><use href="#b" fill="url(#a)"/><use href="#c" fill="url(#a)"/>`, []string{"#FF0000"}},
		{"gradient by template", `<linearGradient id="a"><stop stop-color="red"/></linearGradient><radialGradient id="b" href="#a"/><g fill="none" stroke="url(#b)">` + shape + `</g>`, []string{"#FF0000"}},
		{"gradient without stops", `<linearGradient id="a"/><g fill="url(#a)">` + shape + `</g>`, nil},
		{"gradient not used", `<linearGradient><stop stop-color="red"/></linearGradient>`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(tt.body)))
			require.Empty(t, issues)
			require.Equal(t, tt.want, symbol.Paints())
		})
	}
}

func TestPaintsOfRoot(t *testing.T) {
	symbol, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" style="fill:none" stroke="currentColor"><path d="M0 0h9"/></svg>`))
	require.Empty(t, issues)
	require.Equal(t, []string{"currentColor"}, symbol.Paints())
	symbol.Paints()[0] = "changed"
	require.Equal(t, []string{"currentColor"}, symbol.Paints())
}
