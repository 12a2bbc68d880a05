// Package sign makes what hangs beside a system: a sheet of paper that says what the system
// is for, what data it uses at most and who answers for it, with a code that leads to the
// page of its document.
//
//	html, err := sign.Append(nil, &sign.Options{Size: sign.A5}, &sign.Subject{
//		Presentation: presentation, Summary: presentation.Summary(nil),
//		Address: "https://register.example.org/d/crossing/", Date: published, Edition: hash,
//	})
//
// A sign shows the summary of a document and nothing else. It is an HTML page that browsers
// print at its exact size, in one or two languages, and it loads nothing. Text is never made
// smaller than can be read from the distance that belongs to the size: if a text is too long
// for its place, the error is a [*FitError] that names the field.
//
// A [Drawer] draws signs as SVG and PDF files, with text as outlines and with the fonts in the
// directory fonts.
//
// The package also draws contact sheets, one page with every icon of a release: [SheetHTML]
// writes a web page, [SheetSVG] a single image.
package sign

import (
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	"rsc.io/qr"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Subject is the document that a sign is about.
type Subject struct {
	Presentation *datachain.Presentation
	Summary      *datachain.Summary
	// Address is the URL of the document's page. The code adds the edition to it, so that
	// the page can say what changed since.
	Address string
	// Date is when the edition was published, and Edition its hash.
	Date    time.Time
	Edition taxonomy.Hash
	// Publisher is named if the document does not say who answers for the system.
	Publisher taxonomy.Localized
	// Logo is the publisher's logo, an SVG file, or nil. It is shown as a
	// picture, which runs no scripts and loads nothing.
	Logo []byte
}

// Kind is a form of a sign.
type Kind string

// The kinds.
const (
	Sign   Kind = "sign"   // a sheet to hang beside the system
	Label  Kind = "label"  // one line with icons, for forms and the foot of web pages
	Notice Kind = "notice" // a sheet with all points of the summary
	Card   Kind = "card"   // a box to embed in web pages
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Sign, Label, Notice, Card} }

// Size is a size of paper, in portrait format.
type Size string

// The sizes.
const (
	A6     Size = "A6"
	A5     Size = "A5"
	A4     Size = "A4"
	A3     Size = "A3"
	Letter Size = "Letter"
)

// Sizes returns all sizes, the smallest first.
func Sizes() []Size { return []Size{A6, A5, A4, Letter, A3} }

// Options configures a sign. A nil *Options is a sign on A5.
type Options struct {
	Kind Kind // default [Sign]
	Size Size // default [A5]; labels and cards have none
	// Locales are one or two languages, by default the first of the document's title.
	Locales []string
	// Mono makes a sign for printers without colour.
	Mono bool
	// CutMarks adds the corners at which to cut a sheet that is larger than the sign.
	CutMarks bool
}

// FitError is an error about texts that are too long for their place.
type FitError struct {
	Kind      Kind
	Size      Size
	Languages int
	Texts     []LongText
}

// LongText is a text that does not fit.
type LongText struct {
	Field  string // purpose, data, accountable, …: the role of a point, or address
	Locale string
	// Length and Limit are in letters of usual width.
	Length, Limit int
	// Word is the word that is too long for a line, or "" if the whole text is too long.
	Word string
}

func (e *FitError) Error() string {
	parts := make([]string, len(e.Texts))
	addresses := 0
	for i, t := range e.Texts {
		if t.Field == "address" {
			addresses++
		}
		if t.Word != "" {
			parts[i] = fmt.Sprintf("%s (%s) has the word %q of %d characters, and a line has room for %d", t.Field, t.Locale, t.Word, t.Length, t.Limit)
			continue
		}
		parts[i] = fmt.Sprintf("%s (%s) has %d characters, and there is room for %d", t.Field, t.Locale, t.Length, t.Limit)
	}
	if addresses > 0 { // which has the same limit on all sheets
		parts = append(parts, "shorten the slug of the document or the url of the register")
	}
	if addresses < len(e.Texts) {
		advice := []string{"shorten the texts"}
		if e.Size != A3 {
			advice = append(advice, "use a larger sheet")
		}
		if e.Languages > 1 {
			advice = append(advice, "use one language")
		}
		if e.Kind == Notice {
			advice = append(advice, "make a sign, which has fewer points than a notice")
		}
		parts = append(parts, wording.Or(advice))
	}
	return fmt.Sprintf("the %s does not fit on %s: %s", e.Kind, e.Size, strings.Join(parts, "; "))
}

// sheet is the geometry of a size. Lengths are in mm, texts in points.
type sheet struct {
	width, height, margin float64
	distance              float64 // from which the sign is read, in m
	large, text           float64 // sizes of letters
	least, tiny           float64 // of dense signs, and of the attribution
}

// The least size of letters is 9 pt on A6 and A5, 11 on A4 and Letter, and 16 on A3.
var sheets = map[Size]sheet{
	A6: {
		width: 105, height: 148, margin: 6, distance: 0.3, large: 11, text: 9, least: 9, tiny: 6,
	},
	A5: {
		width: 148, height: 210, margin: 9, distance: 0.5, large: 15, text: 11, least: 9, tiny: 6,
	},
	A4: {
		width: 210, height: 297, margin: 13, distance: 0.9, large: 20, text: 14, least: 11, tiny: 7,
	},
	Letter: {
		width: 215.9, height: 279.4, margin: 13, distance: 0.9, large: 19, text: 13, least: 11, tiny: 7,
	},
	A3: {
		width: 297, height: 420, margin: 18, distance: 1.3, large: 28, text: 20, least: 16, tiny: 9,
	},
}

// maxAddress is how many letters an address has at most.
const maxAddress = 60

// points is how many mm a point has.
const points = 25.4 / 72

// Why a [Drawer] can't draw a sign that can be printed as a page.
var (
	ErrNoGlyph   = errors.New("no font has the character")
	ErrNotVector = errors.New("not everything can be drawn as vectors")
)

// Drawer draws signs as SVG and PDF, with text as outlines and everything else as vectors. NewDrawer makes one; modules for browsers have none, since
// they would contain the fonts. It is safe for concurrent use. Errors are a [*FitError] if a text is
// too long, which is measured.
type Drawer interface {
	// SVG draws a sign.
	SVG(s *Subject, o *Options) ([]byte, error)
	// PDF draws signs, each on a page of its own.
	PDF(o *Options, subjects ...*Subject) ([]byte, error)
}

// Append appends an HTML page with signs to dst, each of which is printed on a sheet of its own.
// The error is a [*FitError] if a text is too long.
func Append(dst []byte, o *Options, subjects ...*Subject) ([]byte, error) {
	page := &drawing{dst: dst}
	for i, s := range subjects {
		d, err := newDrawing(s, o)
		if err != nil {
			return dst, err
		}
		d.dst, d.icons = page.dst, page.icons
		if i == 0 {
			d.head()
		}
		d.main()
		if len(d.fit.Texts) > 0 {
			return dst, &d.fit
		}
		page = d
	}
	if len(subjects) > 0 {
		page.write("</html>\n")
	}
	return page.dst, nil
}

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

// svg draws the code black on white, with its border and modules of a width in mm. Zero fills
// what contains it. So many modules of the border at the left and at the right are drawn, but
// take no room.
func (c *code) svg(name string, module float64, left, right int) string {
	sides := c.modules + 2*quiet
	side, wide := strconv.Itoa(sides), sides-left-right
	size := ""
	if module > 0 {
		size = `" width="` + strconv.FormatFloat(module*float64(wide), 'f', 2, 64) + `mm`
	}
	var path []byte
	add := func(command byte, n int) { path = strconv.AppendInt(append(path, command), int64(n), 10) }
	for _, r := range c.runs {
		add('M', r.x)
		add(' ', r.y)
		add('h', r.width)
		path = append(path, "v1"...)
		add('H', r.x)
		path = append(path, 'z')
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + strconv.Itoa(left) + " 0 " + strconv.Itoa(wide) + " " + side + size +
		`" role="img" shape-rendering="crispEdges"><title>` + html.EscapeString(name) + `</title><path fill="#fff" d="M0 0h` + side + "v" + side +
		`H0z"/><path d="` + string(path) + `"/></svg>`
}

// side is the side of the code without its border in mm: at least 20, 0.5 for each module,
// and a tenth of the distance in m from which it is read.
func (c *code) side(distance float64) float64 {
	return max(20, 0.5*float64(c.modules), 100*distance)
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

// Code returns the QR code of an address as SVG, with its border.
func Code(address string) ([]byte, error) {
	c, err := newCode(address)
	if err != nil {
		return nil, err
	}
	return []byte(c.svg(address, 0, 0, 0)), nil
}
