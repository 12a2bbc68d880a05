package icons

import "github.com/datachain-go/datachain/taxonomy"

// Look is the colours of an icon. The shape is filled with Fill and outlined in Ink;
// the parts of the symbol that use currentColor are drawn in Ink, those that use
// [IconFill] in Fill.
type Look struct{ Fill, Ink Color }

var (
	black = Color{}
	white = Color{0xFF, 0xFF, 0xFF}
)

// DefaultLook returns the look of the variant "default": black on white.
func DefaultLook() Look { return Look{Fill: white, Ink: black} }

// DarkLook returns the look of the variant "dark": white on black.
func DarkLook() Look { return Look{Fill: black, Ink: white} }

// FilledLook returns the look of a context value with a colour. The ink is black or
// white, whichever has the higher contrast by WCAG 2, and black if they are equal.
func FilledLook(fill Color) Look {
	if fill.Contrast(black) >= fill.Contrast(white) {
		return Look{fill, black}
	}
	return Look{fill, white}
}

// LookOf returns the look of a variant of a category and reports whether the category
// has it. An empty variant is the default. A context value without a valid colour has
// the default look.
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

func lookOfValue(v *taxonomy.ContextValue) Look {
	fill, ok := anyColor(v.Color)
	if !ok {
		return DefaultLook()
	}
	return FilledLook(fill)
}

// Contrast returns how visible the symbol is in a look: the highest contrast ratio of
// any of its paints with the fill. It is 1 for an invisible symbol, and at least 4.58
// for a symbol that uses currentColor in a look of this package.
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
