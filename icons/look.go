package icons

import "github.com/datachain-go/datachain/taxonomy"

// Look is how an icon is coloured: its shape is filled with Fill, and outlined
// in Ink. What the symbol draws in currentColor is drawn in Ink, too.
type Look struct{ Fill, Ink Color }

var (
	black = Color{}
	white = Color{0xFF, 0xFF, 0xFF}
)

// DefaultLook is that of the variant "default": black on white.
func DefaultLook() Look { return Look{Fill: white, Ink: black} }

// DarkLook is that of the variant "dark": white on black.
func DarkLook() Look { return Look{Fill: black, Ink: white} }

// FilledLook is that of a context value with a colour. The ink is black or
// white, whichever contrasts better by WCAG 2, and black where both do alike.
func FilledLook(fill Color) Look {
	if fill.Contrast(black) >= fill.Contrast(white) {
		return Look{fill, black}
	}
	return Look{fill, white}
}

// LookOf returns the look of a variant of a category's icons, "" being the
// default one, and reports whether the category has it. A context value
// without a colour, or with one that is none, has the default look.
func LookOf(c *taxonomy.Category, variant string) (Look, bool) {
	switch variant {
	case "", taxonomy.VariantDefault:
		return DefaultLook(), true
	case taxonomy.VariantDark:
		return DarkLook(), true
	}
	v, ok := c.Context.Value(variant)
	if !ok {
		return Look{}, false
	}
	return lookOfValue(v), true
}

// lookOfValue returns the look of a context value.
func lookOfValue(v *taxonomy.ContextValue) Look {
	fill, ok := anyColor(v.Color)
	if !ok {
		return DefaultLook()
	}
	return FilledLook(fill)
}

// Contrast returns how far the symbol stands out in a look: the contrast with
// the fill of that of its paints which contrasts best. It is at least 4.58 where
// the symbol has currentColor and the look is one of this package, and 1 for a
// symbol that can't be seen.
func (s *Symbol) Contrast(l Look) float64 {
	best := 1.0
	for _, paint := range s.paints {
		color, ok := ParseColor(paint)
		if !ok { // currentColor
			color = l.Ink
		}
		best = max(best, color.Contrast(l.Fill))
	}
	return best
}

// append adds the colour as String prints it.
func (c Color) append(dst []byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '#', digits[c.R>>4], digits[c.R&15], digits[c.G>>4], digits[c.G&15], digits[c.B>>4], digits[c.B&15])
}
