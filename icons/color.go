package icons

import (
	"math"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
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

// colorNames are the named colours of CSS Color 4, which include those of SVG.
var colorNames = map[string]uint32{
	"aliceblue": 0xF0F8FF, "antiquewhite": 0xFAEBD7, "aqua": 0x00FFFF, "aquamarine": 0x7FFFD4, "azure": 0xF0FFFF,
	"beige": 0xF5F5DC, "bisque": 0xFFE4C4, "black": 0x000000, "blanchedalmond": 0xFFEBCD, "blue": 0x0000FF,
	"blueviolet": 0x8A2BE2, "brown": 0xA52A2A, "burlywood": 0xDEB887, "cadetblue": 0x5F9EA0, "chartreuse": 0x7FFF00,
	"chocolate": 0xD2691E, "coral": 0xFF7F50, "cornflowerblue": 0x6495ED, "cornsilk": 0xFFF8DC, "crimson": 0xDC143C,
	"cyan": 0x00FFFF, "darkblue": 0x00008B, "darkcyan": 0x008B8B, "darkgoldenrod": 0xB8860B, "darkgray": 0xA9A9A9,
	"darkgreen": 0x006400, "darkgrey": 0xA9A9A9, "darkkhaki": 0xBDB76B, "darkmagenta": 0x8B008B,
	"darkolivegreen": 0x556B2F, "darkorange": 0xFF8C00, "darkorchid": 0x9932CC, "darkred": 0x8B0000,
	"darksalmon": 0xE9967A, "darkseagreen": 0x8FBC8F, "darkslateblue": 0x483D8B, "darkslategray": 0x2F4F4F,
	"darkslategrey": 0x2F4F4F, "darkturquoise": 0x00CED1, "darkviolet": 0x9400D3, "deeppink": 0xFF1493,
	"deepskyblue": 0x00BFFF, "dimgray": 0x696969, "dimgrey": 0x696969, "dodgerblue": 0x1E90FF,
	"firebrick": 0xB22222, "floralwhite": 0xFFFAF0, "forestgreen": 0x228B22, "fuchsia": 0xFF00FF,
	"gainsboro": 0xDCDCDC, "ghostwhite": 0xF8F8FF, "gold": 0xFFD700, "goldenrod": 0xDAA520, "gray": 0x808080,
	"green": 0x008000, "greenyellow": 0xADFF2F, "grey": 0x808080, "honeydew": 0xF0FFF0, "hotpink": 0xFF69B4,
	"indianred": 0xCD5C5C, "indigo": 0x4B0082, "ivory": 0xFFFFF0, "khaki": 0xF0E68C, "lavender": 0xE6E6FA,
	"lavenderblush": 0xFFF0F5, "lawngreen": 0x7CFC00, "lemonchiffon": 0xFFFACD, "lightblue": 0xADD8E6,
	"lightcoral": 0xF08080, "lightcyan": 0xE0FFFF, "lightgoldenrodyellow": 0xFAFAD2, "lightgray": 0xD3D3D3,
	"lightgreen": 0x90EE90, "lightgrey": 0xD3D3D3, "lightpink": 0xFFB6C1, "lightsalmon": 0xFFA07A,
	"lightseagreen": 0x20B2AA, "lightskyblue": 0x87CEFA, "lightslategray": 0x778899, "lightslategrey": 0x778899,
	"lightsteelblue": 0xB0C4DE, "lightyellow": 0xFFFFE0, "lime": 0x00FF00, "limegreen": 0x32CD32, "linen": 0xFAF0E6,
	"magenta": 0xFF00FF, "maroon": 0x800000, "mediumaquamarine": 0x66CDAA, "mediumblue": 0x0000CD,
	"mediumorchid": 0xBA55D3, "mediumpurple": 0x9370DB, "mediumseagreen": 0x3CB371, "mediumslateblue": 0x7B68EE,
	"mediumspringgreen": 0x00FA9A, "mediumturquoise": 0x48D1CC, "mediumvioletred": 0xC71585,
	"midnightblue": 0x191970, "mintcream": 0xF5FFFA, "mistyrose": 0xFFE4E1, "moccasin": 0xFFE4B5,
	"navajowhite": 0xFFDEAD, "navy": 0x000080, "oldlace": 0xFDF5E6, "olive": 0x808000, "olivedrab": 0x6B8E23,
	"orange": 0xFFA500, "orangered": 0xFF4500, "orchid": 0xDA70D6, "palegoldenrod": 0xEEE8AA, "palegreen": 0x98FB98,
	"paleturquoise": 0xAFEEEE, "palevioletred": 0xDB7093, "papayawhip": 0xFFEFD5, "peachpuff": 0xFFDAB9,
	"peru": 0xCD853F, "pink": 0xFFC0CB, "plum": 0xDDA0DD, "powderblue": 0xB0E0E6, "purple": 0x800080,
	"rebeccapurple": 0x663399, "red": 0xFF0000, "rosybrown": 0xBC8F8F, "royalblue": 0x4169E1,
	"saddlebrown": 0x8B4513, "salmon": 0xFA8072, "sandybrown": 0xF4A460, "seagreen": 0x2E8B57, "seashell": 0xFFF5EE,
	"sienna": 0xA0522D, "silver": 0xC0C0C0, "skyblue": 0x87CEEB, "slateblue": 0x6A5ACD, "slategray": 0x708090,
	"slategrey": 0x708090, "snow": 0xFFFAFA, "springgreen": 0x00FF7F, "steelblue": 0x4682B4, "tan": 0xD2B48C,
	"teal": 0x008080, "thistle": 0xD8BFD8, "tomato": 0xFF6347, "turquoise": 0x40E0D0, "violet": 0xEE82EE,
	"wheat": 0xF5DEB3, "white": 0xFFFFFF, "whitesmoke": 0xF5F5F5, "yellow": 0xFFFF00, "yellowgreen": 0x9ACD32,
}

// Colors are the colours of an icon. The shape is filled with Fill and outlined in Ink;
// the parts of the symbol that use currentColor are drawn in Ink, those that use
// var(--icon-fill, #fff) in Fill.
type Colors struct{ Fill, Ink Color }

var (
	black = Color{}
	white = Color{0xFF, 0xFF, 0xFF}
)

// DefaultColors returns the colours of the variant "default": black on white.
func DefaultColors() Colors { return Colors{Fill: white, Ink: black} }

// DarkColors returns the colours of the variant "dark": white on black.
func DarkColors() Colors { return Colors{Fill: black, Ink: white} }

// FilledColors returns the colours of a context value with a colour. The ink is black or
// white, whichever has the higher contrast by WCAG 2, and black if they are equal.
func FilledColors(fill Color) Colors {
	if fill.Contrast(black) >= fill.Contrast(white) {
		return Colors{fill, black}
	}
	return Colors{fill, white}
}

// ColorsOf returns the colours of a variant of a category and reports whether the category
// has them. An empty variant is the default. A context value without a valid colour has
// the default colours.
func ColorsOf(c *taxonomy.Category, variant string) (Colors, bool) {
	switch variant {
	case "", taxonomy.VariantDefault:
		return DefaultColors(), true
	case taxonomy.VariantDark:
		return DarkColors(), true
	}
	v, ok := c.Context.Value(variant)
	if !ok {
		return Colors{}, false
	}
	return colorsOfValue(v), true
}

func colorsOfValue(v *taxonomy.ContextValue) Colors {
	fill, ok := anyColor(v.Color)
	if !ok {
		return DefaultColors()
	}
	return FilledColors(fill)
}
