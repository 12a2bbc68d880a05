package icons

import (
	"math"
	"math/cmplx"
)

// reach returns an upper bound of the length of a shape's outline, in the units of its
// dashes. It is 0 for elements that are not shapes.
func (n *node) reach() float64 {
	if !isShape(n.name) {
		return 0
	}
	number := n.number
	if own := number("pathLength"); own > 0 {
		return own
	}
	var t tracer
	switch n.name {
	case "path":
		readPath(n.get("d"), t.segment)
		return t.length
	case "polyline", "polygon":
		if points := n.get("points"); points != "" {
			readPath("M"+points+"z", t.segment)
		}
		return t.length
	case "rect":
		return 2 * (number("width") + number("height"))
	case "line":
		return math.Hypot(number("x2")-number("x1"), number("y2")-number("y1"))
	}
	return 2 * math.Pi * max(number("r"), number("rx"), number("ry")) // circle, ellipse
}

// tracer adds up the lengths of the segments of a path. The length of a curve is taken as
// that of its control polygon, which is not shorter. Points are complex numbers.
type tracer struct {
	at, start complex128
	control   complex128 // the last control point of the previous segment
	last      byte       // the command of that segment, in lower case
	length    float64
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
		end := point(5)
		t.length += arcReach(math.Abs(args[0]), math.Abs(args[1]), args[3] == 1, cmplx.Abs(end-t.at))
		t.at = end
	}
	t.last = kind
}

// through moves on through points; the segment ends at the last one.
func (t *tracer) through(points ...complex128) {
	for _, p := range points {
		t.length += cmplx.Abs(p - t.at)
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

// arcReach returns an upper bound of the length of an arc. Radii that are too short for
// its chord are scaled up, as SVG does.
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
