package icons

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is an opaque sRGB colour.
type Color struct{ R, G, B uint8 }

// ParseColor reads a colour written #RRGGBB, in either case, and nothing else.
func ParseColor(s string) (Color, bool) {
	if len(s) != 7 || s[0] != '#' {
		return Color{}, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	if err != nil {
		return Color{}, false
	}
	return colorOf(uint32(n)), true
}

// String prints the colour as #RRGGBB in upper case.
func (c Color) String() string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// Contrast returns the contrast ratio of two colours by WCAG 2: 1 for equal
// colours, 21 for black and white, and the same either way round.
func (c Color) Contrast(d Color) float64 {
	light, dark := c.luminance(), d.luminance()
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

// luminance is the relative luminance of WCAG 2.
func (c Color) luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear undoes the gamma of one sRGB component. WCAG prints the threshold as
// 0.03928, IEC 61966-2-1 as 0.04045; no 8-bit value lies between them.
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

// anyColor reads a colour as SVG writes it: #RGB, #RRGGBB, a name, or rgb()
// without alpha.
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
	args, ok := strings.CutPrefix(s, "rgb(")
	if !ok {
		return Color{}, false
	}
	if args, ok = strings.CutSuffix(args, ")"); !ok {
		return Color{}, false
	}
	return rgbColor(args)
}

// rgbColor reads the three components of rgb(): all numbers or all percentages.
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
		if !ok {
			return Color{}, false
		}
		unit := p.unit()
		if unit != "" && unit != "%" || i > 0 && (unit == "%") != percent {
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

// lowerASCII folds the case of letters as CSS does: no others than ASCII have
// any.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
