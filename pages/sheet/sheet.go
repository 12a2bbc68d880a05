// Package sheet writes signs: sheets of paper beside a system that say what it is for, what the most
// sensitive data is that it uses, and who is accountable for it, with a QR code that leads to the page
// of its document.
//
//	html, err := sheet.Append(nil, &sheet.Options{Size: sheet.A5}, &sheet.Subject{
//		Presentation: presentation, Summary: summary.Of(presentation.Datachain, presentation.Release, nil),
//		Address: "https://register.example.org/d/crossing/", Date: published, Edition: hash,
//	})
//
// A sign names who answers for the system: it is refused with an [*UnnamedError] if the document does
// not.
//
// A sign shows the summary of a document and nothing else. It is an HTML page that browsers
// print at its exact size, in one or two languages, and it loads nothing. Text is never made
// smaller than can be read from the distance that belongs to the size: if a text is too long
// for its place, the error is a [*FitError] that names the field.
//
// A [Drawer] draws signs as SVG and PDF files. The module pages/sign has one. Others get the texts
// and pictures of a sign from [NewContent].
//
// # Experimental
//
// This package may change in a minor version.
package sheet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Subject is the document that a sign is about.
type Subject struct {
	Presentation *datachain.Presentation
	Summary      *summary.Summary
	// Address is the URL of the document's page. The code adds the edition to it, so that
	// the page can say what changed since.
	Address string
	// Date is when the edition was published, and Edition its hash.
	Date    time.Time
	Edition taxonomy.Hash
	// Answered is what happened when people asked about the system, or nil. A sheet says how long answers took.
	Answered *phrases.Answered
	// Organisation is the one that the document names in its object register. It answers for the
	// system if no placement names who does. Without either, the error is an [*UnnamedError].
	Organisation taxonomy.Localized
	// Publisher is named at the top of a sheet. It publishes the register, and need not answer for
	// the system.
	Publisher taxonomy.Localized
	// Logo is the publisher's logo, an SVG file, or nil. It is shown as an image, which runs no
	// scripts and loads nothing.
	Logo []byte
	// LogoURL is the URL from which pages load the logo. By default the page contains it.
	LogoURL string
}

// Kind is a kind of sign.
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

// Fields whose limits are the same on all sheets.
const fieldAddress, fieldPublisher = "address", "publisher"

// LongText is a text that does not fit.
type LongText struct {
	Field  string // purpose, data, accountable, …: the role of a point; title, publisher or address
	Locale string
	// Length and Limit are in letters of usual width.
	Length, Limit int
	// Word is the beginning of the word that is too long for a line, or "" if the whole text is too long.
	Word string
}

// Error names the texts, and says how long they may be and what to do.
func (e *FitError) Error() string {
	parts := make([]string, len(e.Texts))
	var address, publisher, others bool
	for i, t := range e.Texts {
		address, publisher = address || t.Field == fieldAddress, publisher || t.Field == fieldPublisher
		others = others || t.Field != fieldAddress && t.Field != fieldPublisher
		if t.Word != "" {
			parts[i] = fmt.Sprintf("%s (%s) has the word %q of %d characters, and a line has room for %d", t.Field, t.Locale, t.Word, t.Length, t.Limit)
			continue
		}
		parts[i] = fmt.Sprintf("%s (%s) has %d characters, and there is room for %d", t.Field, t.Locale, t.Length, t.Limit)
	}
	if address {
		parts = append(parts, "shorten the slug of the document or the url of the register")
	}
	if publisher {
		parts = append(parts, "shorten the publisher's name in register.yaml")
	}
	if others {
		advice := []string{"shorten the texts"}
		if e.Kind != Label && e.Kind != Card {
			advice = append(advice, "use another size") // letters and codes grow with the sheet
		}
		if e.Languages > 1 {
			advice = append(advice, "use one language")
		}
		if e.Kind == Notice {
			advice = append(advice, "make a sign, which has fewer points than a notice")
		}
		parts = append(parts, wording.Or(advice))
	}
	if e.Kind == Label || e.Kind == Card {
		return fmt.Sprintf("the texts are too long for a %s: %s", e.Kind, strings.Join(parts, "; "))
	}
	return fmt.Sprintf("the %s does not fit on %s: %s", e.Kind, e.Size, strings.Join(parts, "; "))
}

// Errors of a [Drawer] about signs that can still be printed as a page.
var (
	ErrNoGlyph   = errors.New("no font has the character")
	ErrNotVector = errors.New("not everything can be drawn as vectors")
	// ErrNotSet means that the drawer failed, because of a defect in it or in a font.
	ErrNotSet = errors.New("the sign can't be drawn")
)

// Drawer draws signs as SVG and PDF, with text as outlines and everything else as vectors. It is
// safe for concurrent use, and stops when the context ends. The error is a [*FitError] if a text is
// too long.
type Drawer interface {
	// SVG draws a sign.
	SVG(ctx context.Context, s *Subject, o *Options) ([]byte, error)
	// PDF draws signs, each on a page of its own.
	PDF(ctx context.Context, o *Options, subjects ...*Subject) ([]byte, error)
}

// Append appends an HTML page with signs to dst, each of which is printed on a sheet of its own.
// The error is a [*FitError] if a text is too long.
func Append(dst []byte, o *Options, subjects ...*Subject) ([]byte, error) {
	written, icons := dst, 0
	for i, s := range subjects {
		c, err := newContent(s, o, icons)
		if err != nil {
			return dst, err
		}
		p := newPage(c, written)
		if i == 0 {
			p.head()
		}
		p.sheet()
		written, icons = p.dst, c.icons
	}
	if len(subjects) > 0 {
		written = append(written, "</main>\n</html>\n"...)
	}
	return written, nil
}

// AppendSheet appends a sign alone, for a page that has the [Style] of its size. The custom
// property --u of the class sheet is how long a millimetre is there.
func AppendSheet(dst []byte, o *Options, s *Subject) ([]byte, error) {
	c, err := NewContent(s, o)
	if err != nil {
		return dst, err
	}
	p := newPage(c, dst)
	p.sheet()
	return p.dst, nil
}
