package icons

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
)

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
