package sign

import (
	"fmt"
	"html"
	"strconv"

	"rsc.io/qr"
)

// quiet is the width of the empty border of a code, in modules, which readers need.
const quiet = 4

// code is a QR code as a drawing.
type code struct {
	modules int   // of a side, without the border
	runs    []run // of black modules
}

// run is adjacent modules of a row, in modules from the corner of the border.
type run struct{ x, y, width int }

// newCode encodes an address with error correction level Q, so that a code with a quarter
// of it scratched or dirty is still read.
func newCode(address string) (*code, error) {
	c, err := qr.Encode(address, qr.Q)
	if err != nil {
		return nil, fmt.Errorf("the address has %d characters, which do not fit into a QR code; use a shorter base address: %w", len(address), err)
	}
	drawn := &code{modules: c.Size}
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			if !c.Black(x, y) {
				continue
			}
			from := x
			for x+1 < c.Size && c.Black(x+1, y) {
				x++
			}
			drawn.runs = append(drawn.runs, run{from + quiet, y + quiet, x + 1 - from})
		}
	}
	return drawn, nil
}

// svg draws the code black on white, with its border, which is part of its width in mm. Zero
// fills what contains it.
func (c *code) svg(name string, width float64) string {
	side := strconv.Itoa(c.modules + 2*quiet)
	size := ""
	if width > 0 {
		size = `" width="` + strconv.FormatFloat(width, 'f', 2, 64) + `mm`
	}
	var path []byte
	for _, r := range c.runs {
		path = fmt.Appendf(path, "M%d %dh%dv1H%[1]dz", r.x, r.y, r.width)
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + side + " " + side + size +
		`" role="img" shape-rendering="crispEdges"><title>` + html.EscapeString(name) + `</title><path fill="#fff" d="M0 0h` + side + "v" + side +
		`H0z"/><path d="` + string(path) + `"/></svg>`
}

// side is the side of the code without its border in mm: at least 20, 0.5 for each module,
// and a tenth of the distance in m from which it is read.
func (c *code) side(distance float64) float64 {
	return max(20, 0.5*float64(c.modules), 100*distance)
}

// Code returns the QR code of an address as SVG, with its border.
func Code(address string) ([]byte, error) {
	c, err := newCode(address)
	if err != nil {
		return nil, err
	}
	return []byte(c.svg(address, 0)), nil
}
