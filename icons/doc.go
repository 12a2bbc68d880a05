// Package icons draws the icons of a schema version: the symbol of an element on
// the shape of its category, in the look of a variant.
//
// [NewSet] is all that a program needs which has a release: [Set.Icon] gives the
// icon of an element in a variant, composed once and then looked up. [Bake]
// composes all icons of a release, on all processors. [Compose] is what both
// are made of. Package [github.com/datachain-go/datachain/icons/sheet] shows a
// whole release on one page.
//
// # Looks
//
// There is one rule. A [Look] is a fill and an ink: the shape is filled with the
// one and outlined in the other, and the symbol is drawn in the ink, as far as
// it says currentColor. The variant default is black on white, dark is white on
// black, and a context value has its colour for a fill, and for its ink black or
// white, whichever contrasts better. So every icon can be told apart from a
// light page and from a dark one. A context value without a colour looks like
// the default.
//
// # Bytes
//
// An icon is one svg element of 36 by 36, without prolog, and its bytes depend
// on nothing but shape, symbol and look: those that were baked into a store and
// those that are composed when somebody asks are the same. Ids in it begin with
// a hash of all three, so that many icons can stand in one page. Fills and strokes
// that a page sets on its svg elements do not change them. What is drawn
// follows [Options] where a caller gives a title, a size or ids of its own.
//
// # Symbols
//
// A symbol comes from a drawing program and ends in other people's pages, so it
// is never passed through, not even where a store has it. [Sanitize] parses it
// as XML, checks each element, attribute and value against what symbols may use,
// and writes the published text anew from what was allowed. Nothing of the input
// reaches the output but names out of our own tables, numbers and colours.
//
// # What a symbol may use
//
// The elements svg (as the root alone), g, defs, use, path, rect, circle,
// ellipse, line, polyline, polygon, linearGradient, radialGradient, stop,
// clipPath and mask; their geometry, and the properties of fill, stroke,
// opacity and visibility, as attributes or in a style attribute. Paints are
// none, currentColor, colours and gradients of the same symbol. References are
// to ids of the same symbol.
//
// # What is left out
//
// What drawing programs leave behind and nobody sees: metadata, titles, the
// attributes of other namespaces, properties of text and of filters. Where it
// is of substance a warning says so, once for each name. Comments, white space,
// ids that nothing refers to and namespace prefixes go without a word.
//
// # What is refused
//
// What could run or load something (scripts, event attributes, foreign objects,
// links, images, animation, references out of the symbol, DOCTYPE, entities,
// processing instructions) is [taxonomy.CodeSymbolUnsafe]. Such elements,
// attributes and references are refused also inside of what would be left out;
// style sheets, styles and texts in there are not looked at, since nothing of
// them is published. Everything else that is not in the lists is
// [taxonomy.CodeSymbolNotAllowed].
package icons
