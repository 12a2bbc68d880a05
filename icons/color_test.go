package icons

import (
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func TestParseColor(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Color
	}{
		{"#000000", Color{}},
		{"#0a0B0c", Color{10, 11, 12}},
		{"#FFFFFF", Color{255, 255, 255}},
	} {
		got, ok := ParseColor(tt.text)
		require.True(t, ok, tt.text)
		require.Equal(t, tt.want, got)
		again, ok := ParseColor(got.String())
		require.True(t, ok)
		require.Equal(t, got, again)
	}
	require.Equal(t, "#0A0B0C", Color{10, 11, 12}.String())
	for _, text := range []string{"", "#", "#FFF", "FFFFFF", "#FFFFF", "#FFFFFFF", "#GGGGGG", "#+12345", "#1_2345", " #FFFFFF", "red", "#é1234"} {
		_, ok := ParseColor(text)
		require.False(t, ok, text)
	}
}

func TestContrast(t *testing.T) {
	black, white := Color{}, Color{255, 255, 255}
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"#000000", "#FFFFFF", 21},
		{"#123456", "#123456", 1},
		{"#777777", "#FFFFFF", 4.48}, // the well-known grey that just fails AA
		{"#767676", "#FFFFFF", 4.54}, // and the one that just passes
		{"#FF0000", "#FFFFFF", 4.00},
		{"#0000FF", "#FFFFFF", 8.59},
		{"#00FF00", "#FFFFFF", 1.37},
		{"#808080", "#777777", 1.13},
	} {
		a, _ := ParseColor(tt.a)
		b, _ := ParseColor(tt.b)
		require.InDelta(t, tt.want, a.Contrast(b), 0.005, "%s on %s", a, b)
		require.Equal(t, a.Contrast(b), b.Contrast(a))
	}
	require.InDelta(t, 21, black.Contrast(white), 1e-9)
}

// TestColorNamesFoldASCII: U+212A, the Kelvin sign, folds to k in Unicode but not in CSS.
func TestColorNamesFoldASCII(t *testing.T) {
	_, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path fill="blac` + "\u212a" + `"/></svg>`))
	require.True(t, issues.HasErrors())
}

func TestLookOf(t *testing.T) {
	c := &taxonomy.Category{Context: taxonomy.Context{Values: []taxonomy.ContextValue{
		{ID: "light", Color: "#F7E08A"},
		{ID: "deep", Color: "#1B62A5"},
		{ID: "lower", Color: "#1b62a5"},
		{ID: "short", Color: "#abc"},
		{ID: "named", Color: "Teal"},
		{ID: "tag"},
		{ID: "bad", Color: `#FFF" onload="alert(1)`},
		{ID: "long", Color: "#12345678"},
	}}}
	for variant, want := range map[string]Colors{
		"": DefaultColors(), "default": DefaultColors(), "dark": DarkColors(),
		"light": {Color{0xF7, 0xE0, 0x8A}, black}, "deep": {Color{0x1B, 0x62, 0xA5}, white}, "lower": {Color{0x1B, 0x62, 0xA5}, white},
		"short": {Color{0xAA, 0xBB, 0xCC}, black}, "named": {Color{0, 0x80, 0x80}, white},
		"tag": DefaultColors(), "bad": DefaultColors(), "long": DefaultColors(),
	} {
		colors, ok := ColorsOf(c, variant)
		require.True(t, ok, variant)
		require.Equal(t, want, colors, variant)
	}
	for _, variant := range []string{"Dark", "unknown", "default ", "tags"} {
		_, ok := ColorsOf(c, variant)
		require.False(t, ok, variant)
	}
}

// TestInkAtTheBoundary has neighbouring colours between which the ink changes.
func TestInkAtTheBoundary(t *testing.T) {
	for _, tt := range []struct {
		fill string
		ink  Color
	}{
		{"#000000", white},
		{"#FFFFFF", black},
		{"#757575", white},
		{"#767676", black},
		{"#FF0000", black},
		{"#EC0000", white},
		{"#ED0000", black},
		{"#0000FF", white},
		{"#008900", white},
		{"#008A00", black},
	} {
		fill, ok := ParseColor(tt.fill)
		require.True(t, ok)
		require.Equal(t, tt.ink, FilledColors(fill).Ink, "on %s: black %.4f, white %.4f", fill, fill.Contrast(black), fill.Contrast(white))
	}
}

// TestSymbolContrast: the paint with the highest contrast counts, and currentColor is the
// ink.
func TestSymbolContrast(t *testing.T) {
	teal := FilledColors(Color{0, 0x80, 0x80})
	for _, c := range []struct {
		name, body           string
		byDefault, dark, own float64
	}{
		{"ink", `<path d="M0 0h9v9z" fill="currentColor"/>`, 21, 21, teal.Ink.Contrast(teal.Fill)},
		{"white", `<path d="M0 0h9v9z" fill="#fff"/>`, 1, 21, white.Contrast(teal.Fill)},
		{"black", `<path d="M0 0h9v9z"/>`, 21, 1, black.Contrast(teal.Fill)},
		{"same", `<path d="M0 0h9v9z" fill="teal"/>`, white.Contrast(teal.Fill), black.Contrast(teal.Fill), 1},
		{"several", `<path d="M0 0h9v9z" fill="teal"/><path d="M0 0h9v9z" fill="#fff"/>`, white.Contrast(teal.Fill), 21, white.Contrast(teal.Fill)},
		{"nothing", `<path d="M0 0h9v9z" fill="none"/>`, 1, 1, 1},
		{"the fill", `<path d="M0 0h9v9z" fill="var(--icon-fill, #fff)"/>`, 1, 1, 1},
		{"ink and fill", `<path d="M0 0h9v9z" fill="currentColor" stroke="var(--icon-fill, #fff)"/>`, 21, 21, teal.Ink.Contrast(teal.Fill)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustSanitize(t, c.body)
			require.InDelta(t, c.byDefault, s.Contrast(DefaultColors()), 1e-9)
			require.InDelta(t, c.dark, s.Contrast(DarkColors()), 1e-9)
			require.InDelta(t, c.own, s.Contrast(teal), 1e-9)
		})
	}
}

// TestInk checks the whole colour cube, line by line: as blue increases, the ink changes at
// most once, from white to black, at the point that an independent formula gives. No
// colour may be so close to the boundary that the last bit of a float, which differs
// between machines, could decide.
func TestInk(t *testing.T) {
	var linear [256]float64
	for i := range linear {
		v := float64(i) / 255
		linear[i] = v / 12.92
		if v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	// Black and white contrast equally with L if (L+0.05)² = 1.05 · 0.05.
	boundary := math.Sqrt(1.05*0.05) - 0.05
	nearest, changes := 1.0, 0
	for r := range 256 {
		for g := range 256 {
			above := func(b int) float64 { return 0.2126*linear[r] + 0.7152*linear[g] + 0.0722*linear[b] - boundary }
			first := sort.Search(256, func(b int) bool { return above(b) > 0 })
			if 0 < first && first < 256 {
				changes++
			}
			// Both sides of the change, the ends, and one in between.
			for _, b := range []int{first - 1, first, 0, 255, (r*31 + g*17) % 256} {
				if b < 0 || b > 255 {
					continue
				}
				nearest = min(nearest, math.Abs(above(b)))
				ink := FilledColors(Color{uint8(r), uint8(g), uint8(b)}).Ink
				if (b >= first) != (ink == black) {
					t.Fatalf("#%02X%02X%02X has the ink %s", r, g, b, ink)
				}
			}
		}
	}
	require.Greater(t, nearest, 1e-12)
	require.Greater(t, changes, 1000, "the test looks where it should")
}
