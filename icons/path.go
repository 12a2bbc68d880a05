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

// tracer follows the segments of a path. Points are complex numbers.
type tracer struct {
	at, start complex128
	control   complex128 // the last control point of the previous segment
	last      byte       // the command of that segment, in lower case
}

func (t *tracer) segment(command byte, args []float64) {
	var base complex128
	kind := command | 0x20
	if command == kind {
		base = t.at
	}
	point := func(i int) complex128 { return base + complex(args[i], args[i+1]) }
	switch kind {
	case 'm':
		t.at = point(0)
		t.start = t.at
	case 'z':
		t.through(t.start)
	case 'l':
		t.through(point(0))
	case 'h':
		t.through(complex(real(base)+args[0], imag(t.at)))
	case 'v':
		t.through(complex(real(t.at), imag(base)+args[0]))
	case 'c':
		t.through(point(0), point(2), point(4))
	case 's':
		t.through(t.mirrored('c', 's'), point(0), point(2))
	case 'q':
		t.through(point(0), point(2))
	case 't':
		t.through(t.mirrored('q', 't'), point(0))
	case 'a':
		t.at = point(5)
	}
	t.last = kind
}

// through moves on through points; the segment ends at the last one.
func (t *tracer) through(points ...complex128) {
	for _, p := range points {
		t.control, t.at = t.at, p
	}
}

// mirrored returns the first control point of a smooth curve, which mirrors the last one
// of a previous curve of the same kind.
func (t *tracer) mirrored(kind, smooth byte) complex128 {
	if t.last != kind && t.last != smooth {
		return t.at
	}
	return 2*t.at - t.control
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
