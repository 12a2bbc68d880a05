//go:build full

package sign

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/icons"
)

// plate is a drawing: what is on it, in the order in which it is painted. Lengths are in mm,
// and y grows down.
type plate struct {
	width, height float64
	title, text   string // for readers that can't see
	items         []item
}

// item is a filled path, an icon or a picture.
type item struct {
	path          *path
	color         string
	icon          []byte  // an SVG of 36 by 36
	picture       []byte  // a PNG or JPEG
	svg           []byte  // any SVG, as a picture
	mono          bool    // of an SVG: without colours
	x, y          float64 // of icons and pictures
	width, height float64
}

// path is an outline: an operator m, l, c or h for each segment, and their points.
type path struct {
	ops    []byte
	coords []float64
}

func (p *path) add(op byte, coords ...float64) {
	p.ops = append(p.ops, op)
	p.coords = append(p.coords, coords...)
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

// fill begins a filled path. "" is black.
func (p *plate) fill(color string) *path {
	if color == "" {
		color = "#000000"
	}
	drawn := new(path)
	p.items = append(p.items, item{path: drawn, color: color})
	return drawn
}

// operators of paths in SVG, by those of PDF.
var svgOperators = map[byte]byte{'m': 'M', 'l': 'L', 'c': 'C', 'h': 'Z'}

// svg returns the drawing as SVG, scaled to a unit of length, mm or px.
func (p *plate) svg(scale float64, unit string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s%s" height="%s%[2]s" viewBox="0 0 %[4]s %[5]s" role="img"><title>%[6]s</title><desc>%[7]s</desc><rect width="100%%" height="100%%" fill="#FFFFFF"/>`,
		number(scale*p.width), unit, number(scale*p.height), number(p.width), number(p.height), html.EscapeString(p.title), html.EscapeString(p.text))
	for i := range p.items {
		it := &p.items[i]
		box := fmt.Sprintf("x=%q y=%q width=%q height=%q", number(it.x), number(it.y), number(it.width), number(it.height))
		switch {
		case it.path != nil && len(it.path.ops) > 0:
			fmt.Fprintf(&b, `<path fill="%s" d="`, it.color)
			rest := it.path.coords
			for _, op := range it.path.ops {
				b.WriteByte(svgOperators[op])
				n := map[byte]int{'m': 2, 'l': 2, 'c': 6}[op]
				for j, v := range rest[:n] {
					if j > 0 {
						b.WriteByte(' ')
					}
					b.WriteString(number(v))
				}
				rest = rest[n:]
			}
			b.WriteString(`"/>`)
		case it.icon != nil:
			_, inner, _ := bytes.Cut(it.icon, []byte(">"))
			fmt.Fprintf(&b, `<svg %s viewBox="0 0 36 36">%s`, box, inner)
		case it.svg != nil:
			if it.mono {
				box += ` filter="grayscale(1)"`
			}
			fmt.Fprintf(&b, `<image %s href="%s"/>`, box, dataURI(it.svg))
		case it.picture != nil:
			fmt.Fprintf(&b, `<image %s href="%s"/>`, box, dataURI(it.picture))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// number writes a length, to the micrometre.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
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
		content, pictures, err := p.operators(f)
		if err != nil {
			return nil, err
		}
		page := f.stream("", content, false)
		fmt.Fprintf(&kids, "%d 0 R ", f.object("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R/Resources<</ExtGState %d 0 R/XObject<<%s>>>>>>",
			parent, number(p.width/points), number(p.height/points), page, opacities, pictures))
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

// operators returns the content of a page, and the names of its pictures, which are added to
// the file.
func (p *plate) operators(f *pdf) (content []byte, pictures string, err error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s 0 0 -%[1]s 0 %s cm\n", strconv.FormatFloat(1/points, 'f', 6, 64), number(p.height/points))
	for i := range p.items {
		it := &p.items[i]
		switch {
		case it.path != nil && len(it.path.ops) > 0:
			c, _ := icons.ParseColor(it.color)
			fmt.Fprintf(&b, "/o100 gs %.3f %.3f %.3f rg\n", float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
			rest := it.path.coords
			for _, op := range it.path.ops {
				n := map[byte]int{'m': 2, 'l': 2, 'c': 6}[op]
				for _, v := range rest[:n] {
					b.WriteString(number(v))
					b.WriteByte(' ')
				}
				rest = rest[n:]
				b.WriteByte(op)
				b.WriteByte('\n')
			}
			b.WriteString("f\n")
		case it.icon != nil:
			drawn, err := icons.AppendPDF(nil, it.icon)
			if err != nil {
				return nil, "", err
			}
			fmt.Fprintf(&b, "q %s 0 0 %s %s %s cm\n%sQ\n", number(it.width/36), number(it.height/36), number(it.x), number(it.y), drawn)
		case it.picture != nil:
			object, wide, high, err := f.image(it.picture)
			if err != nil {
				return nil, "", err
			}
			name := "/p" + strconv.Itoa(i)
			pictures += fmt.Sprintf("%s %d 0 R", name, object)
			scale := min(it.width/float64(wide), it.height/float64(high))
			w, h := scale*float64(wide), scale*float64(high)
			fmt.Fprintf(&b, "q %s 0 0 -%s %s %s cm %s Do Q\n", number(w), number(h), number(it.x+(it.width-w)/2), number(it.y+(it.height+h)/2), name)
		}
	}
	return b.Bytes(), pictures, nil
}

// image adds a PNG or JPEG picture to a file.
func (f *pdf) image(picture []byte) (object, width, height int, err error) {
	if !isPNG(picture) {
		c, err := jpeg.DecodeConfig(bytes.NewReader(picture))
		if err != nil {
			return 0, 0, 0, fmt.Errorf("the logo: %w", err)
		}
		space := "RGB"
		switch c.ColorModel {
		case color.GrayModel:
			space = "Gray"
		case color.CMYKModel:
			return 0, 0, 0, errors.New("the logo is a JPEG file in CMYK colours; save it in RGB")
		}
		return f.stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/Device%s/Filter/DCTDecode", c.Width, c.Height, space),
			picture, true), c.Width, c.Height, nil
	}
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return 0, 0, 0, fmt.Errorf("the logo: %w", err)
	}
	size := decoded.Bounds().Size()
	var colors, mask []byte
	for y := range size.Y {
		for x := range size.X {
			at := decoded.Bounds().Min.Add(image.Pt(x, y))
			c, _ := color.NRGBAModel.Convert(decoded.At(at.X, at.Y)).(color.NRGBA)
			colors, mask = append(colors, c.R, c.G, c.B), append(mask, c.A)
		}
	}
	dictionary := fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8", size.X, size.Y)
	alpha := f.stream(dictionary+"/ColorSpace/DeviceGray", mask, false)
	return f.stream(fmt.Sprintf("%s/ColorSpace/DeviceRGB/SMask %d 0 R", dictionary, alpha), colors, false), size.X, size.Y, nil
}

// colorsOf finds the colours of an icon.
var colorsOf = regexp.MustCompile(`#[0-9A-F]{6}\b`)

// gray returns an icon without colours.
func gray(icon []byte) []byte {
	return colorsOf.ReplaceAllFunc(icon, func(text []byte) []byte {
		c, _ := icons.ParseColor(string(text))
		return fmt.Appendf(nil, "#%02X%02[1]X%02[1]X", luma(c.R, c.G, c.B))
	})
}

// luma is how light a colour is.
func luma(r, g, b uint8) uint8 {
	return uint8(math.Round(0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)))
}

// grayPicture returns a PNG or JPEG picture without colours, as PNG.
func grayPicture(picture []byte) ([]byte, error) {
	decode := jpeg.Decode
	if isPNG(picture) {
		decode = png.Decode
	}
	decoded, err := decode(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("the logo: %w", err)
	}
	drawn := image.NewNRGBA(decoded.Bounds())
	for y := drawn.Rect.Min.Y; y < drawn.Rect.Max.Y; y++ {
		for x := drawn.Rect.Min.X; x < drawn.Rect.Max.X; x++ {
			c, _ := color.NRGBAModel.Convert(decoded.At(x, y)).(color.NRGBA)
			light := luma(c.R, c.G, c.B)
			drawn.SetNRGBA(x, y, color.NRGBA{light, light, light, c.A})
		}
	}
	var b bytes.Buffer
	err = png.Encode(&b, drawn)
	return b.Bytes(), err
}
