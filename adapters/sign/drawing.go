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

// drawing is a list of figures in the order in which they are painted, to be written as SVG or PDF.
// Lengths are in mm, and y grows down.
type drawing struct {
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
func (d *drawing) add(f icons.Figure) *path {
	f.Path = new(icons.Outline)
	d.items = append(d.items, f)
	return (*path)(f.Path)
}

// fill begins a black path.
func (d *drawing) fill() *path {
	return d.add(icons.Figure{Fill: &icons.Paint{Opacity: 1}, Opacity: 1})
}

// place adds an image, scaled to fit into a square.
func (d *drawing) place(image *icons.Drawing, x, y, side float64) {
	scale := side / max(image.Width, image.Height)
	x += (side-scale*image.Width)/2 - scale*image.X
	y += (side-scale*image.Height)/2 - scale*image.Y
	box := path{}
	box.rect(image.X, image.Y, image.Width, image.Height)
	d.items = append(d.items, icons.Figure{Matrix: []float64{scale, 0, 0, scale, x, y}, Clip: (*icons.Outline)(&box), Opacity: 1, Children: image.Figures})
}

// coordsOf returns the number of coordinates of an operator.
func coordsOf(op byte) int { return map[byte]int{'m': 2, 'l': 2, 'c': 6}[op] }

// svg returns the drawing as SVG.
func (d *drawing) svg() []byte {
	var b bytes.Buffer
	c := canvas{SVG: svg.New(&b)}
	width, height := number(micrometres(d.width)), number(micrometres(d.height))
	c.Startraw(`width="`+width+`mm"`, `height="`+height+`mm"`, `viewBox="0 0 `+width+" "+height+`"`, `role="img"`)
	c.Title(d.title)
	c.Desc(d.text)
	c.Path("M0 0H"+width+"V"+height+"H0Z", `fill="#FFFFFF"`)
	for i := range d.items {
		c.figure(&d.items[i])
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
	attributes = append(attributes, paintAttributes("fill", f.Fill)...)
	if f.Path.EvenOdd {
		attributes = append(attributes, `fill-rule="evenodd"`)
	}
	if f.Stroke != nil {
		attributes = append(attributes, paintAttributes("stroke", f.Stroke)...)
		attributes = append(attributes, strokeAttributes(&f.Pen)...)
		if f.StrokeFirst {
			attributes = append(attributes, `paint-order="stroke"`)
		}
	}
	c.Path(svgPath(f.Path), attributes...)
}

// paintAttributes returns the attributes of a paint.
func paintAttributes(name string, p *icons.Paint) []string {
	if p == nil {
		return []string{name + `="none"`}
	}
	list := []string{name + `="` + p.Color.String() + `"`}
	if p.Opacity < 1 {
		list = append(list, name+`-opacity="`+number(p.Opacity)+`"`)
	}
	return list
}

// strokeAttributes returns the attributes of a stroke that are not the default.
func strokeAttributes(p *icons.Pen) (list []string) {
	add := func(name, value, initial string) {
		if value != initial {
			list = append(list, "stroke-"+name+`="`+value+`"`)
		}
	}
	add("width", factors(p.Width), "1")
	add("linecap", []string{"butt", "round", "square"}[p.Cap], "butt")
	add("linejoin", []string{"miter", "round", "bevel"}[p.Join], "miter")
	add("miterlimit", factors(p.MiterLimit), "4")
	add("dasharray", factors(p.Dashes...), "")
	add("dashoffset", factors(p.Offset), "0")
	return list
}

func rule(p *icons.Outline) string {
	if p.EvenOdd {
		return "evenodd"
	}
	return "nonzero"
}

// matrixOf returns the attribute of a transformation.
func matrixOf(m []float64) string { return `transform="matrix(` + factors(m...) + `)"` }

// svgPath returns an outline as path data.
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

// number formats a coordinate. Six decimals are kept, because a logo may be tiny and scaled up.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// factors formats numbers that coordinates are multiplied by, which need more decimals.
func factors(list ...float64) string {
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

// writePDF writes drawings as the pages of a PDF file. It has no date, so that equal signs are
// equal files.
func writePDF(drawings []*drawing, locale string) ([]byte, error) {
	f := new(pdf)
	f.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	var states strings.Builder
	for i := range 101 {
		fmt.Fprintf(&states, "/o%d<</ca %[2]g/CA %[2]g>>", i, float64(i)/100)
	}
	opacities := f.object("<<%s>>", states.String())
	parent := f.reserve() // of the pages
	var kids strings.Builder
	for _, d := range drawings {
		s := pdfContent{pdf: f, states: opacities}
		fmt.Fprintf(&s.content, "%s cm\n", factors(1/points, 0, 0, -1/points, 0, d.height/points))
		for i := range d.items {
			s.figure(&d.items[i])
		}
		page := f.stream("", s.content.Bytes(), false)
		fmt.Fprintf(&kids, "%d 0 R ", f.object("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R%s>>",
			parent, number(d.width/points), number(d.height/points), page, s.resources()))
	}
	f.write(parent, "<</Type/Pages/Count %d/Kids[%s]>>", len(drawings), kids.String())
	catalog := f.object("<</Type/Catalog/Pages %d 0 R/Lang%s/ViewerPreferences<</DisplayDocTitle true/PrintScaling/None>>>>", parent, pdfText(locale))
	info := f.object("<</Title%s>>", pdfText(drawings[0].title))
	start := f.Len()
	fmt.Fprintf(&f.Buffer, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, at := range f.offsets {
		fmt.Fprintf(&f.Buffer, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&f.Buffer, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, catalog, info, start)
	return f.Bytes(), nil
}

// pdfText returns a text as a PDF string in UTF-16.
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

// pdfContent is the content of a page or a group of a PDF file, and the objects that it refers to.
type pdfContent struct {
	*pdf
	content bytes.Buffer
	objects strings.Builder // their names and numbers
	states  int             // the object of the opacities
}

// resources returns the dictionary of the objects that the content uses.
func (s *pdfContent) resources() string {
	return fmt.Sprintf("/Resources<</ExtGState %d 0 R/XObject<<%s>>>>", s.states, s.objects.String())
}

// use draws another object.
func (s *pdfContent) use(object int) {
	fmt.Fprintf(&s.objects, "/x%d %[1]d 0 R", object)
	fmt.Fprintf(&s.content, "/x%d Do\n", object)
}

// figure draws a figure.
func (s *pdfContent) figure(f *icons.Figure) {
	s.content.WriteString("q\n")
	defer s.content.WriteString("Q\n")
	if f.Matrix != nil {
		s.content.WriteString(factors(f.Matrix...) + " cm\n")
	}
	if f.Clip != nil {
		s.path(f.Clip)
		if len(f.Clip.Ops) == 0 {
			s.content.WriteString("0 0 0 0 re ")
		}
		s.content.WriteString(pdfOperator("W", f.Clip) + " n\n")
	}
	if f.Opacity < 1 { // of all together
		layer := pdfContent{pdf: s.pdf, states: s.states}
		layer.paint(f)
		s.opacity(f.Opacity)
		s.use(s.stream("/Type/XObject/Subtype/Form/BBox[-1000000 -1000000 1000000 1000000]/Group<</S/Transparency>>"+layer.resources(), layer.content.Bytes(), false))
		return
	}
	s.paint(f)
}

// paint draws the parts or the path of a figure.
func (s *pdfContent) paint(f *icons.Figure) {
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
			s.content.WriteString(pdfOperator("f", f.Path) + "\n")
		}
	}, func() {
		if f.Stroke != nil {
			s.color(f.Stroke, "RG")
			fmt.Fprintf(&s.content, "%s w %d J %d j %s M [%s] %s d\n", factors(f.Pen.Width), f.Pen.Cap, f.Pen.Join, factors(f.Pen.MiterLimit), factors(f.Pen.Dashes...), factors(phase(&f.Pen)))
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

// phase returns the offset of dashes, which PDF does not allow to be negative.
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

// pdfOperator returns an operator in the variant for the fill rule of a path.
func pdfOperator(operator string, p *icons.Outline) string {
	if p.EvenOdd {
		return operator + "*"
	}
	return operator
}

// opacity sets the opacity.
func (s *pdfContent) opacity(v float64) { fmt.Fprintf(&s.content, "/o%d gs ", int(math.Round(100*v))) }

func (s *pdfContent) color(p *icons.Paint, operator string) {
	s.opacity(p.Opacity)
	fmt.Fprintf(&s.content, "%.3f %.3f %.3f %s\n", float64(p.Color.R)/255, float64(p.Color.G)/255, float64(p.Color.B)/255, operator)
}

func (s *pdfContent) path(p *icons.Outline) {
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

// gray turns the colours of figures into gray.
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

// luma returns the brightness of a colour.
func luma(r, g, b uint8) uint8 {
	return uint8(math.Round(0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)))
}
