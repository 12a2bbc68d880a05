package icons

import (
	"math"
	"math/cmplx"
)

// reach returns how long the outline of a shape is at most, in the units that
// its dashes are in. It is 0 for what is no shape.
func (n *node) reach() float64 {
	number := func(name string) float64 {
		v, _, _ := parseNumber(n.get(name)) // 0 where there is none
		return v
	}
	if !isShape(n.name) {
		return 0
	}
	if own := number("pathLength"); own > 0 {
		return own
	}
	switch n.name {
	case "path":
		var t tracer
		readPath(n.get("d"), t.segment)
		return t.length
	case "polyline", "polygon":
		return pointsReach(n.get("points"))
	case "rect":
		return 2 * (number("width") + number("height"))
	case "line":
		return math.Hypot(number("x2")-number("x1"), number("y2")-number("y1"))
	}
	return 2 * math.Pi * max(number("r"), number("rx"), number("ry")) // circle, ellipse
}

// pointsReach is the length of a polygon.
func pointsReach(points string) float64 {
	p := scanner{s: points}
	list, _ := p.numbers()
	var t tracer
	for i := 0; i+1 < len(list); i += 2 {
		command := byte('L')
		if i == 0 {
			command = 'M'
		}
		t.segment(command, list[i:i+2])
	}
	t.segment('Z', nil)
	return t.length
}

// tracer follows path data and adds up the lengths of its segments; for curves
// it takes those between their control points, which are no shorter. Points are
// complex numbers.
type tracer struct {
	at, start complex128
	control   complex128 // the last control point of the segment before
	last      byte       // the command of that segment, in lower case
	length    float64
}

// segment follows one segment.
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
		end := point(5)
		t.length += arcReach(math.Abs(args[0]), math.Abs(args[1]), args[3] == 1, cmplx.Abs(end-t.at))
		t.at = end
	}
	t.last = kind
}

// through goes on to the points, the last of which is where the segment ends.
func (t *tracer) through(points ...complex128) {
	for _, p := range points {
		t.length += cmplx.Abs(p - t.at)
		t.control, t.at = t.at, p
	}
}

// mirrored returns the control point that a smooth curve begins with, where it
// follows a curve of its kind.
func (t *tracer) mirrored(kind, smooth byte) complex128 {
	if t.last != kind && t.last != smooth {
		return t.at
	}
	return 2*t.at - t.control
}

// arcReach is the length of an arc at most. Radii that are too short for its
// ends grow together until they fit.
func arcReach(rx, ry float64, large bool, chord float64) float64 {
	short, long := min(rx, ry), max(rx, ry)
	if short == 0 {
		return chord
	}
	whole := 2 * math.Pi * long * max(1, chord/(2*short))
	if large {
		return whole
	}
	return min(whole, math.Pi/2*chord*long/short)
}
