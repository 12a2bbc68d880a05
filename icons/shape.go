package icons

import "github.com/datachain-go/datachain/taxonomy"

// Shape returns the SVG of a bare shape in the default look, 36 by 36, and reports
// whether the shape exists. [taxonomy.Shapes] lists the shapes. The bytes belong to the
// caller.
func Shape(s taxonomy.Shape) ([]byte, bool) {
	svg, err := Compose(s, nil, DefaultLook(), nil)
	return svg, err == nil
}

// outline is a shape without its colours: the fill goes after start, then come
// outlineStroke, the ink and end.
type outline struct{ start, end string }

const (
	outlineStroke = `" stroke="`
	smoothEnd     = `" stroke-width="1.5" stroke-dasharray="none"/>`
	cornersEnd    = `" stroke-width="1.5" stroke-dasharray="none" stroke-linejoin="round"/>`
)

// outlines are regular shapes, as large as the grid allows with the whole stroke inside
// it. The hexagon has a corner at the top.
var outlines = map[taxonomy.Shape]outline{
	taxonomy.Circle:        {`<circle cx="18" cy="18" r="17.25" fill="`, smoothEnd},
	taxonomy.Hexagon:       {`<polygon points="18,0.8 32.9,9.4 32.9,26.6 18,35.2 3.1,26.6 3.1,9.4" fill="`, cornersEnd},
	taxonomy.Octagon:       {`<polygon points="10.85,0.75 25.15,0.75 35.25,10.85 35.25,25.15 25.15,35.25 10.85,35.25 0.75,25.15 0.75,10.85" fill="`, cornersEnd},
	taxonomy.RoundedSquare: {`<rect x="0.75" y="0.75" width="34.5" height="34.5" rx="7" ry="7" fill="`, smoothEnd},
}
