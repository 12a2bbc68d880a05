package icons

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
)

// Options say how an icon is written. A nil *Options is the defaults, which
// pre-baked icons have.
type Options struct {
	// Title is what a screen reader says, and browsers show where the pointer
	// rests. By default there is none, and the icon is an ornament to a text
	// that says the same.
	Title string
	// IDPrefix begins the ids of the icon, such as "icon3-". Give one of its
	// own to each icon of a page where the same icon may stand twice. By
	// default ids follow from shape, symbol and look, so that different icons
	// share none and equal ones share all. It is a letter and then letters,
	// digits, _ and -, at most 64 in all.
	IDPrefix string
	// Size is the width and height in pixels; by default 36. The grid stays
	// what it is.
	Size int
}

// maxSize is the largest size that an icon may be asked for.
const maxSize = 10_000

// maxIDPrefix is the longest prefix of ids.
const maxIDPrefix = 64

// Compose draws an icon: a symbol on a shape, in a look. Without a symbol it
// draws the bare shape. The text depends on nothing but the arguments: it is
// the same wherever and whenever it is composed. It is one svg element without
// prolog, and can be a file of its own or stand in a page among others.
func Compose(shape taxonomy.Shape, symbol *Symbol, look Look, o *Options) ([]byte, error) {
	icon, err := Append(make([]byte, 0, symbol.composedSize()), shape, symbol, look, o)
	if err != nil {
		return nil, err
	}
	return icon, nil
}

// Append is [Compose] that appends to dst, and returns dst as it was with an
// error.
func Append(dst []byte, shape taxonomy.Shape, symbol *Symbol, look Look, o *Options) ([]byte, error) {
	d := parts()
	outline, known := d.outlines[shape]
	if !known {
		return dst, fmt.Errorf("icons: unknown shape %q: want one of %q", shape, taxonomy.Shapes())
	}
	if o == nil {
		o = &plainOptions
	}
	if err := o.check(); err != nil {
		return dst, err
	}
	dst = o.appendRoot(dst)
	dst = append(dst, outline[0]...)
	dst = look.Fill.append(dst)
	dst = append(dst, outline[1]...)
	dst = look.Ink.append(dst)
	dst = append(dst, outline[2]...)
	if symbol != nil && symbol.text != "" {
		dst = append(dst, d.group...)
		dst = look.Ink.append(dst)
		dst = append(dst, '"')
		dst = symbol.appendInitials(dst)
		dst = symbol.appendBody(dst, shape, look, o.IDPrefix)
		dst = append(dst, d.groupEnd...)
	}
	return append(dst, d.end...), nil
}

// plainOptions are the defaults.
var plainOptions Options

func (o *Options) check() error {
	if o.Size < 0 || o.Size > maxSize {
		return fmt.Errorf("icons: size %d: want 1 to %d pixels, or 0 for %d", o.Size, maxSize, side)
	}
	if !validIDPrefix(o.IDPrefix) {
		return fmt.Errorf("icons: id prefix %s: want a letter, then letters, digits, _ and -, at most %d in all", prose.Quote(o.IDPrefix), maxIDPrefix)
	}
	return nil
}

func validIDPrefix(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '_' || c == '-'):
		default:
			return false
		}
	}
	return len(s) <= maxIDPrefix
}

// appendRoot opens the icon.
func (o *Options) appendRoot(dst []byte) []byte {
	size := int64(o.Size)
	if size == 0 {
		size = side
	}
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

// appendText writes a text for XML and HTML alike. What XML can't hold becomes
// the replacement character.
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
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendBody appends what comes after the name of the root of the symbol: its
// attributes and all that it holds, with ids of this icon.
func (s *Symbol) appendBody(dst []byte, shape taxonomy.Shape, look Look, prefix string) []byte {
	body, empty := strings.CutSuffix(s.text[len(symbolOpen):], "/>")
	body = strings.TrimSuffix(body, symbolClose)
	var own [ownPrefix]byte
	if prefix == "" && len(s.cuts) > 0 {
		s.prefix(&own, shape, look)
	}
	from := 0
	for _, cut := range s.cuts {
		at := int(cut) - len(symbolOpen)
		dst = append(dst, body[from:at]...)
		if prefix == "" {
			dst = append(dst, own[:]...)
		} else {
			dst = append(dst, prefix...)
		}
		from = at
	}
	dst = append(dst, body[from:]...)
	if empty { // a symbol that draws nothing
		dst = append(dst, '>')
	}
	return dst
}

// ownPrefix is the length of a prefix that follows from the icon.
const ownPrefix = 1 + 16 + 1

// prefix makes the prefix of the ids from all that tells icons apart: they may
// stand in one page, and what currentColor means in a gradient depends on where
// it stands. Sixteen digits keep icons apart that were not made to collide.
func (s *Symbol) prefix(p *[ownPrefix]byte, shape taxonomy.Shape, look Look) {
	var all [sha256.Size + 32]byte
	key := append(all[:0], s.sum[:]...)
	key = append(key, look.Fill.R, look.Fill.G, look.Fill.B, look.Ink.R, look.Ink.G, look.Ink.B)
	key = append(key, shape...)
	sum := sha256.Sum256(key)
	p[0] = 's'
	hex.Encode(p[1:], sum[:8])
	p[ownPrefix-1] = '-'
}

// composedSize is about how long an icon gets, a little more rather than less.
func (s *Symbol) composedSize() int {
	const frame = 400
	if s == nil {
		return frame
	}
	return frame + s.initialsSize() + len(s.text) + len(s.cuts)*ownPrefix
}
