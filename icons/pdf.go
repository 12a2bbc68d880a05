package icons

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// ErrNotVector is the error of [AppendPDF] for icons whose symbols use gradients or masks.
var ErrNotVector = errors.New("icons: gradients and masks are not drawn as vectors")

// inkOf finds the colour that currentColor stands for in a composed icon.
var inkOf = regexp.MustCompile(` color="(#[0-9A-F]{6})"`)

// AppendPDF appends the operators that draw an icon or a symbol in the content of a PDF page,
// 36 units wide, with the y axis pointing down. Opacities are the graphics states o0 to o100,
// which the resources of the page must have. The opacity of a group applies to each of its
// shapes.
func AppendPDF(dst, icon []byte) ([]byte, error) {
	text := string(icon)
	if ink := inkOf.FindStringSubmatch(text); ink != nil {
		text = strings.ReplaceAll(strings.Replace(text, ink[0], "", 1), "currentColor", ink[1])
	}
	symbol, issues := Sanitize([]byte(text))
	if symbol == nil {
		return dst, fmt.Errorf("icons: %s", issues[0].Message)
	}
	p := pdfPrinter{dst: dst}
	p.node(symbol.tree(), stylus{fill: "#000000", fillOpacity: 1, strokeOpacity: 1, opacity: 1, width: 1, limit: 4})
	return p.dst, p.err
}

// pdfPrinter writes the operators of a tree.
type pdfPrinter struct {
	dst []byte
	err error
	to  matrix // of points, for clip paths; the zero matrix changes nothing
}

// stylus is the inherited properties of a node.
type stylus struct {
	fill, stroke               string // colours; "" is none
	fillOpacity, strokeOpacity float64
	opacity                    float64
	width, limit, offset       float64
	linecap, join              int
	dashes                     string
	evenOdd, clipEvenOdd       bool
	hidden                     bool
}

// inherit applies the attributes of a node.
func (p *pdfPrinter) inherit(s stylus, n *node) stylus {
	for i := range n.attrs {
		a := &n.attrs[i]
		number, _, _ := parseNumber(a.text)
		switch a.name {
		case "fill":
			s.fill = p.color(a)
		case "stroke":
			s.stroke = p.color(a)
		case "fill-opacity":
			s.fillOpacity = number
		case "stroke-opacity":
			s.strokeOpacity = number
		case "opacity":
			s.opacity *= number
		case "stroke-width":
			s.width = number
		case "stroke-miterlimit":
			s.limit = number
		case "stroke-dashoffset":
			s.offset = number
		case "stroke-dasharray":
			s.dashes = strings.ReplaceAll(strings.TrimPrefix(a.text, "none"), ",", " ")
		case "stroke-linecap":
			s.linecap = map[string]int{"round": 1, "square": 2}[a.text]
		case "stroke-linejoin":
			s.join = map[string]int{"round": 1, "bevel": 2}[a.text]
		case "fill-rule":
			s.evenOdd = a.text == "evenodd"
		case "clip-rule":
			s.clipEvenOdd = a.text == "evenodd"
		case "visibility":
			s.hidden = a.text == "hidden"
		case "mask":
			p.err = ErrNotVector
		}
	}
	return s
}

// color returns the colour of a paint, or "".
func (p *pdfPrinter) color(a *attr) string {
	switch {
	case a.target != nil:
		p.err = ErrNotVector
	case a.text == "none" || a.text == iconFill:
	default:
		return a.text
	}
	return ""
}

// node draws a node and its descendants.
func (p *pdfPrinter) node(n *node, s stylus) {
	if n == nil || n.get("display") == "none" || p.err != nil {
		return
	}
	s = p.inherit(s, n)
	p.write("q\n")
	defer p.write("Q\n")
	if m := identity.in(n); m != identity {
		p.numbers(m[:]...)
		p.write("cm\n")
	}
	if a := n.find("clip-path"); a != nil && a.target != nil {
		p.clip(a.target, s)
	}
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			p.node(c, s)
		}
	case n.name == "use":
		p.node(n.linked(), s)
	case isShape(n.name) && !s.hidden && hasExtent(n):
		p.shape(n, s)
	}
}

// clip restricts what follows to the shapes of a clip path, which are united.
func (p *pdfPrinter) clip(n *node, s stylus) {
	outer := identity.in(n)
	empty := true
	for _, c := range n.children {
		p.to = outer.in(c)
		if target := c.linked(); c.name == "use" && target != nil {
			c = target
			p.to = p.to.then(parseMatrix(c.get("transform")))
		}
		s.clipEvenOdd = p.inherit(s, c).clipEvenOdd
		if isShape(c.name) && hasExtent(c) {
			c.trace(p)
			empty = false
		}
	}
	p.to = matrix{}
	switch {
	case empty: // nothing is shown
		p.write("0 0 0 0 re W n\n")
	case s.clipEvenOdd:
		p.write("W* n\n")
	default:
		p.write("W n\n")
	}
}

// shape fills and strokes a shape.
func (p *pdfPrinter) shape(n *node, s stylus) {
	fill, stroke := s.fill != "" && n.name != "line", s.stroke != "" && s.width > 0
	if fill {
		p.paint(s.fill, "rg", s.opacity*s.fillOpacity)
		n.trace(p)
		p.write(map[bool]string{false: "f\n", true: "f*\n"}[s.evenOdd])
	}
	if stroke {
		p.paint(s.stroke, "RG", s.opacity*s.strokeOpacity)
		p.write(fmt.Sprintf("%s w %d J %d j %s M [%s] %s d\n", formatNumber(s.width), s.linecap, s.join,
			formatNumber(max(1, s.limit)), s.dashes, formatNumber(s.offset)))
		n.trace(p)
		p.write("S\n")
	}
}

// paint chooses a colour and an opacity.
func (p *pdfPrinter) paint(color, operator string, opacity float64) {
	c, _ := ParseColor(color)
	p.write("/o" + strconv.Itoa(int(math.Round(100*min(1, max(0, opacity))))) + " gs ")
	p.numbers(float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
	p.write(operator + "\n")
}

func (p *pdfPrinter) move(to complex128) { p.points(to); p.write("m\n") }
func (p *pdfPrinter) line(to complex128) { p.points(to); p.write("l\n") }
func (p *pdfPrinter) curve(c1, c2, to complex128) {
	p.points(c1, c2, to)
	p.write("c\n")
}
func (p *pdfPrinter) close() { p.write("h\n") }

func (p *pdfPrinter) points(list ...complex128) {
	for _, at := range list {
		if p.to != (matrix{}) {
			at = p.to.apply(at)
		}
		p.numbers(real(at), imag(at))
	}
}

func (p *pdfPrinter) numbers(list ...float64) {
	for _, v := range list {
		p.dst = append(strconv.AppendFloat(p.dst, math.Round(v*1e4)/1e4, 'f', -1, 64), ' ')
	}
}

func (p *pdfPrinter) write(s string) { p.dst = append(p.dst, s...) }
