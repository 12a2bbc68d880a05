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
	"github.com/datachain-go/datachain/taxonomy"
)

// Drawer draws signs. It is safe for concurrent use.
type Drawer struct {
	fonts func() (fonts, error)
}

var _ sheet.Drawer = (*Drawer)(nil)

// New returns a Drawer with the embedded fonts, which are read with the first sign, and those in a
// directory, which can be nil.
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
	return l.drawing.svg(), nil
}

// PDF draws each sign on a page of its own.
func (a *Drawer) PDF(o *sheet.Options, subjects ...*sheet.Subject) ([]byte, error) {
	if len(subjects) == 0 {
		return nil, errors.New("there are no signs to draw")
	}
	var drawings []*drawing
	locale := ""
	for _, s := range subjects {
		l, err := a.layout(s, o)
		if err != nil {
			return nil, err
		}
		drawings = append(drawings, l.drawing)
		locale = cmp.Or(locale, l.Languages[0].Locale)
	}
	return writePDF(drawings, locale)
}

// layout places the parts of a sign on a drawing.
type layout struct {
	*sheet.Content
	*typesetter
	large, text float64 // sizes of letters in points
	brief       bool    // not all purposes are named, since they do not fit
	drawing     *drawing
	texts       []string         // that are on it
	long        []sheet.LongText // texts that do not fit
	err         error
}

// layout draws a sign. On paper, it uses the largest letters with which all texts fit.
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
	scales := c.Paper.Scales
	for i := range 2 * len(scales) {
		scale := scales[i%len(scales)]
		l.brief = i >= len(scales) // purposes are left out only if they do not fit in the smallest letters
		l.drawing = &drawing{width: c.Paper.Width, height: c.Paper.Height, title: c.Languages[0].Title}
		l.texts, l.long = nil, nil
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
	l.drawing.text = strings.Join(l.texts, "\n")
	return l, cmp.Or(l.err, l.Fit(l.long))
}

// set breaks the text of a field into lines.
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
	l.texts = append(l.texts, strings.ReplaceAll(text, "\u200b", ""))
	b.right = b.right || in.RTL // such as an email address
	return b
}

// points is the length of a point in mm, and apart the space between paragraphs in multiples of the
// size of letters.
const (
	points = 25.4 / 72
	apart  = 0.35
)

// stack is a column of blocks.
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

// draw draws the blocks with the upper left corner at x and y.
func (s *stack) draw(p *drawing, x, y float64) {
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
	point *sheet.Point
	icon  float64 // its side
	gap   float64 // between the column of icons, the texts and those beside them
	width float64 // of each of the texts
	texts []stack // side by side
}

func (r *row) height() float64 { return max(r.icon, r.textHeight()) }

// textHeight is the height of the tallest text.
func (r *row) textHeight() float64 {
	high := 0.0
	for i := range r.texts {
		high = max(high, r.texts[i].height())
	}
	return high
}

// rows returns the points of the summary, with their texts set beside the column of icons.
func (l *layout) rows(icon, gap, width float64) (rows []*row) {
	for i := range l.Points {
		p := &l.Points[i]
		r := &row{point: p, icon: icon, gap: gap, width: width - icon - gap, texts: make([]stack, 1)}
		if l.SideBySide() {
			r.width = (r.width - gap) / 2
			r.texts = make([]stack, 2)
		}
		for j := range l.Languages {
			f, text, add := &l.Languages[j], &p.Texts[j], r.texts[min(j, len(r.texts)-1)].add
			strong, rest := text.In(l.brief)
			name, field := text.Name, p.Field
			large, small := style{size: 1.15 * l.text, bold: true, leading: 1.2}, style{size: l.text}
			small.breaks = field == string(taxonomy.RoleAccountable) // a contact, such as a long address
			if i == 0 {
				name, field = f.Lead, "title"
				large, small = style{size: l.large, bold: true, leading: 1.25}, style{size: l.large, leading: 1.25}
			}
			add(apart*l.text*points, l.set(field, f, name, r.width, style{size: l.text, leading: 1.2}))
			add(0, l.level(p, f, text.Level, r.width, 1.15*l.text))
			add(0, l.set(p.Field, f, strong, r.width, large))
			add(0, l.set(p.Field, f, rest, r.width, small))
		}
		rows = append(rows, r)
	}
	return rows
}

// level sets the name of a context value in its box.
func (l *layout) level(p *sheet.Point, in *sheet.Language, name string, width, size float64) *block {
	if p.Level == nil {
		return new(block)
	}
	em := size * points
	inside := 2*border + 0.8*em
	if bars := len(p.Level.Bars); bars > 0 {
		inside += barUnit*em*5*float64(bars) + 0.35*em
	}
	b := l.set(p.Field, in, name, width-inside, style{size: size, bold: true, leading: 1.2})
	b.level, b.width, b.widest = p.Level, width, b.widest+inside
	b.height += 0.5*em + 2*border
	return b
}

// border is the width of the line around a level in mm, and barUnit the unit of its bars in multiples
// of the size of letters.
const border, barUnit = 0.25, 0.0625

// drawLevel draws the box of a level with its bars, and the text in it.
func (b *block) drawLevel(p *drawing, x, y float64) {
	em := b.size * points
	if b.right {
		x += b.width - b.widest
	}
	black := icons.Paint{Opacity: 1}
	ink := icons.Paint{Color: b.level.Ink, Opacity: 1}
	box := icons.Figure{Stroke: &black, Pen: icons.Pen{Width: border, MiterLimit: 4}, Opacity: 1}
	if b.level.Fill != nil {
		black.Opacity = 0.4
		box.Fill = &icons.Paint{Color: *b.level.Fill, Opacity: 1}
	}
	high := b.height - 0.3*em
	p.add(box).round(x+border/2, y+0.15*em+border/2, b.widest-border, high-border, 0.25*em)
	unit, edge := barUnit*em, border+0.4*em
	bottom := y + b.height/2 + 6*unit
	bars := len(b.level.Bars)
	for i, tall := range b.level.Bars {
		left := x + edge + 5*unit*float64(i)
		if b.right {
			left = x + b.widest - edge - 5*unit*float64(i) - 4*unit
		}
		bar := icons.Figure{Stroke: &ink, Pen: icons.Pen{Width: unit, MiterLimit: 4}, Opacity: 1}
		if i < b.level.Rank {
			bar.Fill = &ink
		}
		p.add(bar).rect(left+unit/2, bottom-(float64(tall)-0.5)*unit, 3*unit, float64(tall-1)*unit)
	}
	text := *b
	text.level, text.ink, text.width = nil, b.level.Ink, b.widest-2*edge
	if bars > 0 {
		text.width -= 5*unit*float64(bars) + 0.35*em
	}
	if at := x + edge; b.right {
		text.draw(p, at, y+0.25*em+border)
	} else {
		text.draw(p, x+b.widest-edge-text.width, y+0.25*em+border)
	}
}

// fromStart returns the left edge of something of a width that is x away from the side on which
// lines start.
func (l *layout) fromStart(x, width float64) float64 {
	if l.Languages[0].RTL {
		return l.drawing.width - x - width
	}
	return x
}

// draw draws a row at y: the icon, and its texts beside it. The icon of the first point is at the
// top of a sheet.
func (l *layout) draw(r *row, margin, y float64) {
	height, at := r.height(), y
	if r.point != &l.Points[0] || l.Kind == sheet.Card {
		at += (height - r.icon) / 2
	}
	if r.point.Picture != nil {
		l.picture(r.point.Picture, r.point.PictureName, l.fromStart(margin, r.icon), at, r.icon)
	}
	// Texts side by side begin at the same height.
	for i := range r.texts {
		r.texts[i].draw(l.drawing, l.fromStart(margin+r.icon+r.gap+float64(i)*(r.width+r.gap), r.width), y+(height-r.textHeight())/2)
	}
}

// picture draws an SVG image in a square.
func (l *layout) picture(image []byte, name string, x, y, side float64) {
	d, err := icons.Draw(image)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("%w: %s, %w; or print the sign as a page (.html) in a browser", sheet.ErrNotVector, name, err))
		return
	}
	if l.Mono {
		gray(d.Figures)
	}
	l.drawing.place(d, x, y, side)
}

// paper draws a sign or a notice: the publisher, points from above, and the code at the bottom. What
// does not fit is reported for the points that take more than their share.
func (l *layout) paper() {
	const line = 0.3
	paper := &l.Paper
	margin, width := paper.Margin, paper.Width-2*paper.Margin
	l.long = append(l.long, l.TooLongAnywhere()...)
	top, mark := l.top(width)
	rows, foot := l.rows(paper.Icon, paper.Column, width), l.foot(width)
	room := paper.Height - 2*margin - foot.height
	high := top.height()
	if len(l.Logo) > 0 {
		high = max(high, paper.Mark)
	}
	if high > 0 {
		room -= high + paper.Gap + paper.Pad + line
	}
	needed := 0.0
	heights := make([]float64, len(rows))
	for i, r := range rows {
		heights[i] = r.height()
		needed += heights[i]
		if room -= paper.Gap; i > 0 {
			room -= paper.Pad + line
		}
	}
	if needed > room {
		l.long = append(l.long, l.TooLong(heights, room, l.brief)...)
		return
	}
	y := margin
	if high > 0 {
		if len(l.Logo) > 0 {
			l.picture(l.Logo, "the logo", l.fromStart(margin, paper.Mark), y+(high-paper.Mark)/2, paper.Mark)
		}
		top.draw(l.drawing, l.fromStart(margin+mark, width-mark), y+(high-top.height())/2)
		y += high + paper.Gap
	}
	// A part of what is left goes between the points, so that they are not all at the top.
	extra := min((room-needed)/float64(len(rows)+1), margin)
	for i, r := range rows {
		if i > 0 || high > 0 {
			l.drawing.fill().rect(margin, y, width, line)
			y += paper.Pad + line
		}
		l.draw(r, margin, y+extra/2)
		y += heights[i] + paper.Gap + extra
	}
	foot.draw(paper.Height - margin - foot.height)
	if l.CutMarks {
		l.cutMarks()
	}
}

// top sets the name of the publisher, beside so much for the logo.
func (l *layout) top(width float64) (names stack, mark float64) {
	if len(l.Logo) > 0 {
		mark = l.Paper.Mark + apart*l.Paper.Margin
	}
	for i := range l.Languages {
		f := &l.Languages[i]
		names.add(apart*l.Paper.Text*points, l.set("publisher", f, f.Publisher, width-mark, style{size: l.Paper.Text}))
	}
	return names, mark
}

// foot is the lower part of a sign.
type foot struct {
	height float64
	draw   func(y float64)
}

// foot sets the code, what it is for, and where it leads.
func (l *layout) foot(width float64) foot {
	const line = 0.3
	paper, side, first := &l.Paper, l.CodeWidth, &l.Languages[0]
	// The border of the code lies in the margin, which is white anyway.
	unit := side / float64(l.Code.Modules+2*sheet.QuietZone)
	indent := sheet.QuietZone * unit
	column := width - side + indent - paper.Pad
	var beside, below stack
	text := style{size: paper.Text}
	for i := range l.Languages {
		beside.add(apart*paper.Large*points, l.set("code", &l.Languages[i], l.Languages[i].Scan, column, style{size: paper.Large, bold: true, leading: 1.2}))
	}
	address := l.set("address", first, strings.ReplaceAll(l.Address, "/", "/\u200b"), column, style{size: paper.Text, breaks: true})
	beside.add(apart*paper.Text*points, address)
	for i := range l.Languages {
		beside.add(apart*paper.Text*points, l.set("date", &l.Languages[i], l.Languages[i].Date, column, text))
	}
	below.add(0, l.set("attribution", first, l.Attribution, width, style{size: paper.Tiny, leading: 1.2}))
	lower := 0.0
	if l.Attribution != "" {
		lower = paper.Gap + below.height()
	}
	upper, high := paper.Pad+line, max(side, beside.height())
	return foot{height: upper + high + lower, draw: func(y float64) {
		l.drawing.fill().rect(paper.Margin, y, width, line)
		y += upper
		x, at := l.fromStart(paper.Margin-indent, side), y+(high-side)/2
		path := l.drawing.fill()
		for _, r := range l.Code.Runs {
			path.rect(x+unit*float64(r.X), at+unit*float64(r.Y), unit*float64(r.Width), unit)
		}
		beside.draw(l.drawing, l.fromStart(paper.Margin-indent+side+paper.Pad, column), y+(high-beside.height())/2)
		below.draw(l.drawing, l.fromStart(paper.Margin, width), y+high+lower-below.height())
	}}
}

// cutMarks draws the corners of the sheet.
func (l *layout) cutMarks() {
	const long, wide = 5, 0.1
	w, h := l.drawing.width, l.drawing.height
	path := l.drawing.fill()
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
	w, h := l.drawing.width, l.drawing.height
	path := l.drawing.fill()
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
	set := func(p *sheet.Point, say func(language int, in *sheet.Language) *block) {
		added := part{point: p}
		for i := range l.Languages {
			b := say(i, &l.Languages[i])
			added.add(0, b)
			added.width = max(added.width, b.widest)
		}
		for _, b := range added.blocks {
			b.width = added.width
		}
		parts = append(parts, added)
	}
	set(nil, func(_ int, in *sheet.Language) *block {
		return l.set("title", in, in.Title, endless, style{size: smallSize, bold: true})
	})
	high := smallIcon
	for i := range l.Points {
		p := &l.Points[i]
		set(p, func(language int, in *sheet.Language) *block {
			if p.Level != nil {
				return l.level(p, in, p.Texts[language].Level, endless, smallSize)
			}
			return l.set(p.Field, in, p.Texts[language].Strong, endless, style{size: smallSize})
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
	l.drawing.width, l.drawing.height = total, high+2*smallPad
	l.frame()
	x := smallPad
	for i := range parts {
		p := &parts[i]
		if p.point != nil {
			l.picture(p.point.Picture, p.point.PictureName, l.fromStart(x, smallIcon), (l.drawing.height-smallIcon)/2, smallIcon)
			x += smallIcon + smallPad/2
		}
		p.draw(l.drawing, l.fromStart(x, p.width), (l.drawing.height-p.height())/2)
		x += p.width + smallPad
	}
}

// card draws a box: the title, and the points below it.
func (l *layout) card() {
	const width = 110
	l.large, l.text = 1.15*smallSize, smallSize
	l.drawing.width = width
	var heading stack
	for i := range l.Languages {
		heading.add(0, l.set("title", &l.Languages[i], l.Languages[i].Title, width-2*smallPad, style{size: 1.2 * smallSize, bold: true}))
	}
	rows := l.rows(smallIcon, smallPad, width-2*smallPad)
	l.drawing.height = 2*smallPad + heading.height()
	for _, r := range rows {
		l.drawing.height += smallPad + r.height()
	}
	l.frame()
	heading.draw(l.drawing, l.fromStart(smallPad, width-2*smallPad), smallPad)
	y := smallPad + heading.height()
	for _, r := range rows {
		l.draw(r, smallPad, y+smallPad)
		y += smallPad + r.height()
	}
}
