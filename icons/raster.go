package icons

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
)

// raster is the drawing of a symbol on a small grid, to compare symbols by what they look
// like: paths may be written in many ways.
type raster struct {
	cells [rasterSide * rasterSide]uint8 // the inked samples of each cell
	// sum and squares are the sums of the cells and of their squares.
	sum, squares int
}

const (
	rasterSide = 24
	samples    = 4 // of a cell, in each direction
	sampleSide = rasterSide * samples
)

// raster draws the symbol on a grid that its ink fills, so position and size of the drawing
// do not matter. Every paint is ink, except [iconFill] and colours close to white, which
// erase. Clips, masks, dashes and opacity are ignored, and so are the details of a drawing
// that takes too long. A symbol is drawn once.
func (s *Symbol) raster() *raster {
	if s == nil {
		return new(raster)
	}
	if drawn := s.drawn.Load(); drawn != nil {
		return drawn
	}
	d := drawer{}
	if s.text != "" {
		d.draw(s.tree(), newPen())
	}
	page := d.page()
	r := new(raster)
	for i, inked := range page.inked {
		if inked {
			x, y := i%sampleSide, i/sampleSide
			r.cells[y/samples*rasterSide+x/samples]++
		}
	}
	for _, ink := range r.cells {
		r.sum += int(ink)
		r.squares += int(ink) * int(ink)
	}
	s.drawn.Store(r)
	return r
}

// Likeness returns how alike two symbols look: the correlation of their ink, 1 if they are
// equal and 0 if they have no more in common than by chance. It is 0 for a symbol without
// ink. From about 0.75 on, most people see two variants of one drawing.
func (s *Symbol) Likeness(other *Symbol) float64 {
	r, o := s.raster(), other.raster()
	const n = rasterSide * rasterSide
	common := 0
	for i, ink := range r.cells {
		common += int(ink) * int(o.cells[i])
	}
	spread := (n*r.squares - r.sum*r.sum) * (n*o.squares - o.sum*o.sum)
	if spread <= 0 {
		return 0
	}
	return max(0, float64(n*common-r.sum*o.sum)/math.Sqrt(float64(spread)))
}

// tree parses the published text again: symbols do not keep their trees.
func (s *Symbol) tree() *node {
	z := newSanitizer([]byte(s.text))
	z.parse(0)
	z.resolve()
	return z.root
}

// part is a filled or stroked outline on the grid of 36 by 36.
type part struct {
	lines   [][]complex128
	width   float64 // of the stroke; 0 for a fill
	evenOdd bool
	erase   bool
}

// maxSegments limits the work of drawing a hostile symbol.
const maxSegments = 20_000

// drawer collects the parts of a drawing, in the order in which they are painted.
type drawer struct {
	parts    []part
	segments int
}

// pen is the inherited properties of a node.
type pen struct {
	ink
	to      matrix
	width   float64
	miter   float64 // how far corners may reach, in halves of the width
	round   bool    // corners are not mitered
	evenOdd bool
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
	if rule := n.get("fill-rule"); rule != "" {
		p.evenOdd = rule == "evenodd"
	}
	return p
}

// draw adds the parts of a node and its descendants.
func (d *drawer) draw(n *node, p pen) {
	if n == nil || n.get("display") == "none" || n.get("opacity") == "0" || d.segments > maxSegments {
		return
	}
	p = p.on(n)
	switch {
	case n.name == "svg" || n.name == "g":
		for _, c := range n.children {
			d.draw(c, p)
		}
	case n.name == "use":
		d.draw(n.linked(), p)
	case isShape(n.name) && !p.hidden && hasExtent(n):
		d.shape(n, p)
	}
}

// shape adds the fill and the stroke of a shape.
func (d *drawer) shape(n *node, p pen) {
	var lines polylines
	n.trace(&lines)
	for _, line := range lines {
		for i := range line {
			line[i] = p.to.apply(line[i])
		}
		d.segments += len(line)
	}
	if inked, erases := paintKind(p.fill); (inked || erases) && !p.clearFill && n.name != "line" {
		d.parts = append(d.parts, part{lines: lines, evenOdd: p.evenOdd, erase: erases})
	}
	if inked, erases := paintKind(p.stroke); (inked || erases) && !p.clearStroke && p.width > 0 {
		d.parts = append(d.parts, part{lines: lines, width: p.width * p.to.scale(), erase: erases})
	}
}

// paintKind reports whether a paint is ink, or erases what is below it.
func paintKind(a *attr) (inked, erases bool) {
	const faint = 1.3 // contrast with white
	switch {
	case a == nil || a.target == nil && a.text == "none":
		return false, false
	case a.text == iconFill:
		return false, true
	}
	c, ok := ParseColor(a.text)
	erases = ok && c.Contrast(white) < faint
	return !erases, erases
}

// page paints the parts so that the ink fills it.
func (d *drawer) page() *page {
	low, high := complex(math.Inf(1), math.Inf(1)), complex(math.Inf(-1), math.Inf(-1))
	for _, p := range d.parts {
		for _, line := range p.lines {
			for _, at := range line {
				if p.erase {
					continue
				}
				low = complex(min(real(low), real(at)-p.width/2), min(imag(low), imag(at)-p.width/2))
				high = complex(max(real(high), real(at)+p.width/2), max(imag(high), imag(at)+p.width/2))
			}
		}
	}
	b := new(page)
	size := max(real(high-low), imag(high-low))
	if !(size > 0) || math.IsInf(size, 0) {
		return b
	}
	scale := sampleSide / size
	middle := (low + high) / 2
	for _, p := range d.parts {
		lines := make([][]complex128, len(p.lines)) // fill and stroke share the original
		for i, line := range p.lines {
			for _, at := range line {
				lines[i] = append(lines[i], (at-middle)*complex(scale, 0)+complex(sampleSide/2.0, sampleSide/2.0))
			}
		}
		if p.width == 0 {
			b.fill(lines, p.evenOdd, p.erase)
			continue
		}
		for _, line := range lines {
			b.stroke(line, p.width*scale/2, p.erase)
		}
	}
	return b
}

// number returns a numeric attribute, 0 if it is missing.
func (n *node) number(name string) float64 {
	v, _, _ := parseNumber(n.get(name))
	return v
}

// page is a bitmap of samples.
type page struct {
	inked [sampleSide * sampleSide]bool
	drawn int // the samples that strokes have been compared with
}

// maxDrawn limits the work of strokes: a hostile symbol has many wide ones.
const maxDrawn = 5_000_000

// crossing is where an outline crosses a row of samples.
type crossing struct {
	x         float64
	direction int
}

// fill paints the inside of outlines, which are closed implicitly.
func (b *page) fill(lines [][]complex128, evenOdd, erase bool) {
	var crossings []crossing
	for y := range sampleSide {
		at := float64(y) + 0.5
		crossings = crossings[:0]
		for _, line := range lines {
			for i, p := range line {
				q := line[(i+1)%len(line)]
				if (imag(p) <= at) == (imag(q) <= at) {
					continue
				}
				c := crossing{real(p) + (at-imag(p))/(imag(q)-imag(p))*real(q-p), 1}
				if imag(p) > imag(q) {
					c.direction = -1
				}
				crossings = append(crossings, c)
			}
		}
		slices.SortFunc(crossings, func(a, b crossing) int { return cmp.Compare(a.x, b.x) })
		winding := 0
		for i, c := range crossings {
			if winding += c.direction; evenOdd {
				winding = (i + 1) % 2
			}
			if winding != 0 && i+1 < len(crossings) {
				b.row(y, c.x, crossings[i+1].x, erase)
			}
		}
	}
}

// row paints the samples of a row whose centres are in a range.
func (b *page) row(y int, from, to float64, erase bool) {
	begin := int(math.Ceil(min(max(from, 0), sampleSide) - 0.5))
	end := int(math.Ceil(min(max(to, 0), sampleSide) - 0.5))
	for x := max(begin, 0); x < min(end, sampleSide); x++ {
		b.inked[y*sampleSide+x] = !erase
	}
}

// stroke paints the samples within a distance of a line.
func (b *page) stroke(line []complex128, reach float64, erase bool) {
	for i := range line {
		p := line[i]
		q := line[min(i+1, len(line)-1)]
		top, bottom := within(min(imag(p), imag(q))-reach), within(max(imag(p), imag(q))+reach)
		left, right := within(min(real(p), real(q))-reach), within(max(real(p), real(q))+reach)
		if b.drawn += (bottom - top + 1) * (right - left + 1); b.drawn > maxDrawn {
			return
		}
		for y := top; y <= bottom; y++ {
			for x := left; x <= right; x++ {
				if distance(complex(float64(x)+0.5, float64(y)+0.5), p, q) <= reach {
					b.inked[y*sampleSide+x] = !erase
				}
			}
		}
	}
}

// within returns the sample of a coordinate, or the nearest one.
func within(v float64) int { return int(min(max(v, 0), sampleSide-1)) }

// distance returns the distance of a point from the line between two others.
func distance(at, p, q complex128) float64 {
	along := q - p
	length := real(along)*real(along) + imag(along)*imag(along)
	if length == 0 {
		return cmplx.Abs(at - p)
	}
	from := at - p
	share := (real(from)*real(along) + imag(from)*imag(along)) / length
	return cmplx.Abs(from - along*complex(min(max(share, 0), 1), 0))
}
