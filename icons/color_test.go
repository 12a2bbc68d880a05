package icons

import (
	"testing"

	"github.com/stretchr/testify/require"
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
