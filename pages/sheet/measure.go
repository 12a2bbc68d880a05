package sheet

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/internal/i18n"
)

// Browsers choose the font of an HTML sign, so its texts are measured with letters as wide as
// those of DejaVu Sans, which is wider than the fonts that most devices have. Drawings follow this
// estimate, too, although their letters can be measured, so that all forms of a sign are alike.

// widths are the widths of the characters from space to tilde and of others, in hundredths of the
// size of letters.
type widths struct {
	ascii [95]uint8
	other uint8
}

var regularWidths = widths{[...]uint8{
	32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54,
	100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, 61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50,
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
}, 75}

var boldWidths = widths{[...]uint8{
	35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84, 84, 84, 59,
	100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84, 86, 74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50,
	50, 68, 72, 60, 72, 68, 44, 72, 72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84,
}, 85}

// of returns the width of a text in multiples of the size of letters. Accents add no width.
func (w *widths) of(text string) float64 {
	total := 0
	for _, r := range norm.NFD.String(text) {
		switch letters := i18n.Letters(string(r)); {
		case ' ' <= r && r <= '~':
			total += int(w.ascii[r-' '])
		case letters == 1 && unicode.IsPunct(r) && r != '—' && r != '…':
			total += int(w.ascii['e'-' '])
		case letters == 2:
			total += 100
		default:
			total += letters * int(w.other)
		}
	}
	return float64(total) / 100
}

// lines returns the number of lines of a text for a width and a size of letters, both in mm. Words
// that are longer than a line are divided anywhere, but email addresses at their @ first.
func (w *widths) lines(text string, size, width float64) float64 {
	n, at := 0.0, 0.0 // the lines so far, and where the last one ends
	for word := range strings.FieldsSeq(text) {
		long := size * w.of(word)
		if with := at + size*w.of(" ") + long; n > 0 && with <= width {
			at = with
			continue
		}
		if local, host, found := strings.Cut(word, "@"); found && long > width {
			n += max(1, math.Ceil(size*w.of(local)/width))
			long = size * w.of("@"+host)
		}
		added := max(1, math.Ceil(long/width))
		n, at = n+added, long-(added-1)*width
	}
	return n
}

// set chooses how the points are set: in the largest letters with which all texts are estimated to fit.
// The answer is that of pages and of drawings. The error is a [*FitError].
func (c *Content) set() error {
	if !c.onPaper() { // labels and cards grow with their texts
		c.settings = []Setting{{Scale: 1}, {Scale: 1, Brief: true}}
		return nil
	}
	long, all := c.tooLongAnywhere(), settings()
	if i := slices.IndexFunc(all, c.hasRoom); i >= 0 {
		c.settings = all[i:]
	} else {
		heights, room := c.heights(all[len(all)-1])
		long = append(c.TooLong(heights, room, true), long...)
	}
	return c.Fit(long)
}

// Settings returns with which settings all texts can be on the sheet, in the order in which they
// should be tried. Others than the first one are for fonts that are wider than most.
func (c *Content) Settings() []Setting { return c.settings }

// hasRoom reports whether all points fit.
func (c *Content) hasRoom(s Setting) bool {
	list, room := c.heights(s)
	for _, height := range list {
		room -= height
	}
	return room >= 0
}

// heights estimates the heights of the points on paper, and the room for all of them.
func (c *Content) heights(s Setting) (list []float64, room float64) {
	paper := &c.Paper
	column := c.TextWidth(paper.Width-2*paper.Margin, paper.Icon, paper.Column)
	for i := range c.Points {
		p, tallest := &c.Points[i], 0.0
		name, level, strong, rest := Letterings(i == 0, s.Scale*paper.Large, s.Scale*paper.Text)
		for j := range c.Languages {
			said := &p.Texts[j]
			most, others := said.In(s.Brief)
			height := name.height(c.heading(i, j), column) + strong.height(most, column) + rest.height(others, column)
			if p.Level != nil {
				wider, higher := p.Level.Frame(level.Size * PointLength)
				height += level.height(said.Level, column-wider) + higher
			}
			tallest = max(tallest, height)
		}
		if p.Picture != nil {
			tallest = max(tallest, paper.Icon)
		}
		list = append(list, tallest)
	}
	return list, c.Room(c.topHeight(), c.FootHeight(c.besideHeight(), Lettering{paper.Tiny, false, TightLeading}.height(c.Attribution, paper.Width-2*paper.Margin)))
}

// height estimates the height of a text in lines of a width, in mm.
func (l Lettering) height(text string, width float64) float64 {
	measured := &regularWidths
	if l.Bold {
		measured = &boldWidths
	}
	size := l.Size * PointLength
	return l.Leading * size * measured.lines(text, size, width)
}

// heading returns the heading of a point in a language. The first one has the title of the document, or none.
func (c *Content) heading(point, language int) string {
	if point == 0 {
		return c.Languages[language].Lead
	}
	return c.Points[point].Texts[language].Name
}

// topHeight estimates the height of the logo and the name of the publisher, 0 if there is none.
func (c *Content) topHeight() float64 {
	if !c.hasTop() {
		return 0
	}
	text, high := Lettering{c.Paper.Text, false, Leading}, 0.0
	for i := range c.Languages {
		if name := c.Languages[i].Publisher; name != "" {
			if high > 0 {
				high += Apart * text.Size * PointLength
			}
			high += text.height(name, c.NameWidth())
		}
	}
	if len(c.Logo) > 0 {
		high = max(high, c.Paper.Mark)
	}
	return high
}

// besideHeight estimates the height of the texts beside the code.
func (c *Content) besideHeight() float64 {
	large, text, width := Lettering{c.Paper.Large, true, TightLeading}, Lettering{c.Paper.Text, false, Leading}, c.CodeTextWidth()
	high := Apart*text.Size*PointLength + text.height(strings.ReplaceAll(c.Address, "/", "/ "), width)
	for i := range c.Languages {
		l := &c.Languages[i]
		high += large.height(l.Scan, width) + text.height(l.Date, width) + Apart*text.Size*PointLength
		if l.Answers != "" {
			high += Apart*text.Size*PointLength + text.height(l.Answers, width)
		}
		if i > 0 {
			high += Apart * large.Size * PointLength
		}
	}
	return high
}
