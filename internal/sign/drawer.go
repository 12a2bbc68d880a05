//go:build !wasm

package sign

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/i18n"
)

// drawer is a [Drawer].
type drawer struct {
	fonts func() (fonts, error)
}

// NewDrawer returns what draws signs, with the fonts of the program, which are read with the first
// sign, and those of a directory, which can be nil.
func NewDrawer(dir fs.FS) (Drawer, error) {
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
	return &drawer{sync.OnceValues(func() (fonts, error) {
		own, err := fs.Sub(embedded, "fonts")
		if err != nil {
			return fonts{}, err
		}
		all, err := readFonts(own)
		return fonts{append(all.regular, others.regular...), append(all.bold, others.bold...)}, err
	})}, nil
}

func (a *drawer) SVG(s *Subject, o *Options) ([]byte, error) {
	l, err := a.layout(s, o)
	if err != nil {
		return nil, err
	}
	return l.plate.svg(), nil
}

func (a *drawer) PDF(o *Options, subjects ...*Subject) ([]byte, error) {
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
		locale = cmp.Or(locale, l.faces[0].Locale)
	}
	return writePDF(plates, locale)
}

// layout is a sign while its parts are placed.
type layout struct {
	*drawing
	*typesetter
	plate *plate
	said  []string // its texts
	err   error
}

// layout draws a sign. On paper, letters are larger than they have to be if all texts fit then.
func (a *drawer) layout(s *Subject, o *Options) (*layout, error) {
	d, err := newDrawing(s, o)
	if err != nil {
		return nil, err
	}
	if d.dense() {
		d.sheet.large, d.sheet.text = 1.2*d.sheet.least, d.sheet.least
	}
	all, err := a.fonts()
	if err != nil {
		return nil, err
	}
	l := &layout{drawing: d, typesetter: newTypesetter(all)}
	large, text := d.sheet.large, d.sheet.text
	scales := []float64{1.5, 1.35, 1.2, 1.1, 1}
	for i := range 2 * len(scales) {
		scale := scales[i%len(scales)]
		d.brief = i >= len(scales) // purposes are left out only if they do not fit in the smallest letters
		l.plate = &plate{width: d.sheet.width, height: d.sheet.height, title: d.title(&d.faces[0])}
		l.said, l.fit.Texts, l.icons = nil, nil, 0
		d.sheet.large, d.sheet.text = scale*large, scale*text
		switch d.o.Kind {
		case Label:
			l.label()
		case Card:
			l.card()
		default:
			l.paper()
		}
		if len(l.fit.Texts) == 0 || l.err != nil {
			break
		}
	}
	l.plate.text = strings.Join(l.said, "\n")
	switch {
	case l.err != nil:
		return nil, l.err
	case len(l.fit.Texts) > 0:
		return nil, &l.fit
	}
	return l, nil
}

// text sets a text of a field.
func (l *layout) text(field string, f *face, text string, width float64, s style) *block {
	if text == "" {
		return &block{style: s}
	}
	b, err := l.set(text, f.Locale, width, s)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("%s (%s): %w", field, f.Locale, err))
		return &block{style: s}
	}
	if b.word != "" {
		l.fit.Texts = append(l.fit.Texts, LongText{Field: field, Locale: f.Locale, Word: b.word, Length: i18n.Letters(b.word), Limit: b.room})
	}
	l.said = append(l.said, strings.ReplaceAll(text, "\u200b", ""))
	b.right = b.right || i18n.Direction(f.Locale) == "rtl" // such as an email address
	return b
}

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
	point   *datachain.Point
	icon    float64 // its side
	column  float64 // of the icons
	width   float64 // of each of the texts
	texts   []stack // side by side
	lengths []int   // in letters, by language
}

func (r *row) height() float64 {
	high := r.icon
	for i := range r.texts {
		high = max(high, r.texts[i].height())
	}
	return high
}

// row sets the texts of a point beside the column of icons.
func (l *layout) row(i int, p *datachain.Point, icon, column, gap, width float64) *row {
	r := &row{point: p, icon: icon, column: column, width: width - column - gap, texts: make([]stack, 1)}
	if !l.hasLogo(p) && len(p.Entries) == 0 {
		r.icon = 0
	}
	if l.beside() {
		r.width = (r.width - gap) / 2
		r.texts = make([]stack, 2)
	}
	field := fieldOf(p)
	for j := range l.faces {
		f, add := &l.faces[j], r.texts[min(j, len(r.texts)-1)].add
		name, strong, rest := l.words(p, f)
		r.lengths = append(r.lengths, i18n.Letters(strong+rest))
		between := apart * l.sheet.text * points
		if i == 0 {
			if lead := l.lead(f); lead != "" {
				add(between, l.text("title", f, lead, r.width, style{size: l.sheet.large, leading: 1.2}))
				between = 0
			}
			add(between, l.text(field, f, strong, r.width, style{size: l.sheet.large, bold: true, leading: 1.25}))
			add(0, l.text(field, f, rest, r.width, style{size: l.sheet.text}))
			continue
		}
		add(between, l.text(field, f, name, r.width, style{size: l.sheet.text, leading: 1.2}))
		add(0, l.text(field, f, strong, r.width, style{size: 1.15 * l.sheet.text, bold: true, leading: 1.2}))
		add(0, l.text(field, f, rest, r.width, style{size: l.sheet.text}))
	}
	return r
}

// rows are the points that the kind of sign has.
func (l *layout) rows(first, others, gap, width float64) (rows []*row) {
	for i := range l.Summary.Points {
		if p := &l.Summary.Points[i]; l.shows(i, p) {
			icon := others
			if i == 0 {
				icon = first
			}
			rows = append(rows, l.row(i, p, icon, first, gap, width))
		}
	}
	return rows
}

// rtl reports whether the sign is read from right to left.
func (l *layout) rtl() bool { return i18n.Direction(l.faces[0].Locale) == "rtl" }

// begin is where something of a width begins that is so far from the side where reading
// begins.
func (l *layout) begin(x, width float64) float64 {
	if l.rtl() {
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

// mark draws the logo or the icon of a point.
func (l *layout) mark(p *datachain.Point, x, y, side float64) {
	drawn, name := l.Logo, "the logo"
	if !l.hasLogo(p) {
		drawn, name = l.appendIcon(nil, p), "the symbol of "+p.Entries[0].Element.ID
	}
	d, err := icons.Draw(drawn)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("%w: %s, %w; or print the sign as a page (.html) in a browser", ErrNotVector, name, err))
		return
	}
	if l.o.Mono {
		gray(d.Figures)
	}
	l.plate.place(d, x, y, side)
}

// paper draws a sign or a notice: points from above, and the code at the bottom. What does
// not fit is reported for the points that take more than their share.
func (l *layout) paper() {
	margin, width := l.sheet.margin, l.sheet.width-2*l.sheet.margin
	first, others, gap := l.iconSizes()
	pad := 0.4 * margin
	rows := l.rows(first, others, 0.6*margin, width)
	foot := l.foot(width)
	room := l.sheet.height - 2*margin - foot.height - pad
	needed := 0.0
	for i, r := range rows {
		needed += r.height()
		room -= gap
		if i > 0 {
			room -= pad
		}
	}
	if needed > room {
		claims := make([]claim, len(rows))
		for i, r := range rows {
			claims[i] = claim{fieldOf(r.point), r.height(), r.lengths}
		}
		l.blame(claims, room)
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
	foot.draw(l.sheet.height - margin - foot.height)
	if l.o.CutMarks {
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
	margin, side, first := l.sheet.margin, l.codeWidth(), &l.faces[0]
	// The border of the code lies in the margin, which is white anyway.
	indent := quiet * side / float64(l.code.modules+2*quiet)
	column := width - side + indent - 0.4*margin
	var beside, below stack
	for i := range l.faces {
		beside.add(0.35*l.sheet.large*points, l.text("code", &l.faces[i], l.scan(&l.faces[i]), column, style{size: l.sheet.large, bold: true, leading: 1.2}))
	}
	for i := range l.faces {
		beside.add(0.35*l.sheet.text*points, l.text("date", &l.faces[i], l.asOf(&l.faces[i]), column, style{size: l.sheet.text}))
	}
	address := strings.ReplaceAll(l.address(), "/", "/\u200b")
	link := l.text("address", first, address, width, style{size: l.sheet.text, bold: true, breaks: true})
	below.add(0, link)
	below.add(0.2*margin, l.text("attribution", first, l.attribution(), width, style{size: l.sheet.tiny, leading: 1.2}))
	if len(link.set) > 2 {
		l.checkAddress()
	}
	high := max(side, beside.height())
	return foot{height: high + below.height(), draw: func(y float64) {
		x := l.begin(margin-indent, side)
		at := y + (high-side)/2
		unit := side / float64(l.code.modules+2*quiet)
		path := l.plate.fill()
		for _, r := range l.code.runs {
			path.rect(x+unit*float64(r.x), at+unit*float64(r.y), unit*float64(r.width), unit)
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
		point *datachain.Point
		stack
		width float64
	}
	var parts []part
	set := func(p *datachain.Point, field string, s style, say func(f *face) string) {
		added := part{point: p}
		for i := range l.faces {
			b := l.text(field, &l.faces[i], say(&l.faces[i]), endless, s)
			added.add(0, b)
			added.width = max(added.width, b.widest)
		}
		for _, b := range added.blocks {
			b.width = added.width
		}
		parts = append(parts, added)
	}
	set(nil, "title", style{size: smallSize, bold: true}, l.title)
	high := smallIcon
	for i := range l.Summary.Points {
		if p := &l.Summary.Points[i]; l.shows(i, p) {
			set(p, fieldOf(p), style{size: smallSize}, func(f *face) string {
				_, strong, _ := l.words(p, f)
				return strong
			})
		}
	}
	total := smallPad
	for i := range parts {
		p := &parts[i]
		if p.point != nil && !l.hasLogo(p.point) && len(p.point.Entries) == 0 {
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
	l.sheet.large, l.sheet.text = 1.15*smallSize, smallSize
	l.plate.width = width
	var heading stack
	for i := range l.faces {
		heading.add(0, l.text("title", &l.faces[i], l.title(&l.faces[i]), width-2*smallPad, style{size: 1.2 * smallSize, bold: true}))
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
