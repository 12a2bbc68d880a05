package icons

import (
	"math"
	"math/cmplx"
)

// parsePath reads path data and writes it in canonical form: implicit lines after a move
// are named, repeated commands are not, and numbers are as short as possible. Relative
// commands stay relative.
func parsePath(s string) (string, bool) {
	out := joiner{packed: true}
	var last byte
	ok := readPath(s, func(command byte, args []float64) {
		if command != last || command|0x20 == 'm' || command|0x20 == 'z' {
			out.mark(string(command))
		}
		last = command
		out.numbers(args...)
	})
	return out.String(), ok
}

// readPath reads path data, passes on its segments, each with its command, and reports
// whether the data is valid. The arguments are valid until segment returns.
func readPath(s string, segment func(command byte, args []float64)) bool {
	p := &scanner{s: s}
	var args [7]float64
	first := true
	for p.space(); !p.done(); p.space() {
		command := p.peek()
		n, known := pathArgs[command|0x20]
		if !known || first && command|0x20 != 'm' {
			return false
		}
		first = false
		p.i++
		if n == 0 {
			segment(command, nil)
		} else if !readSegments(p, command, args[:n], segment) {
			return false
		}
	}
	return true
}

// pathArgs is how many numbers each command takes.
var pathArgs = map[byte]int{'m': 2, 'l': 2, 't': 2, 'h': 1, 'v': 1, 'q': 4, 's': 4, 'c': 6, 'a': 7, 'z': 0}

// readSegments reads the segments of one command, which may have several: l1 1 2 2. It
// uses args for the numbers of a segment.
func readSegments(p *scanner, command byte, args []float64, segment func(command byte, args []float64)) bool {
	p.space()
	for more := true; more; {
		for i := range args {
			if i > 0 {
				p.comma()
			}
			read := p.number
			if command|0x20 == 'a' && (i == 3 || i == 4) {
				read = p.flag
			}
			var ok bool
			if args[i], ok = read(); !ok {
				return false
			}
		}
		segment(command, args)
		switch command { // further pairs after a move are lines
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
		comma, c := p.comma(), p.peek()
		if more = isDigit(c) || c == '.' || c == '+' || c == '-'; comma && !more {
			return false
		}
	}
	return true
}

// pathTracer passes the segments of a path to an outliner. Points are complex numbers.
type pathTracer struct {
	to        outliner
	at, start complex128
	control   complex128 // the last control point of the previous segment
	last      byte       // the command of that segment, in lower case
}

// segment passes on one segment.
func (t *pathTracer) segment(command byte, args []float64) {
	var base complex128
	kind := command | 0x20
	if command == kind {
		base = t.at
	}
	point := func(i int) complex128 { return base + complex(args[i], args[i+1]) }
	if t.last == 'z' && kind != 'm' {
		t.to.move(t.at) // a closed part is followed by another one that begins at the same point
	}
	switch kind {
	case 'm':
		t.at = point(0)
		t.start = t.at
		t.to.move(t.at)
	case 'z':
		t.at = t.start
		t.to.close()
	case 'l':
		t.line(point(0))
	case 'h':
		t.line(complex(real(base)+args[0], imag(t.at)))
	case 'v':
		t.line(complex(real(t.at), imag(base)+args[0]))
	case 'c':
		t.cubic(point(0), point(2), point(4))
	case 's':
		t.cubic(t.mirrored('c', 's'), point(0), point(2))
	case 'q':
		t.quadratic(point(0), point(2))
	case 't':
		t.quadratic(t.mirrored('q', 't'), point(0))
	case 'a':
		t.arc(point(5), args)
	}
	t.last = kind
}

func (t *pathTracer) line(to complex128) {
	t.to.line(to)
	t.at = to
}

func (t *pathTracer) cubic(c1, c2, to complex128) {
	t.to.curve(c1, c2, to)
	t.control, t.at = c2, to
}

// quadratic passes on a quadratic curve as the cubic one that is equal to it.
func (t *pathTracer) quadratic(c, to complex128) {
	t.to.curve(t.at+2*(c-t.at)/3, to+2*(c-to)/3, to)
	t.control, t.at = c, to
}

// mirrored returns the first control point of a smooth curve, which mirrors the last one
// of a previous curve of the same kind.
func (t *pathTracer) mirrored(kind, smooth byte) complex128 {
	if t.last != kind && t.last != smooth {
		return t.at
	}
	return 2*t.at - t.control
}

// arc passes on an elliptical arc, by the formulas of SVG 2, appendix B.2.4.
func (t *pathTracer) arc(to complex128, args []float64) {
	from := t.at
	t.at = to
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
