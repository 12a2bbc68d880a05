// Package sign draws signs as SVG and PDF files, with text as outlines and with the fonts in the
// directory fonts. What is on a sign is decided by adapters/view/sheet, which writes the same sign
// as a page for browsers.
//
//	drawer, err := sign.New(nil)
//	if err != nil {
//		return err
//	}
//	pdf, err := drawer.PDF(&sheet.Options{Size: sheet.A4}, subject)
//
// It is a module of its own, so that only programs that draw depend on what reads fonts. The
// pages of adapters/explorer take a [Drawer] as an option.
package sign

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/adapters/view/sheet"
	"github.com/datachain-go/datachain/icons"
)

// Drawer draws signs with the fonts that it has. It is safe for concurrent use.
type Drawer struct {
	fonts func() (fonts, error)
}

var _ sheet.Drawer = (*Drawer)(nil)

// New returns what draws signs, with the fonts of the program, which are read with the first
// sign, and those of a directory, which can be nil.
func New(dir fs.FS) (*Drawer, error) {
	var others fonts
	if dir != nil {
		var err error
		if others, err = readFonts(dir); err != nil {
			return nil, err
		}
		if len(others.regular) == 0 || len(others.bold) == 0 {
			return nil, errors.New("there are not at least one regular and one bold TrueType font (*.ttf, such as NotoSansThai-Regular.ttf and NotoSansThai-Bold.ttf)")
		}
	}
	return &Drawer{sync.OnceValues(func() (fonts, error) {
		own, err := fs.Sub(embedded, "fonts")
		if err != nil {
			return fonts{}, err
		}
		all, err := readFonts(own)
		return fonts{append(all.regular, others.regular...), append(all.bold, others.bold...)}, err
	})}, nil
}

// SVG draws a sign.
func (a *Drawer) SVG(s *sheet.Subject, o *sheet.Options) ([]byte, error) {
	l, err := a.layout(s, o)
	if err != nil {
		return nil, err
	}
	return l.plate.svg(), nil
}

// PDF draws signs, each on a page of its own.
func (a *Drawer) PDF(o *sheet.Options, subjects ...*sheet.Subject) ([]byte, error) {
	if len(subjects) == 0 {
		return nil, errors.New("there are no signs to draw")
	}
	var plates []*plate
	locale := ""
	for _, s := range subjects {
		l, err := a.layout(s, o)
		if err != nil {
			return nil, err
		}
		plates = append(plates, l.plate)
		locale = cmp.Or(locale, l.Languages[0].Locale)
	}
	return writePDF(plates, locale)
}

// layout is a sign while its parts are placed.
type layout struct {
	*sheet.Content
	*typesetter
	large, text float64 // sizes of letters in points
	brief       bool    // not all purposes are named, since they do not fit
	plate       *plate
	said        []string         // its texts
	long        []sheet.LongText // those that do not fit
	err         error
}

// layout draws a sign. On paper, letters are larger than they have to be if all texts fit then.
func (a *Drawer) layout(s *sheet.Subject, o *sheet.Options) (*layout, error) {
	c, err := sheet.NewContent(s, o)
	if err != nil {
		return nil, err
	}
	all, err := a.fonts()
	if err != nil {
		return nil, err
	}
	l := &layout{Content: c, typesetter: newTypesetter(all)}
	scales := []float64{1.5, 1.35, 1.2, 1.1, 1}
	for i := range 2 * len(scales) {
		scale := scales[i%len(scales)]
		l.brief = i >= len(scales) // purposes are left out only if they do not fit in the smallest letters
		l.plate = &plate{width: c.Paper.Width, height: c.Paper.Height, title: c.Languages[0].Title}
		l.said, l.long = nil, nil
		l.large, l.text = scale*c.Paper.Large, scale*c.Paper.Text
		switch c.Kind {
		case sheet.Label:
			l.label()
		case sheet.Card:
			l.card()
		default:
			l.paper()
		}
		if len(l.long) == 0 || l.err != nil {
			break
		}
	}
	l.plate.text = strings.Join(l.said, "\n")
	return l, cmp.Or(l.err, l.Fit(l.long))
}

// set sets a text of a field.
func (l *layout) set(field string, in *sheet.Language, text string, width float64, s style) *block {
	if text == "" {
		return &block{style: s}
	}
	b, err := l.typesetter.set(text, in.Locale, width, s)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("%s (%s): %w", field, in.Locale, err))
		return &block{style: s}
	}
	if b.word != "" {
		l.long = append(l.long, l.TooLongWord(field, in.Locale, b.word, b.share))
	}
	l.said = append(l.said, strings.ReplaceAll(text, "\u200b", ""))
	b.right = b.right || in.RTL // such as an email address
	return b
}

// words returns the words of a point in a language.
func (l *layout) words(p *sheet.Point, language int) (name, strong, rest string) {
	t := &p.Texts[language]
	if l.brief && t.Brief != "" {
		return t.Name, t.Brief, ""
	}
	return t.Name, t.Strong, t.Rest
}

// points is how many mm a point has, and apart the space between paragraphs, as a part of the size.
const (
	points = 25.4 / 72
	apart  = 0.35
)

// stack is blocks below one another.
type stack struct {
	blocks []*block
	gaps   []float64 // above each
}

func (s *stack) add(gap float64, b *block) {
	if b.height > 0 {
		s.blocks, s.gaps = append(s.blocks, b), append(s.gaps, gap)
	}
}

func (s *stack) height() float64 {
	total := 0.0
	for i, b := range s.blocks {
		total += b.height
		if i > 0 {
			total += s.gaps[i]
		}
	}
	return total
}

// draw draws the blocks from x and y on.
func (s *stack) draw(p *plate, x, y float64) {
	for i, b := range s.blocks {
		if i > 0 {
			y += s.gaps[i]
		}
		b.draw(p, x, y)
		y += b.height
	}
}

// row is a point of the summary with its icon.
type row struct {
	point  *sheet.Point
	icon   float64 // its side
	column float64 // of the icons
	width  float64 // of each of the texts
	texts  []stack // side by side
}

func (r *row) height() float64 {
	high := r.icon
	for i := range r.texts {
		high = max(high, r.texts[i].height())
	}
	return high
}

// row sets the texts of a point beside the column of icons.
func (l *layout) row(i int, p *sheet.Point, icon, column, gap, width float64) *row {
	r := &row{point: p, icon: icon, column: column, width: width - column - gap, texts: make([]stack, 1)}
	if p.Picture == nil {
		r.icon = 0
	}
	if l.SideBySide() {
		r.width = (r.width - gap) / 2
		r.texts = make([]stack, 2)
	}
	for j := range l.Languages {
		f, add := &l.Languages[j], r.texts[min(j, len(r.texts)-1)].add
		name, strong, rest := l.words(p, j)
		between := apart * l.text * points
		if i == 0 {
			if lead := f.Lead; lead != "" {
				add(between, l.set("title", f, lead, r.width, style{size: l.large, leading: 1.2}))
				between = 0
			}
			add(between, l.set(p.Field, f, strong, r.width, style{size: l.large, bold: true, leading: 1.25}))
			add(0, l.set(p.Field, f, rest, r.width, style{size: l.text}))
			continue
		}
		add(between, l.set(p.Field, f, name, r.width, style{size: l.text, leading: 1.2}))
		add(0, l.set(p.Field, f, strong, r.width, style{size: 1.15 * l.text, bold: true, leading: 1.2}))
		add(0, l.set(p.Field, f, rest, r.width, style{size: l.text}))
	}
	return r
}

// rows are the points.
func (l *layout) rows(first, others, gap, width float64) (rows []*row) {
	for i := range l.Points {
		icon := others
		if i == 0 {
			icon = first
		}
		rows = append(rows, l.row(i, &l.Points[i], icon, first, gap, width))
	}
	return rows
}

// begin is where something of a width begins that is so far from the side where reading
// begins.
func (l *layout) begin(x, width float64) float64 {
	if l.Languages[0].RTL {
		return l.plate.width - x - width
	}
	return x
}

// draw draws a row at y: the icon, and its texts beside it.
func (l *layout) draw(r *row, margin, y, gap float64) {
	height := r.height()
	if r.icon > 0 {
		l.mark(r.point, l.begin(margin+(r.column-r.icon)/2, r.icon), y+(height-r.icon)/2, r.icon)
	}
	// Texts side by side begin at the same height.
	high := 0.0
	for i := range r.texts {
		high = max(high, r.texts[i].height())
	}
	for i := range r.texts {
		r.texts[i].draw(l.plate, l.begin(margin+r.column+gap+float64(i)*(r.width+gap), r.width), y+(height-high)/2)
	}
}

// mark draws the picture of a point.
func (l *layout) mark(p *sheet.Point, x, y, side float64) {
	d, err := icons.Draw(p.Picture)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("%w: %s, %w; or print the sign as a page (.html) in a browser", sheet.ErrNotVector, p.PictureName, err))
		return
	}
	if l.Mono {
		gray(d.Figures)
	}
	l.plate.place(d, x, y, side)
}

// paper draws a sign or a notice: points from above, and the code at the bottom. What does
// not fit is reported for the points that take more than their share.
func (l *layout) paper() {
	margin, gap := l.Paper.Margin, l.Paper.Gap
	width, pad := l.Paper.Width-2*margin, 0.4*margin
	rows := l.rows(l.Paper.FirstIcon, l.Paper.Icon, 0.6*margin, width)
	foot := l.foot(width)
	room := l.Paper.Height - 2*margin - foot.height - pad
	needed := 0.0
	for i, r := range rows {
		needed += r.height()
		room -= gap
		if i > 0 {
			room -= pad
		}
	}
	if needed > room {
		heights := make([]float64, len(rows))
		for i, r := range rows {
			heights[i] = r.height()
		}
		l.long = append(l.long, l.TooLong(heights, room, l.brief)...)
		return
	}
	// A part of what is left goes between the points, so that they are not all at the top.
	extra := min((room-needed)/float64(len(rows)+1), margin)
	y := margin
	for i, r := range rows {
		if i > 0 {
			l.plate.fill().rect(margin, y, width, 0.3)
			y += pad + extra/2
		}
		l.draw(r, margin, y, 0.6*margin)
		y += r.height() + gap + extra/2
	}
	foot.draw(l.Paper.Height - margin - foot.height)
	if l.CutMarks {
		l.cutMarks()
	}
}

// foot is the lower part of a sign.
type foot struct {
	height float64
	draw   func(y float64)
}

// foot sets the code, what it is for, and where it leads.
func (l *layout) foot(width float64) foot {
	margin, side, first := l.Paper.Margin, l.CodeWidth, &l.Languages[0]
	// The border of the code lies in the margin, which is white anyway.
	indent := sheet.QuietZone * side / float64(l.Code.Modules+2*sheet.QuietZone)
	column := width - side + indent - 0.4*margin
	var beside, below stack
	for i := range l.Languages {
		beside.add(0.35*l.large*points, l.set("code", &l.Languages[i], l.Languages[i].Scan, column, style{size: l.large, bold: true, leading: 1.2}))
	}
	for i := range l.Languages {
		beside.add(0.35*l.text*points, l.set("date", &l.Languages[i], l.Languages[i].Date, column, style{size: l.text}))
	}
	address := strings.ReplaceAll(l.Address, "/", "/\u200b")
	link := l.set("address", first, address, width, style{size: l.text, bold: true, breaks: true})
	below.add(0, link)
	below.add(0.2*margin, l.set("attribution", first, l.Attribution, width, style{size: l.Paper.Tiny, leading: 1.2}))
	if len(link.set) > 2 {
		l.long = append(l.long, l.TooLongAddress()...)
	}
	high := max(side, beside.height())
	return foot{height: high + below.height(), draw: func(y float64) {
		x := l.begin(margin-indent, side)
		at := y + (high-side)/2
		unit := side / float64(l.Code.Modules+2*sheet.QuietZone)
		path := l.plate.fill()
		for _, r := range l.Code.Runs {
			path.rect(x+unit*float64(r.X), at+unit*float64(r.Y), unit*float64(r.Width), unit)
		}
		beside.draw(l.plate, l.begin(margin-indent+side+0.4*margin, column), y+(high-beside.height())/2)
		below.draw(l.plate, l.begin(margin, width), y+high)
	}}
}

// cutMarks draws the corners of the sheet.
func (l *layout) cutMarks() {
	const long, wide = 5, 0.1
	w, h := l.plate.width, l.plate.height
	path := l.plate.fill()
	for _, x := range []float64{0, w} {
		for _, y := range []float64{0, h} {
			path.rect(min(x, w-long), min(y, h-wide), long, wide)
			path.rect(min(x, w-wide), min(y, h-long), wide, long)
		}
	}
}

// frame draws the border of a label or a card.
func (l *layout) frame() {
	const wide = 0.3
	w, h := l.plate.width, l.plate.height
	path := l.plate.fill()
	path.rect(0, 0, w, wide)
	path.rect(0, h-wide, w, wide)
	path.rect(0, 0, wide, h)
	path.rect(w-wide, 0, wide, h)
}

// Labels and cards have letters of one size, and icons twice as large.
const (
	smallSize = 11
	smallIcon = 2.2 * smallSize * points
	smallPad  = 0.7 * smallSize * points
)

// label draws one line a language: the title, and the icons with what is most important.
func (l *layout) label() {
	const endless = 10_000
	type part struct {
		point *sheet.Point
		stack
		width float64
	}
	var parts []part
	set := func(p *sheet.Point, field string, s style, say func(language int) string) {
		added := part{point: p}
		for i := range l.Languages {
			b := l.set(field, &l.Languages[i], say(i), endless, s)
			added.add(0, b)
			added.width = max(added.width, b.widest)
		}
		for _, b := range added.blocks {
			b.width = added.width
		}
		parts = append(parts, added)
	}
	set(nil, "title", style{size: smallSize, bold: true}, func(language int) string { return l.Languages[language].Title })
	high := smallIcon
	for i := range l.Points {
		p := &l.Points[i]
		set(p, p.Field, style{size: smallSize}, func(language int) string {
			_, strong, _ := l.words(p, language)
			return strong
		})
	}
	total := smallPad
	for i := range parts {
		p := &parts[i]
		if p.point != nil && p.point.Picture == nil {
			p.point = nil
		}
		if p.point != nil {
			total += smallIcon + smallPad/2
		}
		total += p.width + smallPad
		high = max(high, p.height())
	}
	l.plate.width, l.plate.height = total, high+2*smallPad
	l.frame()
	x := smallPad
	for i := range parts {
		p := &parts[i]
		if p.point != nil {
			l.mark(p.point, l.begin(x, smallIcon), (l.plate.height-smallIcon)/2, smallIcon)
			x += smallIcon + smallPad/2
		}
		p.draw(l.plate, l.begin(x, p.width), (l.plate.height-p.height())/2)
		x += p.width + smallPad
	}
}

// card draws a box: the title, and the points below it.
func (l *layout) card() {
	const width = 110
	l.large, l.text = 1.15*smallSize, smallSize
	l.plate.width = width
	var heading stack
	for i := range l.Languages {
		heading.add(0, l.set("title", &l.Languages[i], l.Languages[i].Title, width-2*smallPad, style{size: 1.2 * smallSize, bold: true}))
	}
	rows := l.rows(smallIcon, smallIcon, smallPad, width-2*smallPad)
	l.plate.height = 2*smallPad + heading.height()
	for _, r := range rows {
		l.plate.height += smallPad + r.height()
	}
	l.frame()
	heading.draw(l.plate, l.begin(smallPad, width-2*smallPad), smallPad)
	y := smallPad + heading.height()
	for _, r := range rows {
		l.draw(r, smallPad, y+smallPad, smallPad)
		y += smallPad + r.height()
	}
}
