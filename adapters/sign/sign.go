package sign

import (
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// Subject is the document that a sign is about.
type Subject struct {
	Presentation *datachain.Presentation
	Summary      *datachain.Summary
	// Address is the URL of the document's page. The code adds the date of the sign to it,
	// so that the page can say what changed since.
	Address string
	// Date is when the edition was published.
	Date time.Time
	// Publisher is named if the document does not say who answers for the system.
	Publisher taxonomy.Localized
	// Logo is the SVG of the publisher's logo, or nil. It must be safe; see
	// [icons.Sanitize].
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
	// Locales are one or two languages, by default the first of the document.
	Locales []string
	// Mono makes a sign for printers without colour.
	Mono bool
	// CutMarks adds the corners at which to cut a sheet that is larger than the sign.
	CutMarks bool
}

// FitError is an error about texts that are too long for their place.
type FitError struct {
	Size  Size
	Texts []LongText
}

// LongText is a text that does not fit.
type LongText struct {
	Field  string // purpose, data, accountable, …: the role of a point, or address
	Locale string
	// Length and Limit are in letters of usual width.
	Length, Limit int
}

func (e *FitError) Error() string {
	parts := make([]string, len(e.Texts))
	for i, t := range e.Texts {
		parts[i] = fmt.Sprintf("%s (%s) has %d characters, and there is room for %d", t.Field, t.Locale, t.Length, t.Limit)
	}
	return "the sign does not fit on " + string(e.Size) + ": " + strings.Join(parts, "; ") + "; shorten the text, use a larger sheet or one language"
}

// sheet is the geometry of a size. Lengths are in mm, texts in points.
type sheet struct {
	width, height, margin float64
	distance              float64 // from which the sign is read, in m
	large, text           float64 // sizes of letters
	least, tiny           float64 // of dense signs, and of the attribution
	// room is how many letters of usual width a point has room for, by kind and number of
	// languages. The first point has 1.6 times as much, and the address has the same for all.
	room    map[Kind][2]int
	address int
}

// The least size of letters is 9 pt on A6 and A5, 11 on A4 and Letter, and 16 on A3. Rooms
// were found by filling signs with German text in a browser, six points for notices, and are
// 15 % less than what still fitted.
var sheets = map[Size]sheet{
	A6: {
		width: 105, height: 148, margin: 6, distance: 0.3, large: 11, text: 9, least: 9, tiny: 6,
		room: map[Kind][2]int{Sign: {90, 30}, Notice: {30, 0}}, address: 60,
	},
	A5: {
		width: 148, height: 210, margin: 9, distance: 0.5, large: 15, text: 11, least: 9, tiny: 6,
		room: map[Kind][2]int{Sign: {100, 75}, Notice: {115, 40}}, address: 60,
	},
	A4: {
		width: 210, height: 297, margin: 13, distance: 0.9, large: 20, text: 14, least: 11, tiny: 7,
		room: map[Kind][2]int{Sign: {105, 90}, Notice: {185, 48}}, address: 60,
	},
	Letter: {
		width: 215.9, height: 279.4, margin: 13, distance: 0.9, large: 19, text: 13, least: 11, tiny: 7,
		room: map[Kind][2]int{Sign: {115, 95}, Notice: {170, 48}}, address: 60,
	},
	A3: {
		width: 297, height: 420, margin: 18, distance: 1.3, large: 28, text: 20, least: 16, tiny: 9,
		room: map[Kind][2]int{Sign: {105, 90}, Notice: {185, 55}}, address: 60,
	},
}

// Append appends the sign as an HTML page to dst. The error is a [*FitError] if a text is
// too long.
func Append(dst []byte, s *Subject, o *Options) ([]byte, error) {
	d, err := newDrawing(dst, s, o)
	if err != nil {
		return dst, err
	}
	d.page()
	if len(d.fit.Texts) > 0 {
		return dst, &d.fit
	}
	return d.dst, nil
}
