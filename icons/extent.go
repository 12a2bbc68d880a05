package icons

import (
	"math"
	"math/cmplx"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
)

// extent is the size of a node with every reference followed. It bounds the work of
// rendering the symbol.
type extent struct {
	cost, depth int
	reach       float64 // the length of the outlines, see node.reach
	open        bool    // it is being measured, so a reference to it is a cycle
}

// measure checks that references have no cycles and stay within the limits.
func (s *sanitizer) measure() {
	shape, rect := shapeCosts(s.root)
	whole := s.extent(s.root, shape, rect, map[*node]*extent{})
	if whole.depth > maxSymbolDepth {
		s.refuse(s.root.off, codes.SymbolMalformed, "ungroup the drawing, and refer to shapes directly",
			"With every reference followed, elements are nested deeper than %d.", maxSymbolDepth)
	}
	if whole.cost > maxSymbolCost {
		s.refuse(s.root.off, codes.SymbolTooComplex,
			"combine shapes and simplify paths; use fewer masks, clip paths, opacities, gradients and <use>",
			"The symbol takes too long to draw: with every reference followed, it is worth more than %d simple shapes.", maxSymbolCost)
	} else {
		s.measureArea(whole.cost)
	}
	if dashes, step := finestDashes(s.root); dashes != nil && whole.reach/step > maxSymbolDashes {
		s.refuse(dashes.off, codes.SymbolTooComplex, "write longer ones, or a shorter pathLength",
			"The dashes %s are so fine that the symbol could have more than %d.", prose.Quote(dashes.text), maxSymbolDashes)
	}
}

// extent measures a node; shape and rect are the costs of shapes. Each node is visited once, the cost
// saturates above the limit, and references that close a cycle are cut.
func (s *sanitizer) extent(n *node, shape, rect int, known map[*node]*extent) *extent {
	if e := known[n]; e != nil {
		return e
	}
	e := &extent{cost: 1 + layerCost*n.layers(), reach: n.reach(), open: true}
	switch {
	case n.name == "rect" && n.find("rx") == nil && n.find("ry") == nil:
		e.cost += rect - 1 + n.bytes()/bytesCost
	case isShape(n.name):
		e.cost += shape - 1 + n.bytes()/bytesCost
	}
	known[n] = e
	add := func(part *extent) {
		e.cost = min(e.cost+part.cost, maxSymbolCost+1)
		e.reach += part.reach
		e.depth = max(e.depth, part.depth)
	}
	for i := range n.attrs {
		a := &n.attrs[i]
		if a.target == nil {
			continue
		}
		part := s.extent(a.target, shape, rect, known)
		if part.open {
			s.refuse(a.off, codes.SymbolNotAllowed, "remove the reference, or refer to something else",
				"The %s of <%s> refers to %s, which contains or refers to this element.", a.name, n.name, prose.Quote(a.fragment))
			a.target = nil
			continue
		}
		add(part)
	}
	for _, c := range n.children {
		add(s.extent(c, shape, rect, known))
	}
	if n.name == "clipPath" {
		e.cost = min(e.cost*clipCost, maxSymbolCost+1)
	}
	e.depth++
	e.open = false
	return e
}

// The costs of parts of a drawing were measured with resvg at 380 by 380 pixels. The unit
// is that of an opaque rectangle: about 8 ms as WebAssembly, a hundredth of that in browsers.
const (
	gradientCost    = 16
	translucentCost = 5
	layerCost       = 40
	roundCost       = 2  // of shapes that are not rectangles, or rounded ones, in addition
	turnedCost      = 3  // of rectangles that are turned, in addition
	clipCost        = 2  // of what is in a clip path, as a factor
	bytesCost       = 60 // bytes of a path for the cost of a shape
)

// shapeCosts returns the cost of each shape of a symbol, and of each rectangle. Paints and
// transformations are inherited, so the most expensive one counts for all.
func shapeCosts(root *node) (shape, rect int) {
	paint, turned := 1, 0
	root.walk(func(n *node) {
		switch {
		case isGradient(n.name):
			paint = gradientCost
		case n.find("fill-opacity") != nil || n.find("stroke-opacity") != nil:
			paint = max(paint, translucentCost)
		}
		if to := n.get("transform"); strings.Contains(to, "rotate") || strings.Contains(to, "skew") || strings.Contains(to, "matrix") {
			turned = turnedCost
		}
	})
	return paint + roundCost, paint + turned
}

// layers counts what is drawn on a layer of its own before it is drawn on others: what has
// a mask, a clip path or an opacity.
func (n *node) layers() int {
	count := 0
	for _, name := range []string{"clip-path", "mask", "opacity"} {
		if n.find(name) != nil {
			count++
		}
	}
	return count
}

// bytes returns the approximate length of the tag of a shape.
func (n *node) bytes() int {
	size := len(n.name) + len("</>")
	for i := range n.attrs {
		size += len(n.attrs[i].name) + len(n.attrs[i].text) + len(` =""`)
	}
	return size
}

// measureArea checks the cost of a symbol with what lies outside of the viewBox: layers are as
// large as what is drawn on them, also where it is clipped, and the whole icon may be drawn on
// one. The work is bounded by maxSymbolCost, because cycles are cut.
func (s *sanitizer) measureArea(cost int) {
	m := mapper{whole: iconArea, masks: map[*node]pen{}}
	m.inherit(s.root, newPen())
	m.draw(s.root, newPen(), true)
	factor := m.whole.size() / iconArea.size()
	if weight := float64(cost+layerCost)*factor - layerCost; weight <= maxSymbolCost {
		return
	}
	s.refuse(m.far.off, codes.SymbolTooComplex,
		"cut off what lies outside of the viewBox, even where it is clipped, masked or hidden, or simplify the drawing",
		"The symbol takes too long to draw: with what lies outside of the viewBox 0 0 %d %[1]d, such as this <%s>, it is worth more than %d simple shapes.",
		side, m.far.name, maxSymbolCost)
}

// area is a rectangle between two corners.
type area struct{ low, high complex128 }

var (
	iconArea = area{0, complex(side, side)}
	noArea   = area{complex(math.Inf(1), math.Inf(1)), complex(math.Inf(-1), math.Inf(-1))}
)

func (a area) with(o area) area {
	return area{
		complex(min(real(a.low), real(o.low)), min(imag(a.low), imag(o.low))),
		complex(max(real(a.high), real(o.high)), max(imag(a.high), imag(o.high))),
	}
}

// size may be NaN: transformations can overflow.
func (a area) size() float64 { return real(a.high-a.low) * imag(a.high-a.low) }

// mapper finds the area of everything that is drawn, together with the icon.
type mapper struct {
	whole area
	far   *node         // the shape that enlarges the icon most
	most  float64       // the size of both
	masks map[*node]pen // what masks inherit
}

func (m *mapper) inherit(n *node, p pen) {
	p = p.on(n)
	if n.name == "mask" {
		m.masks[n] = p
	}
	for _, c := range n.children {
		m.inherit(c, p)
	}
}

// pen is the inherited properties of a node.
type pen struct {
	ink
	to    matrix
	width float64
	miter float64 // how far corners may reach, in halves of the width
	round bool    // corners are not mitered
}

func newPen() pen {
	return pen{ink: ink{fill: &attr{value: value{text: "#000000"}}}, to: identity, width: 1, miter: 4}
}

// on returns the properties that the children of a node inherit, or what it refers to.
func (p pen) on(n *node) pen {
	p.ink = p.ink.on(n)
	p.to = p.to.in(n)
	if n.find("stroke-width") != nil {
		p.width = n.number("stroke-width")
	}
	if n.find("stroke-miterlimit") != nil {
		p.miter = n.number("stroke-miterlimit")
	}
	if join := n.get("stroke-linejoin"); join != "" {
		p.round = join != "miter"
	}
	return p
}

// draw adds a node and returns its area, which does not include that of the icon. Masks are as
// large as what they are applied to, so their content only counts on layers of its own.
// Hidden and transparent shapes enlarge layers, too.
func (m *mapper) draw(n *node, p pen, counts bool) area {
	if n == nil || n.get("display") == "none" {
		return noArea
	}
	all := noArea
	p = p.on(n)
	counts = counts || n.layers() > 0
	switch {
	case n.name == "svg" || n.name == "g" || n.name == "mask":
		for _, c := range n.children {
			if c.name != "mask" { // only where it is applied
				all = all.with(m.draw(c, p, counts))
			}
		}
	case n.name == "use":
		all = m.draw(n.linked(), p, counts)
	case isShape(n.name) && hasExtent(n):
		all = m.shape(n, p, counts)
	}
	a := n.find("mask")
	if a == nil || !(real(all.low) <= real(all.high)) {
		return all
	}
	if inside, ok := m.masks[a.target]; ok {
		inside.to = p.to
		if a.target.get("maskContentUnits") == "objectBoundingBox" {
			extent := all.high - all.low
			inside.to = matrix{real(extent), 0, 0, imag(extent), real(all.low), imag(all.low)}
		}
		m.draw(a.target, inside, false)
	}
	return all
}

// shape adds a shape with its stroke. The control points of curves are around them.
func (m *mapper) shape(n *node, p pen, counts bool) area {
	b := plotter{area: noArea, to: p.to}
	if p.stroke != nil && p.stroke.text != "none" {
		b.reach = p.width / 2 * math.Sqrt2 // square ends
		if !p.round && (n.name == "path" || n.name == "polyline" || n.name == "polygon") {
			b.reach = p.width / 2 * max(math.Sqrt2, p.miter)
		}
	} else if p.fill.text == "none" {
		return noArea
	}
	n.trace(&b)
	if !counts {
		return b.area
	}
	m.whole = m.whole.with(b.area)
	if size := b.with(iconArea).size(); m.far == nil || !(size <= m.most) {
		m.far, m.most = n, size
	}
	return b.area
}

// plotter is the area of an outline.
type plotter struct {
	area
	to    matrix
	reach float64 // of the stroke
}

func (b *plotter) move(to complex128) {
	for _, corner := range [4]complex128{1 + 1i, 1 - 1i, -1 + 1i, -1 - 1i} {
		at := b.to.apply(to + corner*complex(b.reach, 0))
		b.area = b.with(area{at, at})
	}
}

func (b *plotter) line(to complex128) { b.move(to) }

func (b *plotter) curve(c1, c2, to complex128) {
	b.move(c1)
	b.move(c2)
	b.move(to)
}

func (*plotter) close() {}

// finestDashes returns the dashes of a tree with the shortest mean length, gaps included,
// and that length, or nil if nothing is dashed. Dashes of length 0 are a solid line.
func finestDashes(root *node) (dashes *attr, step float64) {
	root.walk(func(n *node) {
		a := n.find("stroke-dasharray")
		if a == nil {
			return
		}
		p := scanner{s: a.text}
		list, _ := p.numbers() // empty for "none"
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		if mean := sum / float64(len(list)); sum > 0 && (dashes == nil || mean < step) {
			dashes, step = a, mean
		}
	})
	return dashes, step
}

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
