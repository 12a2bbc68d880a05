package sign

import (
	"math"
	"strconv"
	"strings"

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
