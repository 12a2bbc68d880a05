package sign

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
)

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
