// Package icons draws the icons of a schema version. An icon is the symbol of an
// element on the shape of its category, in the colours of a variant.
//
// [NewSet] returns the icons of a release; [Set.Icon] composes an icon on first use
// and caches it. [Bake] composes every icon of a release in parallel. Both are built
// on [Compose], which draws a single icon.
//
// # Looks
//
// A [Look] is a pair of colours, fill and ink. The shape is filled with the fill and
// outlined in the ink. The parts of the symbol that use currentColor are drawn in the
// ink, those that use [IconFill] in the fill. The variant "default" is black on white and
// "dark" is white on black. The variant of a context value is filled with its colour, and
// its ink is black or white, whichever contrasts better. A context value without a colour
// has the default look.
//
// # Output
//
// An icon is one svg element of 36 by 36 without an XML prolog. Its bytes depend only
// on the shape, the symbol, the look and the [Options], so icons baked into a store and
// icons composed on request are identical. Its ids begin with a hash of shape, symbol
// and look, so many icons can share a page, and fills and strokes that a page sets on
// its svg elements do not change them.
//
// # Symbols
//
// Symbols come from drawing programs and are shown in other people's pages, so they are
// never copied through, not even from a store. [Sanitize] parses a symbol as XML,
// checks every element, attribute and value against an allow-list and writes the
// published text from the parsed values. The output consists of names from the
// tables of this package, numbers and colours.
//
// Symbols may use the elements svg (as the root only), g, defs, use, path, rect,
// circle, ellipse, line, polyline, polygon, linearGradient, radialGradient, stop,
// clipPath and mask. They may use the geometry of these elements, and the properties of
// fill, stroke, opacity and visibility as attributes or in a style attribute. A paint
// is none, currentColor, [IconFill], a colour or a gradient. References are to ids of the
// same symbol.
//
// Leftovers of drawing programs that do not change the image are dropped: metadata,
// titles, attributes in other namespaces, properties of text and filters. They cause
// one warning per name. Comments, white space, unused ids and namespace prefixes are
// dropped without a warning.
//
// Content that could run or load something is refused with the code symbol_unsafe:
// scripts, event attributes, foreign objects, links, images, animation, references
// outside the symbol, DOCTYPE, entities and processing instructions. Such elements,
// attributes and references are refused even inside dropped content; style sheets,
// styles and text in there are ignored, because none of it is published. Anything
// else outside the allow-list is refused with symbol_not_allowed, and a symbol
// that would take too long to draw with symbol_too_complex: it has too many shapes, masks,
// clip paths, opacities or gradients, or reaches far beyond the viewBox, even where it is clipped.
package icons
