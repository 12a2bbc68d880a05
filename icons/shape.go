package icons

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	svg "github.com/ajstarks/svgo/float"

	"github.com/datachain-go/datachain/taxonomy"
)

// Shape returns the SVG of a bare shape in the default look, 36 by 36, and
// reports whether there is such a shape. [taxonomy.Shapes] lists them.
func Shape(s taxonomy.Shape) (string, bool) {
	text, err := Compose(s, nil, DefaultLook(), nil)
	return string(text), err == nil
}

// stroke is the width of an outline. Shapes are as large as the grid allows
// with all of the outline inside of it.
const stroke = 1.5

// Where the shapes begin and end, and the middle of the grid.
const (
	near   = stroke / 2
	far    = side - stroke/2
	middle = side / 2.0
)

// iconDrawing is what an icon is made of besides its colours and its symbol, as
// svgo draws it. The colours go between the parts of an outline.
type iconDrawing struct {
	outlines map[taxonomy.Shape]outline
	// The group of the symbol, whose colour goes between the first two.
	group, groupEnd, end string
}

// outline is a shape around the places of its colours: the fill is between the
// first two parts, the ink between the last two.
type outline [3]string

// parts are drawn once, when first needed: svgo is not fast, and composing is
// appending what it drew.
var parts = sync.OnceValue(func() iconDrawing {
	d := iconDrawing{outlines: make(map[taxonomy.Shape]outline, 4)}
	for _, s := range taxonomy.Shapes() {
		d.outlines[s] = drawOutline(s)
	}
	group := draw(func(c *svg.SVG) { c.Group(`color="` + inkMark + `"`) })
	d.group, _, _ = strings.Cut(group, inkMark)
	d.groupEnd = draw((*svg.SVG).Gend)
	d.end = draw((*svg.SVG).End)
	return d
})

// Marks stand for colours until the drawing is cut there.
const (
	fillMark = "{fill}"
	inkMark  = "{ink}"
)

// drawOutline draws a shape: regular polygons, the hexagon on its tip.
func drawOutline(s taxonomy.Shape) outline {
	attrs := []string{
		`fill="` + fillMark + `"`, `stroke="` + inkMark + `"`,
		fmt.Sprintf(`stroke-width="%g"`, stroke), `stroke-dasharray="none"`, `stroke-linejoin="round"`,
	}
	text := draw(func(c *svg.SVG) {
		switch s {
		case taxonomy.Circle:
			c.Circle(middle, middle, middle-near, attrs[:4]...)
		case taxonomy.Hexagon:
			// A radius of 17.2; the corners lie on tenths, all but exactly.
			c.Decimals = 1
			c.Polygon([]float64{18, 32.9, 32.9, 18, 3.1, 3.1}, []float64{0.8, 9.4, 26.6, 35.2, 26.6, 9.4}, attrs...)
		case taxonomy.Octagon:
			const a, b = 10.85, side - 10.85 // the corners of eight equal sides
			c.Polygon([]float64{a, b, far, far, b, a, near, near}, []float64{near, near, a, b, far, far, b, a}, attrs...)
		case taxonomy.RoundedSquare:
			c.Roundrect(near, near, far-near, far-near, 7, 7, attrs[:4]...)
		}
	})
	var o outline
	o[0], text, _ = strings.Cut(text, fillMark)
	o[1], o[2], _ = strings.Cut(text, inkMark)
	return o
}

// draw returns what svgo draws, on one line and without idle zeros. It gets
// nothing but what is written here, since it escapes nothing, and a buffer,
// since it drops errors.
func draw(with func(*svg.SVG)) string {
	var b bytes.Buffer
	with(svg.New(&b))
	return strings.NewReplacer("\n", "", " />", "/>", " >", ">", `.00"`, `"`, `.50"`, `.5"`, ".0,", ",").Replace(b.String())
}
