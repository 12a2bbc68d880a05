package sign

import (
	"strings"

	"github.com/datachain-go/datachain/pages/sheet"
)

// paper draws a sign or a notice: the publisher, points from above, and the code at the bottom. What
// does not fit is reported for the points that take more than their share.
func (l *layout) paper() {
	paper := &l.Paper
	margin, width := paper.Margin, paper.Width-2*paper.Margin
	top, mark := l.top(width)
	rows, foot := l.rows(paper.Icon, paper.Column, width), l.foot(width)
	high := top.height()
	if len(l.Logo) > 0 {
		high = max(high, paper.Mark)
	}
	room, needed := l.Room(high, foot.height), 0.0
	heights := make([]float64, len(rows))
	for i, r := range rows {
		heights[i] = r.height()
		needed += heights[i]
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
			l.drawing.fill().rect(margin, y, width, sheet.LineWidth)
			y += paper.Pad + sheet.LineWidth
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
	mark = width - l.NameWidth()
	for i := range l.Languages {
		f := &l.Languages[i]
		names.add(sheet.Apart*l.Paper.Text*points, l.set("publisher", f, f.Publisher, width-mark, regular(l.Paper.Text)))
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
	paper, side, first := &l.Paper, l.CodeWidth, &l.Languages[0]
	unit, indent, column := side/float64(l.Code.Modules+2*sheet.QuietZone), l.CodeIndent(), l.CodeTextWidth()
	tight := func(size float64, bold bool) style {
		return style{Lettering: sheet.Lettering{Size: size, Bold: bold, Leading: sheet.TightLeading}}
	}
	var beside, below stack
	for i := range l.Languages {
		in := &l.Languages[i]
		beside.add(sheet.Apart*paper.Large*points, l.set("code", in, in.Scan, column, tight(paper.Large, true)))
		beside.add(sheet.Apart*paper.Text*points, l.set("answers", in, in.Answers, column, regular(paper.Text)))
	}
	address := regular(paper.Text)
	address.breaks = true
	beside.add(sheet.Apart*paper.Text*points, l.set("address", first, strings.ReplaceAll(l.Address, "/", "/\u200b"), column, address))
	for i := range l.Languages {
		beside.add(sheet.Apart*paper.Text*points, l.set("date", &l.Languages[i], l.Languages[i].Date, column, regular(paper.Text)))
	}
	below.add(0, l.set("attribution", first, l.Attribution, width, tight(paper.Tiny, false)))
	upper, high := paper.Pad+sheet.LineWidth, max(side, beside.height())
	height := l.FootHeight(beside.height(), below.height())
	lower := height - upper - high
	return foot{height: height, draw: func(y float64) {
		l.drawing.fill().rect(paper.Margin, y, width, sheet.LineWidth)
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
