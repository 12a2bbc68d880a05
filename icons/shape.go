package icons

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	svg "github.com/ajstarks/svgo/float"

	"github.com/datachain-go/datachain/taxonomy"
)

// Shape returns the SVG of a bare shape in the default colours, 36 by 36, and reports
// whether the shape exists. [taxonomy.Shapes] lists the shapes. The bytes belong to the
// caller.
func Shape(s taxonomy.Shape) ([]byte, bool) {
	text, err := Append(nil, s, nil, DefaultColors(), nil)
	return text, err == nil
}

// drawShape draws a regular shape, as large as the grid allows with the whole stroke
// inside it. The hexagon has a corner at the top.
func drawShape(canvas *svg.SVG, s taxonomy.Shape, attributes ...string) {
	corners := append(slices.Clip(attributes), `stroke-linejoin="round"`)
	switch s {
	case taxonomy.Circle:
		canvas.Circle(18, 18, 17.25, attributes...)
	case taxonomy.Hexagon:
		canvas.Polygon([]float64{18, 32.9, 32.9, 18, 3.1, 3.1}, []float64{0.8, 9.4, 26.6, 35.2, 26.6, 9.4}, corners...)
	case taxonomy.Octagon:
		canvas.Polygon([]float64{10.85, 25.15, 35.25, 35.25, 25.15, 10.85, 0.75, 0.75}, []float64{0.75, 0.75, 10.85, 25.15, 35.25, 35.25, 25.15, 10.85}, corners...)
	case taxonomy.RoundedSquare:
		canvas.Roundrect(0.75, 0.75, 34.5, 34.5, 7, 7, attributes...)
	}
}

// outline is the element of a shape, cut where its colours go: the fill is after the
// first part, the ink after the second.
type outline [3]string

// outlines has all shapes. They are drawn once, because drawing one takes longer than
// composing an icon.
var outlines = sync.OnceValue(func() map[taxonomy.Shape]outline {
	all := map[taxonomy.Shape]outline{}
	for _, s := range taxonomy.Shapes() {
		var b bytes.Buffer
		drawShape(svg.New(&b), s, `fill="?"`, `stroke="?"`, `stroke-width="1.5"`, `stroke-dasharray="none"`)
		text := strings.TrimSuffix(b.String(), " />\n") + "/>"
		all[s] = outline(strings.Split(trailingZeros.ReplaceAllString(text, "$1"), "?"))
	}
	return all
})

// trailingZeros are those of numbers with two decimals, which svgo writes.
var trailingZeros = regexp.MustCompile(`\.00|(\.\d)0`)
