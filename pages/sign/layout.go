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

const points = sheet.PointLength

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
		r := &row{point: p, icon: icon, gap: gap, width: l.TextWidth(width, icon, gap), texts: make([]stack, 1)}
		if l.SideBySide() {
			r.texts = make([]stack, 2)
		}
		name, level, strong, rest := sheet.Letterings(i == 0, l.large, l.text)
		for j := range l.Languages {
			f, text, add := &l.Languages[j], &p.Texts[j], r.texts[min(j, len(r.texts)-1)].add
			most, others := text.In(l.brief)
			heading, field := text.Name, p.Field
			if i == 0 {
				heading, field = f.Lead, "title"
			}
			contact := i > 0 && p.Field == string(taxonomy.RoleAccountable) // such as a long address
			add(sheet.Apart*l.text*points, l.set(field, f, heading, r.width, style{Lettering: name}))
			add(0, l.level(p, f, text.Level, r.width, level))
			add(0, l.set(p.Field, f, most, r.width, style{Lettering: strong}))
			add(0, l.set(p.Field, f, others, r.width, style{Lettering: rest, breaks: contact}))
		}
		rows = append(rows, r)
	}
	return rows
}

// level sets the name of a context value in its box.
func (l *layout) level(p *sheet.Point, in *sheet.Language, name string, width float64, as sheet.Lettering) *block {
	if p.Level == nil {
		return new(block)
	}
	wider, higher := p.Level.Frame(as.Size * points)
	b := l.set(p.Field, in, name, width-wider, style{Lettering: as})
	b.level, b.width, b.widest = p.Level, width, b.widest+wider
	b.height += higher
	return b
}

// drawLevel draws the box of a level with its bars, and the text in it.
func (b *block) drawLevel(p *drawing, x, y float64) {
	em := b.Size * points
	if b.right {
		x += b.width - b.widest
	}
	black := icons.Paint{Opacity: 1}
	ink := icons.Paint{Color: b.level.Ink, Opacity: 1}
	box := icons.Figure{Stroke: &black, Pen: icons.Pen{Width: sheet.LevelBorder, MiterLimit: 4}, Opacity: 1}
	if b.level.Fill != nil {
		black.Opacity = 0.4
		box.Fill = &icons.Paint{Color: *b.level.Fill, Opacity: 1}
	}
	high := b.height - 2*sheet.LevelMargin*em
	p.add(box).round(x+sheet.LevelBorder/2, y+sheet.LevelMargin*em+sheet.LevelBorder/2, b.widest-sheet.LevelBorder, high-sheet.LevelBorder, 0.25*em)
	unit, edge := sheet.LevelBarUnit*em, sheet.LevelBorder+sheet.LevelPadX*em
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
		text.width -= 5*unit*float64(bars) + sheet.LevelGap*em
	}
	if at := x + edge; b.right {
		text.draw(p, at, y+(sheet.LevelMargin+sheet.LevelPadY)*em+sheet.LevelBorder)
	} else {
		text.draw(p, x+b.widest-edge-text.width, y+(sheet.LevelMargin+sheet.LevelPadY)*em+sheet.LevelBorder)
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
