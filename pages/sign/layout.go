package sign

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/taxonomy"
)

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
