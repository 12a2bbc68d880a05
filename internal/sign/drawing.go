package sign

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

//go:embed sign.css
var styles string

// style is the style sheet of a size. It is the same for all signs of that size, so that
// [ContentSecurityPolicy] can allow it by its hash.
func (s *sheet) style() string {
	length := func(v float64, unit string) string { return strconv.FormatFloat(v, 'f', -1, 64) + unit }
	return "@page{size:" + length(s.width, "mm") + " " + length(s.height, "mm") + ";margin:0}\n" +
		":root{--width:" + length(s.width, "mm") + ";--height:" + length(s.height, "mm") + ";--margin:" + length(s.margin, "mm") +
		";--large:" + length(s.large, "pt") + ";--text:" + length(s.text, "pt") + ";--tiny:" + length(s.tiny, "pt") + "}\n" +
		".dense{--large:" + length(1.2*s.least, "pt") + ";--text:" + length(s.least, "pt") + "}\n" + styles
}

// ContentSecurityPolicy is the policy that a server should send with a sign. It allows the
// style sheet and the logo, which is part of the page, and nothing else. Only a [Card] may be framed by other sites.
func ContentSecurityPolicy(k Kind) string {
	var b strings.Builder
	b.WriteString("default-src 'none'; img-src data:; style-src")
	for _, size := range Sizes() {
		s := sheets[size]
		sum := sha256.Sum256([]byte(s.style()))
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	b.WriteString("; base-uri 'none'; form-action 'none'")
	if k != Card {
		b.WriteString("; frame-ancestors 'none'")
	}
	return b.String()
}

// near is the distance from which a notice is read, whatever its size.
const near = 0.3

// drawing is a sign while it is written.
type drawing struct {
	*Subject
	o     Options
	sheet sheet
	faces []face
	code  *code
	fit   FitError
	brief bool // not all purposes are named, since they do not fit
	icons int  // drawn so far
	dst   []byte
}

// face is one language of a sign.
type face struct {
	phrases.Chooser
	words *phrases.Words
}

// newDrawing checks the options and chooses languages.
func newDrawing(s *Subject, o *Options) (*drawing, error) {
	d := &drawing{Subject: s}
	if o != nil {
		d.o = *o
	}
	if d.o.Kind == "" {
		d.o.Kind = Sign
	}
	if !slices.Contains(Kinds(), d.o.Kind) {
		return nil, fmt.Errorf("kind %q is not known; use one of %v", d.o.Kind, Kinds())
	}
	if d.o.Size == "" {
		d.o.Size = A5
	}
	var known bool
	if d.sheet, known = sheets[d.o.Size]; !known {
		return nil, fmt.Errorf("size %q is not known; use one of %v", d.o.Size, Sizes())
	}
	if len(d.o.Locales) > 2 {
		return nil, fmt.Errorf("a sign has one or two languages, not %d; make another sign for the others", len(d.o.Locales))
	}
	there := s.Presentation.Locales()
	if len(d.o.Locales) == 0 {
		d.o.Locales = there[:1]
		if title := s.Presentation.Datachain.Title; len(title) > 0 && slices.Contains(there, title[0].Locale) {
			d.o.Locales = []string{title[0].Locale}
		}
	}
	for _, locale := range d.o.Locales {
		c := phrases.NewChooser(there, locale)
		if !slices.ContainsFunc(d.faces, func(f face) bool { return f.Locale == c.Locale }) {
			d.faces = append(d.faces, face{Chooser: c.Noting(), words: phrases.In(c.Locale)})
		}
	}
	d.fit = FitError{Kind: d.o.Kind, Size: d.o.Size, Languages: len(d.faces)}
	if address, err := url.Parse(s.Address); err != nil || address.Host == "" {
		return nil, errors.New("the sign needs the URL of the document's page for its code, and \"" + s.Address + "\" is not one; give the register a url")
	}
	var err error
	d.code, err = newCode(EditionAddress(s.Address, s.Date, s.Edition))
	return d, err
}

// head writes the begin of the page.
func (d *drawing) head() {
	first := d.faces[0].Locale
	d.write("<!doctype html>\n", `<html lang="`, html.EscapeString(first), `" dir="`, i18n.Direction(first), "\">\n", `<meta charset="utf-8">`, "\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>", html.EscapeString(d.title(&d.faces[0])), "</title>\n",
		"<style>", d.sheet.style(), "</style>\n")
}

// main writes the sign.
func (d *drawing) main() {
	class := string(d.o.Kind)
	if d.o.Mono {
		class += " mono"
	}
	if d.dense() {
		class += " dense"
	}
	if d.o.Kind == Sign || d.o.Kind == Notice {
		if d.brief = !d.hasRoom(1); d.brief && !d.hasRoom(1) {
			d.blame(d.claims(1))
		}
		class += d.growth()
	}
	d.write(`<main class="`, class, `">`, "\n")
	if d.o.CutMarks {
		d.write(`<i class="cut a"></i><i class="cut b"></i><i class="cut c"></i><i class="cut d"></i>`, "\n")
	}
	if d.o.Kind == Label || d.o.Kind == Card {
		d.heading()
	}
	for i := range d.Summary.Points {
		p := &d.Summary.Points[i]
		if d.shows(i, p) {
			d.point(i, p)
		}
	}
	if d.o.Kind == Sign || d.o.Kind == Notice {
		d.foot()
	}
	d.write("</main>\n")
}

// How many letters the purposes may have together to be all named on a label and on a card.
const maxLabel, maxCard = 60, 240

// dense reports whether the sign has much text, in the smallest letters.
func (d *drawing) dense() bool { return d.o.Kind == Notice || len(d.faces) == 2 }

// beside reports whether two languages are side by side, not below each other.
func (d *drawing) beside() bool { return d.o.Kind == Notice && len(d.faces) == 2 }

// growth is a class for signs that have room for larger letters in their points.
func (d *drawing) growth() string {
	switch {
	case d.hasRoom(1.5):
		return " grow-50"
	case d.hasRoom(1.3):
		return " grow-30"
	case d.hasRoom(1.15):
		return " grow-15"
	}
	return ""
}

// shows reports whether the kind of sign has a point of the summary.
func (d *drawing) shows(i int, p *datachain.Point) bool {
	switch {
	case d.o.Kind == Notice:
		return true
	case p.Role == "":
		return i < 3
	}
	return p.Role == codes.RolePurpose || p.Role == codes.RoleData || p.Role == codes.RoleAccountable
}

// heading writes the title of a label or a card, which leads to the page.
func (d *drawing) heading() {
	d.write(`<h1>`)
	for i := range d.faces {
		d.write(`<a href="`, html.EscapeString(d.Address), `" target="_top" lang="`, html.EscapeString(d.faces[i].Locale), `" dir="auto">`, d.faces[i].HTML(d.title(&d.faces[i])), "</a> ")
	}
	d.write("</h1>\n")
}

// title is the name of the document.
func (d *drawing) title(f *face) string {
	if title, _ := f.Pick(d.Presentation.Datachain.Title); title != "" {
		return i18n.Clean(title)
	}
	return d.Presentation.Datachain.ID
}

// lead is what stands above the first point instead of its name: on paper the title, which
// labels and cards have as their heading.
func (d *drawing) lead(f *face) string {
	if d.o.Kind == Label || d.o.Kind == Card {
		return ""
	}
	title, _ := f.Pick(d.Presentation.Datachain.Title)
	return i18n.Clean(title)
}

// point writes a point of the summary: its icon in the colour of its context, and its words
// in each language.
func (d *drawing) point(i int, p *datachain.Point) {
	class := "point"
	if i == 0 {
		class = "purpose"
	}
	d.write(`<section class="`, class, " ", string(p.Role), `">`, "\n")
	d.mark(p)
	d.write("<div>\n")
	for j := range d.faces {
		f := &d.faces[j]
		name, strong, rest := d.words(p, f)
		if i == 0 {
			name = d.lead(f)
		}
		d.write(`<p lang="`, html.EscapeString(f.Locale), `" dir="auto">`)
		if name != "" {
			d.write("<small>", f.HTML(name), "</small> ")
		}
		d.write("<b>", f.HTML(strong), "</b>")
		if rest != "" {
			d.write(" <span>", f.HTML(rest), "</span>")
		}
		d.write("</p>\n")
	}
	d.write("</div>\n</section>\n")
}

// mark writes the icon of a point: the logo of the publisher for who answers, else that of
// the element, else a square in the colour of the context.
func (d *drawing) mark(p *datachain.Point) {
	d.write(`<div class="icon" aria-hidden="true">`)
	defer d.write("</div>\n")
	if d.hasLogo(p) {
		d.write(`<img alt="" src="`, dataURI(d.Logo), `">`)
		return
	}
	d.dst = d.appendIcon(d.dst, p)
}

// hasLogo reports whether the mark of a point is the logo of the publisher.
func (d *drawing) hasLogo(p *datachain.Point) bool {
	return p.Role == codes.RoleAccountable && len(d.Logo) > 0
}

// appendIcon appends the icon of a point in the colour of its context, if it has one.
func (d *drawing) appendIcon(dst []byte, p *datachain.Point) []byte {
	if len(p.Entries) == 0 {
		return dst
	}
	variant := taxonomy.VariantDefault
	if p.Context != nil && !d.o.Mono {
		variant = p.Context.ID
	}
	d.icons++
	dst, _ = d.Presentation.AppendIcon(dst, p.Entries[0].Element, variant, &icons.Options{IDPrefix: "i" + strconv.Itoa(d.icons) + "-"})
	return dst
}

// dataURI is an SVG picture as a URL. Pictures in such a URL run no scripts and load nothing.
func dataURI(svg []byte) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)
}

// words are the texts of a point in a language: its name, what is most important, and the
// rest.
func (d *drawing) words(p *datachain.Point, f *face) (name, strong, rest string) {
	said := phrases.NewPoint(p, &f.Chooser)
	switch {
	case said.Nothing != "" && p.Role == codes.RoleAccountable && len(d.Publisher) > 0:
		publisher, _ := f.Pick(d.Publisher)
		return said.Name, i18n.Clean(publisher), ""
	case said.Nothing != "":
		return said.Name, said.Nothing, ""
	case p.Role == codes.RolePurpose && d.brief:
		return said.Name, said.Line(0), ""
	case p.Role == codes.RolePurpose && d.o.Kind == Label:
		return said.Name, said.Line(maxLabel), ""
	case p.Role == codes.RolePurpose && d.o.Kind == Card && !said.Fits(maxCard):
		return said.Name, said.Line(maxCard), ""
	case p.Role == codes.RolePurpose:
		return said.Name, said.Entries[0], phrases.Join(said.Entries[1:])
	case p.Role == codes.RoleAccountable:
		if d.o.Kind == Notice {
			rest = said.Contact
		}
		return said.Name, said.Entries[0], rest
	}
	rest = strings.Join(said.Entries, f.words.Comma)
	switch {
	case p.Role == "": // what a context means is not known
		return said.Name, rest, said.Level
	case said.Level == "":
		return said.Name, rest, said.Safeguard
	}
	if said.Safeguard != "" {
		rest += ": " + said.Safeguard
	}
	return said.Name, said.Level, rest
}

// fieldOf names a point in errors.
func fieldOf(p *datachain.Point) string { return cmp.Or(string(p.Role), p.Category.ID) }

// checkAddress notes an address that is too long to be typed.
func (d *drawing) checkAddress() {
	if length := i18n.Letters(d.address()); length > maxAddress {
		d.fit.Texts = append(d.fit.Texts, LongText{Field: "address", Locale: d.faces[0].Locale, Length: length, Limit: maxAddress})
	}
}

// foot writes the code, what it is for, and where it leads.
func (d *drawing) foot() {
	address := d.address()
	d.checkAddress()
	// The border of the code lies in the margin, which is white anyway.
	left, right := quiet, 0
	if i18n.Direction(d.faces[0].Locale) == "rtl" {
		left, right = 0, quiet
	}
	d.write(`<footer>`, "\n", `<div class="code">`, d.code.svg(d.Address, d.codeWidth()/float64(d.code.modules+2*quiet), left, right), "</div>\n<div>\n")
	for i := range d.faces {
		f := &d.faces[i]
		d.write(`<p class="scan" lang="`, html.EscapeString(f.words.Lang), `" dir="auto"><b>`, html.EscapeString(d.scan(f)), "</b></p>\n")
	}
	for i := range d.faces {
		f := &d.faces[i]
		d.write(`<p class="date" lang="`, html.EscapeString(f.words.Lang), `" dir="auto">`, d.asOf(f), "</p>\n")
	}
	d.write("</div>\n</footer>\n", `<p class="address" dir="ltr">`, strings.ReplaceAll(html.EscapeString(address), "/", "/<wbr>"), "</p>\n")
	if source := d.attribution(); source != "" {
		d.write(`<p class="attribution" dir="auto">`, html.EscapeString(source), "</p>\n")
	}
}

// address is the address of the page in letters.
func (d *drawing) address() string {
	return strings.TrimSuffix(d.Address[strings.Index(d.Address, "://")+len("://"):], "/")
}

// codeWidth is the width of the code with its border, in mm.
func (d *drawing) codeWidth() float64 {
	side := d.code.side(d.sheet.distance)
	if d.o.Kind == Notice {
		side = d.code.side(near)
	}
	return side * float64(d.code.modules+2*quiet) / float64(d.code.modules)
}

// scan says what the code is for.
func (d *drawing) scan(f *face) string {
	if d.canAsk() {
		return f.words.ScanToAsk
	}
	return f.words.ScanToLearn
}

// asOf is the date of the edition.
func (d *drawing) asOf(f *face) string {
	day, _ := i18n.Day(f.words.Lang, d.Date.UTC().Format(time.DateOnly))
	return f.words.AsOf + " " + day
}

// attribution names the source of the icons, or is "".
func (d *drawing) attribution() string {
	r := d.Presentation.Release
	if r == nil || r.Manifest().Attribution == "" {
		return ""
	}
	source := d.faces[0].words.Icons + " " + i18n.Clean(r.Manifest().Attribution)
	if licence := r.Manifest().Licence; licence != "" {
		source += ", " + i18n.Clean(licence)
	}
	return source
}

// canAsk reports whether a right of the document has a contact.
func (d *drawing) canAsk() bool {
	p, ok := d.Summary.Point(codes.RoleRights)
	return ok && slices.ContainsFunc(p.Entries, func(e datachain.Entry) bool {
		return len(e.Contact) > 0 || e.Placement != nil && len(e.Placement.Actions) > 0
	})
}

func (d *drawing) write(list ...string) {
	for _, s := range list {
		d.dst = append(d.dst, s...)
	}
}
