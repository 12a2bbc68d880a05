package icons

import (
	"math"
	"strconv"
	"strings"
)

// Color is an opaque sRGB colour.
type Color struct{ R, G, B uint8 }

// ParseColor parses a colour in the form #RRGGBB, in upper or lower case.
func ParseColor(s string) (Color, bool) {
	if len(s) != 7 || s[0] != '#' {
		return Color{}, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	return colorOf(uint32(n)), err == nil
}

// String returns the colour as #RRGGBB in upper case.
func (c Color) String() string { return string(c.append(nil)) }

func (c Color) append(dst []byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '#', digits[c.R>>4], digits[c.R&15], digits[c.G>>4], digits[c.G&15], digits[c.B>>4], digits[c.B&15])
}

// Contrast returns the WCAG 2 contrast ratio of two colours: from 1 for equal colours
// to 21 for black and white.
func (c Color) Contrast(d Color) float64 {
	a, b := c.luminance(), d.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance returns the relative luminance of WCAG 2.
func (c Color) luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear removes the gamma of an sRGB component. WCAG states the threshold as 0.03928,
// IEC 61966-2-1 as 0.04045; no 8-bit value lies between them.
func linear(component uint8) float64 {
	v := float64(component) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func colorOf(rgb uint32) Color {
	return Color{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb)}
}

// anyColor parses a colour in any form that SVG has without alpha: #RGB, #RRGGBB, a
// name or rgb().
func anyColor(s string) (Color, bool) {
	if len(s) == 4 && s[0] == '#' {
		s = string([]byte{'#', s[1], s[1], s[2], s[2], s[3], s[3]})
	}
	if c, ok := ParseColor(s); ok {
		return c, true
	}
	s = lowerASCII(s)
	if rgb, ok := colorNames[s]; ok {
		return colorOf(rgb), true
	}
	args, open := strings.CutPrefix(s, "rgb(")
	args, closed := strings.CutSuffix(args, ")")
	if !open || !closed {
		return Color{}, false
	}
	return rgbColor(args)
}

// rgbColor parses the three components of rgb(): all numbers or all percentages.
func rgbColor(args string) (Color, bool) {
	var rgb [3]uint8
	p := scanner{s: args}
	p.space()
	percent := false
	for i := range rgb {
		if i > 0 {
			p.comma()
		}
		v, ok := p.number()
		unit := p.unit()
		if !ok || unit != "" && unit != "%" || i > 0 && (unit == "%") != percent {
			return Color{}, false
		}
		if percent = unit == "%"; percent {
			v = v * 255 / 100
		}
		rgb[i] = uint8(math.Round(min(max(v, 0), 255)))
	}
	p.space()
	return Color{rgb[0], rgb[1], rgb[2]}, p.done()
}

// lowerASCII lowers ASCII letters only, as CSS does.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
