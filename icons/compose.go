package icons

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/cmplx"
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
	// Size is the width and height in pixels, by default 36. The viewBox stays 36 by
	// 36.
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
	outline, known := outlines[shape]
	if !known {
		return dst, fmt.Errorf("icons: unknown shape %q: want one of %q", shape, taxonomy.Shapes())
	}
	if o == nil {
		o = &defaults
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
	dst = append(dst, outline.start...)
	dst = colors.Fill.append(dst)
	dst = append(dst, outlineStroke...)
	dst = colors.Ink.append(dst)
	dst = append(dst, outline.end...)
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

var defaults Options

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

// Shape returns the SVG of a bare shape in the default colours, 36 by 36, and reports
// whether the shape exists. [taxonomy.Shapes] lists the shapes. The bytes belong to the
// caller.
func Shape(s taxonomy.Shape) ([]byte, bool) {
	svg, err := Append(nil, s, nil, DefaultColors(), nil)
	return svg, err == nil
}

// outline is a shape without its colours: the fill goes after start, then come
// outlineStroke, the ink and end.
type outline struct{ start, end string }

const (
	outlineStroke = `" stroke="`
	smoothEnd     = `" stroke-width="1.5" stroke-dasharray="none"/>`
	cornersEnd    = `" stroke-width="1.5" stroke-dasharray="none" stroke-linejoin="round"/>`
)

// outlines are regular shapes, as large as the grid allows with the whole stroke inside
// it. The hexagon has a corner at the top.
var outlines = map[taxonomy.Shape]outline{
	taxonomy.Circle:        {`<circle cx="18" cy="18" r="17.25" fill="`, smoothEnd},
	taxonomy.Hexagon:       {`<polygon points="18,0.8 32.9,9.4 32.9,26.6 18,35.2 3.1,26.6 3.1,9.4" fill="`, cornersEnd},
	taxonomy.Octagon:       {`<polygon points="10.85,0.75 25.15,0.75 35.25,10.85 35.25,25.15 25.15,35.25 10.85,35.25 0.75,25.15 0.75,10.85" fill="`, cornersEnd},
	taxonomy.RoundedSquare: {`<rect x="0.75" y="0.75" width="34.5" height="34.5" rx="7" ry="7" fill="`, smoothEnd},
}

// outliner receives the outline of a shape as lines and cubic Bézier curves between absolute
// points, which are complex numbers.
type outliner interface {
	move(to complex128)
	line(to complex128)
	curve(c1, c2, to complex128)
	close()
}

// trace passes the outline of a shape to an outliner.
func (n *node) trace(o outliner) {
	t := pathTracer{to: o}
	point := func(x, y string) complex128 { return complex(n.number(x), n.number(y)) }
	switch n.name {
	case "path":
		readPath(n.get("d"), t.segment)
	case "polyline", "polygon":
		end := ""
		if n.name == "polygon" {
			end = "z"
		}
		readPath("M"+n.get("points")+end, t.segment)
	case "line":
		o.move(point("x1", "y1"))
		o.line(point("x2", "y2"))
	case "circle":
		r := n.number("r")
		roundRect(o, point("cx", "cy")-complex(r, r), complex(2*r, 2*r), r, r)
	case "ellipse":
		rx, ry := n.radii()
		roundRect(o, point("cx", "cy")-complex(rx, ry), complex(2*rx, 2*ry), rx, ry)
	case "rect":
		rx, ry := n.radii()
		size := point("width", "height")
		roundRect(o, point("x", "y"), size, min(rx, real(size)/2), min(ry, imag(size)/2))
	}
}

// radii returns rx and ry; one that is missing is as long as the other.
func (n *node) radii() (rx, ry float64) {
	rx, ry = n.number("rx"), n.number("ry")
	if n.find("rx") == nil {
		rx = ry
	}
	if n.find("ry") == nil {
		ry = rx
	}
	return rx, ry
}

// roundRect passes on a rectangle with round corners. If they are as large as can be, it is
// an ellipse.
func roundRect(o outliner, at, size complex128, rx, ry float64) {
	// bend is how long the tangents of a curve are that is close to a quarter of a circle.
	const bend = 0.5522847498
	// The corners in the direction of the clock, from the right bottom one.
	for corner, c := range [4]complex128{1 + 1i, 1i, 0, 1} {
		centre := at + complex(rx+real(c)*(real(size)-2*rx), ry+imag(c)*(imag(size)-2*ry))
		sin, cos := [4]float64{0, 1, 0, -1}[corner], [4]float64{1, 0, -1, 0}[corner]
		from, to := complex(rx*cos, ry*sin), complex(-rx*sin, ry*cos)
		if corner == 0 {
			o.move(centre + from)
		} else {
			o.line(centre + from)
		}
		if rx > 0 && ry > 0 {
			o.curve(centre+from+bend*to, centre+to+bend*from, centre+to)
		}
	}
	o.close()
}

// pathTracer passes the segments of a path to an outliner.
type pathTracer struct {
	tracer // the current point, and what smooth curves continue
	to     outliner
}

func (t *pathTracer) segment(command byte, args []float64) {
	from, ended := t.at, t.last == 'z'
	kind := command | 0x20
	var controls []complex128
	switch kind {
	case 's':
		controls = append(controls, t.mirrored('c', 's'))
	case 't':
		controls = append(controls, t.mirrored('q', 't'))
	}
	t.tracer.segment(command, args)
	base := complex128(0)
	if command == kind {
		base = from
	}
	for i := 0; i+3 < len(args) && kind != 'a'; i += 2 {
		controls = append(controls, base+complex(args[i], args[i+1]))
	}
	if ended && kind != 'm' {
		t.to.move(from) // goes on where the last part began
	}
	switch kind {
	case 'm':
		t.to.move(t.at)
	case 'z':
		t.to.close()
		t.at = t.start
	case 'c', 's':
		t.to.curve(controls[0], controls[1], t.at)
	case 'q', 't': // as a cubic curve
		t.to.curve(from+2*(controls[0]-from)/3, t.at+2*(controls[0]-t.at)/3, t.at)
	case 'a':
		t.arc(from, t.at, args)
	default:
		t.to.line(t.at)
	}
}

// arc passes on an elliptical arc, by the formulas of SVG 2, appendix B.2.4.
func (t *pathTracer) arc(from, to complex128, args []float64) {
	rx, ry := math.Abs(args[0]), math.Abs(args[1])
	if rx == 0 || ry == 0 || from == to {
		t.to.line(to)
		return
	}
	turn := cmplx.Rect(1, args[2]*math.Pi/180)
	// In units of the radii, not turned, the ellipse is a circle.
	scaled := func(p complex128) complex128 {
		p /= turn
		return complex(real(p)/rx, imag(p)/ry)
	}
	p, q := scaled(from), scaled(to)
	half := (q - p) / 2
	radius := max(1, cmplx.Abs(half)) // radii that are too short grow
	offset := math.Sqrt(max(0, radius*radius-cmplx.Abs(half)*cmplx.Abs(half))) / cmplx.Abs(half)
	if (args[3] == 1) == (args[4] == 1) {
		offset = -offset
	}
	centre := (p+q)/2 + half*complex(0, offset)
	begin, sweep := cmplx.Phase(p-centre), cmplx.Phase((q-centre)/(p-centre))
	switch {
	case args[4] == 1 && sweep < 0:
		sweep += 2 * math.Pi
	case args[4] == 0 && sweep > 0:
		sweep -= 2 * math.Pi
	}
	parts := math.Ceil(math.Abs(sweep) / (math.Pi / 2))
	bend := 4.0 / 3 * math.Tan(sweep/parts/4)
	unscaled := func(p complex128) complex128 { return complex(real(p)*rx, imag(p)*ry) * turn }
	for i := range int(parts) {
		a := cmplx.Rect(radius, begin+sweep*float64(i)/parts)
		b := cmplx.Rect(radius, begin+sweep*float64(i+1)/parts)
		end := unscaled(centre + b)
		if i+1 == int(parts) {
			end = to
		}
		t.to.curve(unscaled(centre+a+a*complex(0, bend)), unscaled(centre+b-b*complex(0, bend)), end)
	}
}

// polylines are an outline as lines, those of curves being close to it.
type polylines [][]complex128

// curveSteps is the number of lines that a curve is drawn with.
const curveSteps = 12

func (p *polylines) move(to complex128) { *p = append(*p, []complex128{to}) }

func (p *polylines) line(to complex128) {
	last := len(*p) - 1
	(*p)[last] = append((*p)[last], to)
}

func (p *polylines) curve(c1, c2, to complex128) {
	last := (*p)[len(*p)-1]
	from := last[len(last)-1]
	for i := 1; i <= curveSteps; i++ {
		t := complex(float64(i)/curveSteps, 0)
		u := 1 - t
		p.line(u*u*u*from + 3*u*u*t*c1 + 3*u*t*t*c2 + t*t*t*to)
	}
}

func (p *polylines) close() { p.line((*p)[len(*p)-1][0]) }

// matrix is a transformation, in the order of the arguments of matrix().
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) apply(p complex128) complex128 {
	x, y := real(p), imag(p)
	return complex(m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5])
}

// then returns the transformation that applies o first, then m.
func (m matrix) then(o matrix) matrix {
	origin := m.apply(complex(o[4], o[5]))
	return matrix{
		m[0]*o[0] + m[2]*o[1], m[1]*o[0] + m[3]*o[1],
		m[0]*o[2] + m[2]*o[3], m[1]*o[2] + m[3]*o[3], real(origin), imag(origin),
	}
}

// in returns the transformation inside of a node, with the place of a <use>.
func (m matrix) in(n *node) matrix {
	m = m.then(parseMatrix(n.get("transform")))
	if n.name == "use" {
		m = m.then(matrix{1, 0, 0, 1, n.number("x"), n.number("y")})
	}
	return m
}

// parseMatrix returns the transformation of a valid attribute.
func parseMatrix(text string) matrix {
	all := identity
	p := scanner{s: text}
	for p.space(); !p.done(); p.comma() {
		name := p.word()
		p.accept('(')
		var args []float64
		for !p.accept(')') && !p.done() {
			v, _ := p.number()
			args = append(args, v)
			p.comma()
		}
		all = all.then(transformOf(name, append(args, make([]float64, 6-len(args))...), len(args)))
	}
	return all
}

// transformOf returns one transformation, given its first n arguments and zeros.
func transformOf(name string, v []float64, n int) matrix {
	switch name {
	case "translate":
		return matrix{1, 0, 0, 1, v[0], v[1]}
	case "scale":
		if n == 1 {
			v[1] = v[0]
		}
		return matrix{v[0], 0, 0, v[1], 0, 0}
	case "rotate":
		sin, cos := math.Sincos(v[0] * math.Pi / 180)
		around := matrix{1, 0, 0, 1, v[1], v[2]}
		return around.then(matrix{cos, sin, -sin, cos, 0, 0}).then(matrix{1, 0, 0, 1, -v[1], -v[2]})
	case "skewX":
		return matrix{1, 0, math.Tan(v[0] * math.Pi / 180), 1, 0, 0}
	case "skewY":
		return matrix{1, math.Tan(v[0] * math.Pi / 180), 0, 1, 0, 0}
	}
	return matrix(v[:6])
}
