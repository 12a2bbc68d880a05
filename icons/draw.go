package icons

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Drawing is an SVG drawing as vectors, for programs that write other formats.
type Drawing struct {
	X, Y, Width, Height float64 // what is shown; the y axis points down
	Figures             []Figure
}

// Figure is a path, or a group of figures that are painted in their order.
type Figure struct {
	// Matrix transforms coordinates, in the order of matrix() of SVG. Nil changes nothing.
	Matrix []float64
	// Clip is where the figure is visible, in its own coordinates; nil is everywhere.
	Clip     *Outline
	Opacity  float64  // of the figure as a whole
	Children []Figure // of a group

	Path         *Outline // nil in a group
	Fill, Stroke *Paint
	StrokeFirst  bool // the stroke is below the fill
	Pen          Pen  // of the stroke
}

// Outline is lines and cubic Bézier curves: an operator for each segment, which is m (move), l
// (line), c (curve) or h (close), and the coordinates of their points, which are absolute.
type Outline struct {
	Ops     []byte
	Coords  []float64
	EvenOdd bool // how it is filled
}

// Paint is a colour that may be transparent.
type Paint struct {
	Color   Color
	Opacity float64
}

// Pen is how a path is stroked. Cap and Join are those of PDF: 0 is butt and miter, 1 round,
// 2 square and bevel.
type Pen struct {
	Width, MiterLimit float64
	Cap, Join         int
	Dashes            []float64
	Offset            float64
}

// Draw returns the shapes of an icon, a symbol, or another SVG such as a logo, whose viewBox can be
// any. It takes what [Sanitize] takes, with higher limits, but no gradients and masks. The error
// names what can't be drawn, with its line. Draw accepts untrusted input.
func Draw(svg []byte) (*Drawing, error) {
	s := newSanitizer(svg)
	s.limits, s.drawing = drawnLimits, true
	if start := s.checkText(); !s.halted {
		s.parse(start)
	}
	if s.root != nil && !s.halted {
		s.resolve()
		s.measure()
	}
	d := &Drawing{X: s.box[0], Y: s.box[1], Width: s.box[2], Height: s.box[3]}
	if s.errors == 0 {
		t := drafter{s}
		d.Figures = t.node(s.root, style{fill: black.String(), fillOpacity: 1, strokeOpacity: 1, pen: Pen{Width: 1, MiterLimit: 4}})
	}
	if wrong := s.issues().With(issue.SeverityError); len(wrong) > 0 {
		first := &wrong[0]
		return nil, fmt.Errorf("line %d: %s; %s", first.Position.Line, asDrawing.Replace(strings.TrimSuffix(first.Message, ".")), asDrawing.Replace(first.FixHint))
	}
	return d, nil
}

// asDrawing rewords messages about symbols for other drawings.
var asDrawing = strings.NewReplacer("which symbols may not use", "which can't be drawn", "Symbols may not use", "it must not use",
	"symbols may not use", "it must not use", "symbols may not declare", "it must not declare", "symbols are flat", "it has only flat",
	"The symbol", "the drawing", "the symbol", "the drawing", "A symbol", "a drawing", "a symbol", "a drawing", "this symbol", "this drawing")

// drafter turns a tree into figures.
type drafter struct{ *sanitizer }

// style is the inherited properties of a node.
type style struct {
	ink                        Color // that currentColor means
	fill, stroke               string
	fillOpacity, strokeOpacity float64
	pen                        Pen
	evenOdd, clipEvenOdd       bool
	strokeFirst, hidden        bool
}

// Caps and joins as PDF has them.
var (
	caps  = map[string]int{"round": 1, "square": 2}
	joins = map[string]int{"round": 1, "bevel": 2}
)

// inherit applies the attributes of a node.
func (d drafter) inherit(s style, n *node) style {
	for i := range n.attrs {
		a := &n.attrs[i]
		number, _, _ := parseNumber(a.text)
		switch a.name {
		case "color":
			s.ink, _ = ParseColor(a.text)
		case "fill":
			s.fill = d.paint(a)
		case "stroke":
			s.stroke = d.paint(a)
		case "fill-opacity":
			s.fillOpacity = number
		case "stroke-opacity":
			s.strokeOpacity = number
		case "stroke-width":
			s.pen.Width = number
		case "stroke-miterlimit":
			s.pen.MiterLimit = max(1, number)
		case "stroke-dashoffset":
			s.pen.Offset = number
		case "stroke-dasharray":
			p := scanner{s: a.text}
			s.pen.Dashes, _ = p.numbers() // none for "none"
		case "stroke-linecap":
			s.pen.Cap = caps[a.text]
		case "stroke-linejoin":
			s.pen.Join = joins[a.text]
		case "fill-rule":
			s.evenOdd = a.text == "evenodd"
		case "clip-rule":
			s.clipEvenOdd = a.text == "evenodd"
		case "paint-order":
			before, _, found := strings.Cut(a.text, "stroke")
			s.strokeFirst = found && !strings.Contains(before, "fill")
		case "visibility":
			s.hidden = a.text == "hidden"
		case "mask":
			d.unsupported(a.target)
		}
	}
	return s
}

// unsupported reports an element that can't be drawn.
func (d drafter) unsupported(n *node) {
	hint := "fill the shapes with plain colours"
	if !isGradient(n.name) {
		hint = "cut the shapes themselves instead (Inkscape: Path > Intersection; Illustrator: Pathfinder)"
	}
	d.refuse(n.off, codes.SymbolNotAllowed, hint, "<%s> can't be drawn as vectors.", n.name)
}

// paint returns the colour of a paint, or "".
func (d drafter) paint(a *attr) string {
	switch {
	case a.target != nil:
		d.unsupported(a.target)
	case a.text != "none" && a.text != iconFill:
		return a.text
	}
	return ""
}

// node draws a node and its descendants.
func (d drafter) node(n *node, s style) []Figure {
	if n == nil || n.get("display") == "none" {
		return nil
	}
	s = d.inherit(s, n)
	figure := Figure{Opacity: 1}
	if a := n.find("opacity"); a != nil {
		figure.Opacity = n.number("opacity")
	}
	m := identity.in(n)
	if m[0]*m[3] == m[1]*m[2] || figure.Opacity == 0 { // nothing is left of it
		return nil
	}
	if m != identity {
		figure.Matrix = m[:]
	}
	if a := n.find("clip-path"); a != nil && a.target != nil {
		figure.Clip = d.clip(a.target)
	}
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			figure.Children = append(figure.Children, d.node(c, s)...)
		}
	case n.name == "use":
		figure.Children = d.node(n.linked(), s)
	case isShape(n.name) && !s.hidden && hasExtent(n):
		figure.Path = &Outline{EvenOdd: s.evenOdd}
		n.trace(&outlinePath{figure.Path, identity})
		figure.paint(n, s)
	}
	switch {
	case figure.Path == nil && len(figure.Children) == 0, figure.Path != nil && figure.Fill == nil && figure.Stroke == nil:
		return nil
	case figure.Path == nil && figure.Matrix == nil && figure.Clip == nil && figure.Opacity == 1:
		return figure.Children
	}
	return []Figure{figure}
}

// paint sets how the path of the figure is painted.
func (f *Figure) paint(n *node, s style) {
	paint := func(text string, opacity float64) *Paint {
		c, ok := ParseColor(text)
		if text == currentColor {
			c, ok = s.ink, true
		}
		if !ok || opacity == 0 {
			return nil
		}
		return &Paint{c, opacity}
	}
	if n.name != "line" {
		f.Fill = paint(s.fill, s.fillOpacity)
	}
	if s.pen.Width > 0 {
		f.Stroke = paint(s.stroke, s.strokeOpacity)
	}
	f.Pen, f.StrokeFirst = s.pen, s.strokeFirst
	sum := 0.0
	for _, v := range s.pen.Dashes {
		sum += v
	}
	switch own := n.number("pathLength"); {
	case sum == 0:
		f.Pen.Dashes, f.Pen.Offset = nil, 0
	case own > 0:
		scale := n.traced() / own
		f.Pen.Dashes, f.Pen.Offset = slices.Clone(s.pen.Dashes), s.pen.Offset*scale
		for i := range f.Pen.Dashes {
			f.Pen.Dashes[i] *= scale
		}
	}
	// A shape with one paint needs no layer of its own.
	if f.Fill == nil && f.Stroke != nil {
		f.Stroke.Opacity, f.Opacity = f.Stroke.Opacity*f.Opacity, 1
	} else if f.Fill != nil && f.Stroke == nil {
		f.Fill.Opacity, f.Opacity = f.Fill.Opacity*f.Opacity, 1
	}
}

// clip returns the shapes of a clip path, which are united.
func (d drafter) clip(n *node) *Outline {
	p := new(Outline)
	if n.find("clip-path") != nil || n.find("mask") != nil || n.get("clipPathUnits") == "objectBoundingBox" {
		d.unsupported(n)
	}
	outer, s := identity.in(n), d.inherit(style{}, n)
	for _, c := range n.children {
		to, s := outer.in(c), d.inherit(s, c)
		if target := c.linked(); c.name == "use" && target != nil {
			c = target
			to, s = to.in(c), d.inherit(s, c)
		}
		if c.find("clip-path") != nil {
			d.unsupported(n)
		}
		if isShape(c.name) && hasExtent(c) && c.get("display") != "none" && !s.hidden {
			p.EvenOdd = s.clipEvenOdd
			c.trace(&outlinePath{p, to})
		}
	}
	return p
}

// outlinePath writes an outline to a path, transformed.
type outlinePath struct {
	*Outline
	matrix
}

func (o *outlinePath) add(op byte, points ...complex128) {
	o.Ops = append(o.Ops, op)
	for _, at := range points {
		at = o.apply(at)
		o.Coords = append(o.Coords, real(at), imag(at))
	}
}
func (o *outlinePath) move(to complex128)          { o.add('m', to) }
func (o *outlinePath) line(to complex128)          { o.add('l', to) }
func (o *outlinePath) curve(c1, c2, to complex128) { o.add('c', c1, c2, to) }
func (o *outlinePath) close()                      { o.add('h') }
