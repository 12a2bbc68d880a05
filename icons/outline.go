package icons

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
