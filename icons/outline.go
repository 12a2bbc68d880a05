package icons

import (
	"math"
	"math/cmplx"
)

// curveSteps is the number of lines that a curve is drawn with.
const curveSteps = 12

// outline returns the outline of a shape as lines, those of curves being close to it.
func (n *node) outline() [][]complex128 {
	var o outliner
	point := func(x, y string) complex128 { return complex(n.number(x), n.number(y)) }
	switch n.name {
	case "path":
		readPath(n.get("d"), o.segment)
	case "polyline", "polygon":
		end := ""
		if n.name == "polygon" {
			end = "z"
		}
		readPath("M"+n.get("points")+end, o.segment)
	case "line":
		o.lines = [][]complex128{{point("x1", "y1"), point("x2", "y2")}}
	case "circle":
		o.ellipse(point("cx", "cy"), n.number("r"), n.number("r"))
	case "ellipse":
		rx, ry := n.number("rx"), n.number("ry")
		if n.find("rx") == nil {
			rx = ry
		}
		if n.find("ry") == nil {
			ry = rx
		}
		o.ellipse(point("cx", "cy"), rx, ry)
	case "rect":
		o.rect(n, point("x", "y"), point("width", "height"))
	}
	return o.lines
}

// outliner turns the segments of a path into lines. Points are complex numbers.
type outliner struct {
	tracer // the current point, and what smooth curves continue
	lines  [][]complex128
}

func (o *outliner) segment(command byte, args []float64) {
	from := o.at
	kind := command | 0x20
	if kind == 'm' || len(o.lines) == 0 || o.last == 'z' {
		if kind != 'm' {
			o.lines = append(o.lines, []complex128{from})
		}
	}
	var controls []complex128
	switch kind {
	case 's':
		controls = append(controls, o.mirrored('c', 's'))
	case 't':
		controls = append(controls, o.mirrored('q', 't'))
	}
	o.tracer.segment(command, args)
	base := complex128(0)
	if command == kind {
		base = from
	}
	for i := 0; i+3 < len(args) && kind != 'a'; i += 2 {
		controls = append(controls, base+complex(args[i], args[i+1]))
	}
	switch kind {
	case 'm':
		o.lines = append(o.lines, []complex128{o.at})
	case 'z':
		o.to(o.start)
		o.at = o.start
	case 'c', 's', 'q', 't':
		o.curve(from, controls, o.at)
	case 'a':
		o.arc(from, o.at, args)
	default:
		o.to(o.at)
	}
}

// to adds a line.
func (o *outliner) to(at complex128) {
	last := len(o.lines) - 1
	o.lines[last] = append(o.lines[last], at)
}

// curve adds a Bézier curve with one or two control points.
func (o *outliner) curve(from complex128, controls []complex128, to complex128) {
	for i := 1; i <= curveSteps; i++ {
		t := float64(i) / curveSteps
		points := append(append([]complex128{from}, controls...), to)
		for len(points) > 1 { // de Casteljau
			for k := range points[1:] {
				points[k] += (points[k+1] - points[k]) * complex(t, 0)
			}
			points = points[:len(points)-1]
		}
		o.to(points[0])
	}
}

// arc adds an elliptical arc, by the formulas of SVG 2, appendix B.2.4.
func (o *outliner) arc(from, to complex128, args []float64) {
	rx, ry := math.Abs(args[0]), math.Abs(args[1])
	if rx == 0 || ry == 0 || from == to {
		o.to(to)
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
	for i := 1; i < curveSteps; i++ {
		at := centre + cmplx.Rect(radius, begin+sweep*float64(i)/curveSteps)
		o.to(complex(real(at)*rx, imag(at)*ry) * turn)
	}
	o.to(to)
}

// ellipse adds a whole ellipse.
func (o *outliner) ellipse(centre complex128, rx, ry float64) {
	var line []complex128
	for i := range 3*curveSteps + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / (3 * curveSteps))
		line = append(line, centre+complex(rx*cos, ry*sin))
	}
	o.lines = append(o.lines, line)
}

// rect adds a rectangle, with round corners if it has them.
func (o *outliner) rect(n *node, at, size complex128) {
	rx, ry := n.number("rx"), n.number("ry")
	if n.find("rx") == nil {
		rx = ry
	}
	if n.find("ry") == nil {
		ry = rx
	}
	rx, ry = min(rx, real(size)/2), min(ry, imag(size)/2)
	var line []complex128
	for corner := range 4 {
		// The corners in the direction of the clock, from the right bottom one.
		sx, sy := []float64{1, 0, 0, 1}[corner], []float64{1, 1, 0, 0}[corner]
		centre := at + complex(rx+sx*(real(size)-2*rx), ry+sy*(imag(size)-2*ry))
		for i := range curveSteps/3 + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(corner) + float64(i)/(curveSteps/3)))
			line = append(line, centre+complex(rx*cos, ry*sin))
		}
	}
	o.lines = append(o.lines, append(line, line[0]))
}

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

// scale returns how much the transformation enlarges lengths, on average.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }

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
