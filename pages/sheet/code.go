package sheet

import (
	"encoding/hex"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	"rsc.io/qr"

	"github.com/datachain-go/datachain/taxonomy"
)

// QuietZone is the width of the empty border of a code, in modules, which readers need.
const QuietZone = 4

// Code is a QR code as a drawing.
type Code struct {
	Modules int   // of a side, without the border
	Runs    []Run // of black modules
}

// Run is adjacent modules of a row, in modules from the corner of the border.
type Run struct{ X, Y, Width int }

// newCode encodes an address with error correction level Q, so that a code with a quarter
// of it scratched or dirty is still read.
func newCode(address string) (*Code, error) {
	c, err := qr.Encode(address, qr.Q)
	if err != nil {
		return nil, fmt.Errorf("the address has %d characters, which do not fit into a QR code; use a shorter base address: %w", len(address), err)
	}
	drawn := &Code{Modules: c.Size}
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			if !c.Black(x, y) {
				continue
			}
			from := x
			for x+1 < c.Size && c.Black(x+1, y) {
				x++
			}
			drawn.Runs = append(drawn.Runs, Run{from + QuietZone, y + QuietZone, x + 1 - from})
		}
	}
	return drawn, nil
}

// svg draws the code black on white with its border. The width of a module is in mm, ten of which are
// an em; with 0, the code fills its container. The modules of the border given as left and right are
// drawn outside the box of the picture.
func (c *Code) svg(name string, module float64, left, right int) string {
	sides := c.Modules + 2*QuietZone
	side, wide := strconv.Itoa(sides), sides-left-right
	size := ""
	if module > 0 {
		size = `" width="` + strconv.FormatFloat(module*float64(wide)/10, 'f', 3, 64) + `em`
	}
	var path []byte
	add := func(command byte, n int) { path = strconv.AppendInt(append(path, command), int64(n), 10) }
	for _, r := range c.Runs {
		add('M', r.X)
		add(' ', r.Y)
		add('h', r.Width)
		path = append(path, "v1"...)
		add('H', r.X)
		path = append(path, 'z')
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + strconv.Itoa(left) + " 0 " + strconv.Itoa(wide) + " " + side + size +
		`" role="img" shape-rendering="crispEdges"><title>` + html.EscapeString(name) + `</title><path fill="#fff" d="M0 0h` + side + "v" + side +
		`H0z"/><path d="` + string(path) + `"/></svg>`
}

// side returns the side of the code without its border in mm: at least 20, at least 0.5 for each
// module, and at least a tenth of the distance from which it is read, which is in m.
func (c *Code) side(distance float64) float64 {
	return max(20, 0.5*float64(c.Modules), 100*distance)
}

// EditionAddress returns the address of a document's page as codes have it: with the date of the
// edition and the first digits of its hash, which decide what the page says has changed since.
func EditionAddress(address string, date time.Time, edition taxonomy.Hash) string {
	mark := "?"
	if strings.Contains(address, mark) {
		mark = "&"
	}
	return address + mark + "s=" + date.UTC().Format(time.DateOnly) + "-" + hex.EncodeToString(edition[:3])
}

// CodeSVG returns the QR code of an address as SVG, with its border.
func CodeSVG(address string) ([]byte, error) {
	c, err := newCode(address)
	if err != nil {
		return nil, err
	}
	return []byte(c.svg(address, 0, 0, 0)), nil
}
