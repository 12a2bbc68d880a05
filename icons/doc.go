// Package icons draws the icons of a schema version. For now it holds the
// first step: [Sanitize], which makes the symbol that a steward has drawn safe
// to publish and to place in an icon.
//
// A symbol comes from a drawing program and ends in other people's pages, so it
// is never passed through. It is parsed as XML, each element, attribute and
// value is checked against what symbols may use, and the published text is
// written anew from what was allowed. Nothing of the input reaches the output
// but names out of our own tables, numbers and colours.
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
// processing instructions) is [taxonomy.CodeSymbolUnsafe], also inside of what
// would be left out. Everything else that is not in the lists is
// [taxonomy.CodeSymbolNotAllowed].
package icons
