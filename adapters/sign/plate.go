package sign

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	svg "github.com/ajstarks/svgo/float"

	"github.com/datachain-go/datachain/icons"
)

// plate is a drawing, which is written as SVG and PDF: what is on it, in the order in which it is
// painted. Lengths are in mm, and y grows down.
type plate struct {
	width, height float64
	title, text   string // for readers that can't see
	items         []icons.Figure
}

// micrometres rounds a length in mm.
func micrometres(v float64) float64 { return math.Round(v*1000) / 1000 }

// path is an outline.
type path icons.Outline

func (p *path) add(op byte, coords ...float64) {
	p.Ops = append(p.Ops, op)
	for _, v := range coords {
		p.Coords = append(p.Coords, micrometres(v))
	}
}
func (p *path) move(x, y float64) { p.add('m', x, y) }
func (p *path) line(x, y float64) { p.add('l', x, y) }
func (p *path) close()            { p.add('h') }
func (p *path) curve(ax, ay, bx, by, x, y float64) {
	p.add('c', ax, ay, bx, by, x, y)
}

func (p *path) rect(x, y, w, h float64) {
	p.move(x, y)
	p.line(x+w, y)
	p.line(x+w, y+h)
	p.line(x, y+h)
	p.close()
}

// round adds a rectangle with round corners.
func (p *path) round(x, y, w, h, r float64) {
	const k = 0.45 // of the radius, from a corner to the control point of an arc
	p.move(x+r, y)
	p.line(x+w-r, y)
	p.curve(x+w-k*r, y, x+w, y+k*r, x+w, y+r)
	p.line(x+w, y+h-r)
	p.curve(x+w, y+h-k*r, x+w-k*r, y+h, x+w-r, y+h)
	p.line(x+r, y+h)
	p.curve(x+k*r, y+h, x, y+h-k*r, x, y+h-r)
	p.line(x, y+r)
	p.curve(x, y+k*r, x+k*r, y, x+r, y)
	p.close()
}

// add adds a figure, and begins its path.
func (p *plate) add(f icons.Figure) *path {
	f.Path = new(icons.Outline)
	p.items = append(p.items, f)
	return (*path)(f.Path)
}

// fill begins a black path.
func (p *plate) fill() *path {
	return p.add(icons.Figure{Fill: &icons.Paint{Opacity: 1}, Opacity: 1})
}

// place adds a drawing, as large as fits into a square.
func (p *plate) place(d *icons.Drawing, x, y, side float64) {
	scale := side / max(d.Width, d.Height)
	x += (side-scale*d.Width)/2 - scale*d.X
	y += (side-scale*d.Height)/2 - scale*d.Y
	box := path{}
	box.rect(d.X, d.Y, d.Width, d.Height)
	p.items = append(p.items, icons.Figure{Matrix: []float64{scale, 0, 0, scale, x, y}, Clip: (*icons.Outline)(&box), Opacity: 1, Children: d.Figures})
}

// coordsOf is how many coordinates an operator has.
func coordsOf(op byte) int { return map[byte]int{'m': 2, 'l': 2, 'c': 6}[op] }

// svg returns the drawing as SVG.
func (p *plate) svg() []byte {
	var b bytes.Buffer
	c := canvas{SVG: svg.New(&b)}
	width, height := number(micrometres(p.width)), number(micrometres(p.height))
	c.Startraw(`width="`+width+`mm"`, `height="`+height+`mm"`, `viewBox="0 0 `+width+" "+height+`"`, `role="img"`)
	c.Title(p.title)
	c.Desc(p.text)
	c.Path("M0 0H"+width+"V"+height+"H0Z", `fill="#FFFFFF"`)
	for i := range p.items {
		c.figure(&p.items[i])
	}
	c.End()
	return b.Bytes()
}

// canvas writes figures as SVG.
type canvas struct {
	*svg.SVG
	clips int // so far
}

func (c *canvas) figure(f *icons.Figure) {
	var attributes []string
	if f.Clip != nil {
		c.clips++
		id := "c" + strconv.Itoa(c.clips)
		c.ClipPath(`id="` + id + `"`)
		c.Path(svgPath(f.Clip), `clip-rule="`+rule(f.Clip)+`"`)
		c.ClipEnd()
		attributes = append(attributes, `clip-path="url(#`+id+`)"`)
	}
	if f.Matrix != nil {
		attributes = append(attributes, matrixOf(f.Matrix))
	}
	if f.Opacity < 1 {
		attributes = append(attributes, `opacity="`+number(f.Opacity)+`"`)
	}
	if f.Path == nil {
		c.Group(attributes...)
		for i := range f.Children {
			c.figure(&f.Children[i])
		}
		c.Gend()
		return
	}
	attributes = append(attributes, paintOf("fill", f.Fill)...)
	if f.Path.EvenOdd {
		attributes = append(attributes, `fill-rule="evenodd"`)
	}
	if f.Stroke != nil {
		attributes = append(attributes, paintOf("stroke", f.Stroke)...)
		attributes = append(attributes, penOf(&f.Pen)...)
		if f.StrokeFirst {
			attributes = append(attributes, `paint-order="stroke"`)
		}
	}
	c.Path(svgPath(f.Path), attributes...)
}

// paintOf returns the attributes of a paint.
func paintOf(name string, p *icons.Paint) []string {
	if p == nil {
		return []string{name + `="none"`}
	}
	list := []string{name + `="` + p.Color.String() + `"`}
	if p.Opacity < 1 {
		list = append(list, name+`-opacity="`+number(p.Opacity)+`"`)
	}
	return list
}

// penOf returns the attributes of a stroke that are not the default.
func penOf(p *icons.Pen) (list []string) {
	add := func(name, value, initial string) {
		if value != initial {
			list = append(list, "stroke-"+name+`="`+value+`"`)
		}
	}
	add("width", fine(p.Width), "1")
	add("linecap", []string{"butt", "round", "square"}[p.Cap], "butt")
	add("linejoin", []string{"miter", "round", "bevel"}[p.Join], "miter")
	add("miterlimit", fine(p.MiterLimit), "4")
	add("dasharray", fine(p.Dashes...), "")
	add("dashoffset", fine(p.Offset), "0")
	return list
}

func rule(p *icons.Outline) string {
	if p.EvenOdd {
		return "evenodd"
	}
	return "nonzero"
}

// matrixOf is the attribute of a transformation.
func matrixOf(m []float64) string { return `transform="matrix(` + fine(m...) + `)"` }

// svgPath is path data.
func svgPath(p *icons.Outline) string {
	var b []byte
	rest := p.Coords
	for _, op := range p.Ops {
		b = append(b, map[byte]byte{'m': 'M', 'l': 'L', 'c': 'C', 'h': 'Z'}[op])
		n := coordsOf(op)
		for j, v := range rest[:n] {
			if j > 0 {
				b = append(b, ' ')
			}
			b = append(b, number(v)...)
		}
		rest = rest[n:]
	}
	return string(b)
}

// number writes a coordinate. Those of a logo may be small and then scaled.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// fine writes numbers that others are multiplied with.
func fine(list ...float64) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = strconv.FormatFloat(math.Round(v*1e8)/1e8, 'f', -1, 64)
	}
	return strings.Join(texts, " ")
}

// pdf is a PDF file while it is written. Offsets of reserved objects are 0.
type pdf struct {
	bytes.Buffer
	offsets []int // of objects, the first of which has the number 1
}

// reserve returns the number of an object that is written later.
func (f *pdf) reserve() int {
	f.offsets = append(f.offsets, 0)
	return len(f.offsets)
}

// write adds the object with a number.
func (f *pdf) write(number int, format string, args ...any) int {
	f.offsets[number-1] = f.Len()
	fmt.Fprintf(&f.Buffer, "%d 0 obj\n", number)
	fmt.Fprintf(&f.Buffer, format, args...)
	f.WriteString("\nendobj\n")
	return number
}

// object adds an object and returns its number.
func (f *pdf) object(format string, args ...any) int { return f.write(f.reserve(), format, args...) }

// stream adds an object with content, which is compressed unless it is already.
func (f *pdf) stream(dictionary string, content []byte, compressed bool) int {
	if !compressed {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = w.Write(content) // into memory
		_ = w.Close()
		content, dictionary = b.Bytes(), dictionary+"/Filter/FlateDecode"
	}
	return f.object("<<%s/Length %d>>\nstream\n%s\nendstream", dictionary, len(content), content)
}

// writePDF writes plates as the pages of a PDF file. It has no date, so that equal signs are
// equal files.
func writePDF(plates []*plate, locale string) ([]byte, error) {
	f := new(pdf)
	f.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	var states strings.Builder
	for i := range 101 {
		fmt.Fprintf(&states, "/o%d<</ca %[2]g/CA %[2]g>>", i, float64(i)/100)
	}
	opacities := f.object("<<%s>>", states.String())
	parent := f.reserve() // of the pages
	var kids strings.Builder
	for _, p := range plates {
		s := sketch{pdf: f, states: opacities}
		fmt.Fprintf(&s.content, "%s cm\n", fine(1/points, 0, 0, -1/points, 0, p.height/points))
		for i := range p.items {
			s.figure(&p.items[i])
		}
		page := f.stream("", s.content.Bytes(), false)
		fmt.Fprintf(&kids, "%d 0 R ", f.object("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R%s>>",
			parent, number(p.width/points), number(p.height/points), page, s.resources()))
	}
	f.write(parent, "<</Type/Pages/Count %d/Kids[%s]>>", len(plates), kids.String())
	catalog := f.object("<</Type/Catalog/Pages %d 0 R/Lang%s/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None>>>>", parent, pdfText(locale))
	info := f.object("<</Title%s>>", pdfText(plates[0].title))
	start := f.Len()
	fmt.Fprintf(&f.Buffer, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, at := range f.offsets {
		fmt.Fprintf(&f.Buffer, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&f.Buffer, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, catalog, info, start)
	return f.Bytes(), nil
}

// pdfText is a text in UTF-16, as PDF files have it.
func pdfText(s string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, "%04X%04X", 0xd800+r>>10, 0xdc00+r&0x3ff)
			continue
		}
		fmt.Fprintf(&b, "%04X", r)
	}
	return b.String() + ">"
}

// sketch is the content of a page or a group of a PDF file, and the objects that it refers to.
type sketch struct {
	*pdf
	content bytes.Buffer
	objects strings.Builder // their names
	states  int             // the object of the opacities
}

// resources names what the content uses.
func (s *sketch) resources() string {
	return fmt.Sprintf("/Resources<</ExtGState %d 0 R/XObject<<%s>>>>", s.states, s.objects.String())
}

// use draws an object.
func (s *sketch) use(object int) {
	fmt.Fprintf(&s.objects, "/x%d %[1]d 0 R", object)
	fmt.Fprintf(&s.content, "/x%d Do\n", object)
}

// figure draws a figure.
func (s *sketch) figure(f *icons.Figure) {
	s.content.WriteString("q\n")
	defer s.content.WriteString("Q\n")
	if f.Matrix != nil {
		s.content.WriteString(fine(f.Matrix...) + " cm\n")
	}
	if f.Clip != nil {
		s.path(f.Clip)
		if len(f.Clip.Ops) == 0 {
			s.content.WriteString("0 0 0 0 re ")
		}
		s.content.WriteString(starred("W", f.Clip) + " n\n")
	}
	if f.Opacity < 1 { // of all together
		layer := sketch{pdf: s.pdf, states: s.states}
		layer.paint(f)
		s.opacity(f.Opacity)
		s.use(s.stream("/Type/XObject/Subtype/Form/BBox[-1000000 -1000000 1000000 1000000]/Group<</S/Transparency>>"+layer.resources(), layer.content.Bytes(), false))
		return
	}
	s.paint(f)
}

// paint draws the parts or the path of a figure.
func (s *sketch) paint(f *icons.Figure) {
	for i := range f.Children {
		s.figure(&f.Children[i])
	}
	if f.Path == nil {
		return
	}
	steps := []func(){func() {
		if f.Fill != nil {
			s.color(f.Fill, "rg")
			s.path(f.Path)
			s.content.WriteString(starred("f", f.Path) + "\n")
		}
	}, func() {
		if f.Stroke != nil {
			s.color(f.Stroke, "RG")
			fmt.Fprintf(&s.content, "%s w %d J %d j %s M [%s] %s d\n", fine(f.Pen.Width), f.Pen.Cap, f.Pen.Join, fine(f.Pen.MiterLimit), fine(f.Pen.Dashes...), fine(phase(&f.Pen)))
			s.path(f.Path)
			s.content.WriteString("S\n")
		}
	}}
	if f.StrokeFirst {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		step()
	}
}

// phase is where dashes begin, which is not negative.
func phase(p *icons.Pen) float64 {
	if p.Offset >= 0 {
		return p.Offset
	}
	sum := 0.0
	for _, v := range p.Dashes {
		sum += 2 * v // an odd number of them is repeated
	}
	return sum + math.Mod(p.Offset, sum)
}

// starred is the operator for the rule of a path.
func starred(operator string, p *icons.Outline) string {
	if p.EvenOdd {
		return operator + "*"
	}
	return operator
}

// opacity chooses one of the states.
func (s *sketch) opacity(v float64) { fmt.Fprintf(&s.content, "/o%d gs ", int(math.Round(100*v))) }

func (s *sketch) color(p *icons.Paint, operator string) {
	s.opacity(p.Opacity)
	fmt.Fprintf(&s.content, "%.3f %.3f %.3f %s\n", float64(p.Color.R)/255, float64(p.Color.G)/255, float64(p.Color.B)/255, operator)
}

func (s *sketch) path(p *icons.Outline) {
	rest := p.Coords
	for _, op := range p.Ops {
		n := coordsOf(op)
		for _, v := range rest[:n] {
			s.content.WriteString(number(v) + " ")
		}
		rest = rest[n:]
		s.content.WriteString(string(op) + "\n")
	}
}

// gray takes the colours out of figures.
func gray(list []icons.Figure) {
	for i := range list {
		for _, p := range []*icons.Paint{list[i].Fill, list[i].Stroke} {
			if p != nil {
				v := luma(p.Color.R, p.Color.G, p.Color.B)
				p.Color = icons.Color{R: v, G: v, B: v}
			}
		}
		gray(list[i].Children)
	}
}

// luma is how light a colour is.
func luma(r, g, b uint8) uint8 {
	return uint8(math.Round(0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)))
}
