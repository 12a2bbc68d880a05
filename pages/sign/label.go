package sign

import (
	"github.com/datachain-go/datachain/pages/sheet"
)

// frame draws the border of a label or a card.
func (l *layout) frame() {
	const wide = sheet.LineWidth
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

// label draws one line a language: the title, and the icons with what is most important. A long title
// has a line of its own.
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
		return l.set("title", in, in.Title, endless, bold(smallSize))
	})
	high := smallIcon
	for i := range l.Points {
		p := &l.Points[i]
		set(p, func(language int, in *sheet.Language) *block {
			if p.Level != nil {
				return l.level(p, in, p.Texts[language].Level, endless, sheet.Lettering{Size: smallSize, Bold: true, Leading: sheet.TightLeading})
			}
			return l.set(p.Field, in, p.Texts[language].Strong, endless, regular(smallSize))
		})
	}
	title, y := parts[0], smallPad
	if l.TwoLines() {
		parts = parts[1:]
		y += title.height() + smallPad/2
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
	l.drawing.width, l.drawing.height = max(total, 2*smallPad+title.width), y+high+smallPad
	l.frame()
	if l.TwoLines() {
		title.draw(l.drawing, l.fromStart(smallPad, title.width), smallPad)
	}
	x := smallPad
	for i := range parts {
		p := &parts[i]
		if p.point != nil {
			l.picture(p.point.Picture, p.point.PictureName, l.fromStart(x, smallIcon), y+(high-smallIcon)/2, smallIcon)
			x += smallIcon + smallPad/2
		}
		p.draw(l.drawing, l.fromStart(x, p.width), y+(high-p.height())/2)
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
		heading.add(0, l.set("title", &l.Languages[i], l.Languages[i].Title, width-2*smallPad, bold(1.2*smallSize)))
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
