// Package icons draws the icons of a schema version. An icon is the symbol of an
// element on the shape of its category, in the colours of a variant.
//
// [NewSet] returns the icons of a release; [Set.Icon] composes an icon on first use
// and caches it. [Append] draws a single icon.
//
// # Colours
//
// [Colors] are a pair, fill and ink. The shape is filled with the fill and
// outlined in the ink. The parts of the symbol that use currentColor are drawn in the
// ink, those that use var(--icon-fill, #fff) in the fill. The variant "default" is black on white and
// "dark" is white on black. The variant of a context value is filled with its colour, and
// its ink is black or white, whichever contrasts better. A context value without a colour
// has the default colours.
//
// # Output
//
// An icon is one svg element of 36 by 36 without an XML prolog. Its bytes depend only
// on the shape, the symbol, the colours and the [Options], so icons baked into a store and
// icons composed on request are identical. Its ids begin with a hash of shape, symbol
// and colours, so many icons can share a page, and fills and strokes that a page sets on
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
// is none, currentColor, var(--icon-fill, #fff), a colour or a gradient. References are to ids of the
// same symbol.
//
// Content of drawing programs that does not change the image is dropped: metadata,
// titles, attributes in other namespaces, properties of text and filters. It causes
// one warning per name. Comments, white space, unused ids and namespace prefixes are
// dropped without a warning.
//
// Content that could run or load something is refused with the code symbol_unsafe:
// scripts, event attributes, foreign objects, links, images, animation, references
// outside the symbol, DOCTYPE, entities and processing instructions. Such elements,
// attributes and references are refused even inside dropped content; style sheets,
// styles and text in there are ignored, because none of it is published. Anything
// else outside the allow-list is refused with symbol_not_allowed, and a symbol
// that would take too long to draw with symbol_too_complex: with every reference followed, it has
// too many elements, masks, clip paths, opacities or dashes, or too much path data.
package icons

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options configures how an icon is written. A nil *Options is the defaults, which
// baked icons have.
type Options struct {
	// Title is the accessible name of the icon, which browsers also show as a
	// tooltip. By default there is none and the icon is decorative.
	Title string
	// IDPrefix starts the ids in the icon, such as "icon3-". By default ids are
	// derived from shape, symbol and colours, so different icons share no ids and equal
	// icons share all of them. Set a prefix per icon if a page may contain the same
	// icon twice. It is a letter followed by letters, digits, _ and -, at most 64
	// characters.
	IDPrefix string
	// Size is the width and height in pixels; 0 means 36, and a negative value is an
	// error. The viewBox stays 36 by 36.
	Size int
}

const (
	maxSize     = 10_000
	maxIDPrefix = 64
)

// Append draws an icon and appends it to dst, which can be nil: a symbol on a shape, in
// colours. A nil symbol draws the bare shape. The icon depends only on the arguments. It is one
// svg element without prolog, usable as a file or inside a page. On error, Append returns
// dst unchanged.
func Append(dst []byte, shape taxonomy.Shape, symbol *Symbol, colors Colors, o *Options) ([]byte, error) {
	outline, known := outlines()[shape]
	if !known {
		return dst, fmt.Errorf("icons: unknown shape %q: use circle, hexagon, octagon or rounded-square", shape)
	}
	if o == nil {
		o = new(Options)
	}
	if o.Size < 0 || o.Size > maxSize {
		return dst, fmt.Errorf("icons: size %d: want 1 to %d pixels, or 0 for %d", o.Size, maxSize, side)
	}
	if !validIDPrefix(o.IDPrefix) {
		return dst, fmt.Errorf("icons: id prefix %s: want a letter followed by letters, digits, _ and -, at most %d characters", wording.Quote(o.IDPrefix), maxIDPrefix)
	}
	if dst == nil {
		dst = make([]byte, 0, symbol.composedSize())
	}
	dst = o.appendRoot(dst)
	dst = append(dst, outline[0]...)
	dst = colors.Fill.append(dst)
	dst = append(dst, outline[1]...)
	dst = colors.Ink.append(dst)
	dst = append(dst, outline[2]...)
	if symbol != nil && symbol.text != "" {
		dst = append(dst, `<g color="`...)
		dst = colors.Ink.append(dst)
		dst = append(dst, '"')
		dst = append(dst, symbol.initials...)
		dst = symbol.appendBody(dst, shape, colors, o.IDPrefix)
		dst = append(dst, "</g>"...)
	}
	return append(dst, symbolClose...), nil
}

func validIDPrefix(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '_' && c != '-') {
			return false
		}
	}
	return len(s) <= maxIDPrefix
}

// appendRoot appends the start tag of the icon and its title.
func (o *Options) appendRoot(dst []byte) []byte {
	size := int64(cmp.Or(o.Size, side))
	dst = append(dst, `<svg xmlns="`+svgNamespace+`" width="`...)
	dst = strconv.AppendInt(dst, size, 10)
	dst = append(dst, `" height="`...)
	dst = strconv.AppendInt(dst, size, 10)
	dst = append(dst, `" viewBox="0 0 36 36"`...)
	if o.Title == "" {
		return append(dst, '>')
	}
	dst = append(dst, ` role="img"><title>`...)
	dst = appendText(dst, o.Title)
	return append(dst, "</title>"...)
}

// appendText escapes text for both XML and HTML. Characters that XML does not allow are
// replaced by U+FFFD.
func appendText(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '\r':
			dst = append(dst, "&#xD;"...)
		case !xmlChar(r):
			dst = utf8.AppendRune(dst, utf8.RuneError)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendBody appends the attributes and the content of the symbol's root, with the ids
// and the fill of this icon.
func (s *Symbol) appendBody(dst []byte, shape taxonomy.Shape, colors Colors, prefix string) []byte {
	body, empty := strings.CutSuffix(s.text[len(symbolOpen):], "/>")
	body = strings.TrimSuffix(body, symbolClose)
	var own [ownPrefix]byte
	from := 0
	for _, slot := range s.slots {
		at := int(slot.at) - len(symbolOpen)
		dst = append(dst, body[from:at]...)
		from = at
		switch {
		case slot.fill:
			dst = colors.Fill.append(dst)
			from += len(iconFill)
		case prefix == "":
			if own[0] == 0 {
				s.prefix(&own, shape, colors)
			}
			dst = append(dst, own[:]...)
		default:
			dst = append(dst, prefix...)
		}
	}
	dst = append(dst, body[from:]...)
	if empty { // the root has no content
		dst = append(dst, '>')
	}
	return dst
}

// ownPrefix is the length of a derived prefix.
const ownPrefix = 1 + 16 + 1

// prefix derives the id prefix from everything that distinguishes icons: they may share
// a page, and currentColor in a gradient depends on the icon around it. Sixteen hex
// digits keep icons apart that were not made to collide.
func (s *Symbol) prefix(p *[ownPrefix]byte, shape taxonomy.Shape, colors Colors) {
	var all [sha256.Size + 32]byte
	key := append(all[:0], s.sum[:]...)
	key = append(key, colors.Fill.R, colors.Fill.G, colors.Fill.B, colors.Ink.R, colors.Ink.G, colors.Ink.B)
	key = append(key, shape...)
	sum := sha256.Sum256(key)
	p[0] = 's'
	hex.Encode(p[1:], sum[:8])
	p[ownPrefix-1] = '-'
}

// composedSize returns an upper estimate of the size of an icon without options.
func (s *Symbol) composedSize() int {
	const frame = 400
	if s == nil {
		return frame
	}
	return frame + len(s.initials) + len(s.text) + len(s.slots)*ownPrefix
}
