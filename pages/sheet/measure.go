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
// those of DejaVu Sans, which is wider than the fonts that most devices have. Files with
// outlines are measured exactly, by the typesetter.

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

// leading is the height of a line of text and apart the space between paragraphs, in multiples of the
// size of letters; line is the width of a drawn line in mm.
const leading, apart, line = 1.3, 0.35, 0.3

// heights estimates the heights of the points on paper with scaled letters, and the room for all of
// them. It follows the style sheet.
func (p *page) heights(scale float64) (list []float64, room float64) {
	paper := &p.Paper
	large, text := scale*paper.Large*points, scale*paper.Text*points
	room = paper.Height - 2*paper.Margin - p.footHeight()
	column := paper.Width - 2*paper.Margin - paper.Icon - paper.Column
	if p.SideBySide() {
		column = (column - paper.Column) / 2
	}
	if p.hasTop() {
		room -= p.topHeight() + paper.Gap + paper.Pad + line
	}
	for i := range p.Points {
		height := 0.0
		for j := range p.Languages {
			said := &p.Points[i].Texts[j]
			strong, rest := said.In(p.brief)
			high := 1.2 * text * regularWidths.lines(p.name(i, j), text, column)
			if i == 0 {
				high += 1.25 * large * (boldWidths.lines(strong, large, column) + regularWidths.lines(rest, large, column))
			} else {
				size := 1.15 * text
				high += 1.2*size*boldWidths.lines(strong, size, column) + leading*text*regularWidths.lines(rest, text, column)
				if level := p.Points[i].Level; level != nil {
					around := (1.15 + 0.3125*float64(len(level.Bars))) * size
					high += size*(1.2*boldWidths.lines(said.Level, size, column-around-0.5)+0.5) + 0.5
				}
			}
			height = max(height, high)
		}
		if p.Points[i].Picture != nil {
			height = max(height, paper.Icon)
		}
		list = append(list, height)
		if room -= paper.Gap; i > 0 {
			room -= paper.Pad + line
		}
	}
	return list, room
}

// name returns the heading of a point in a language. The first one has the title of the document, or none.
func (p *page) name(point, language int) string {
	if point == 0 {
		return p.Languages[language].Lead
	}
	return p.Points[point].Texts[language].Name
}

// hasTop reports whether the sign begins with the publisher.
func (c *Content) hasTop() bool {
	return len(c.Logo) > 0 || slices.ContainsFunc(c.Languages, func(l Language) bool { return l.Publisher != "" })
}

// topHeight estimates the height of the logo and the name of the publisher.
func (p *page) topHeight() float64 {
	text, high := p.Paper.Text*points, -apart*p.Paper.Text*points
	width := p.Paper.Width - 2*p.Paper.Margin - p.Paper.Mark - apart*p.Paper.Margin
	for i := range p.Languages {
		high += text * (apart + leading*regularWidths.lines(p.Languages[i].Publisher, text, width))
	}
	if len(p.Logo) > 0 {
		high = max(high, p.Paper.Mark)
	}
	return high
}

// footHeight estimates the height of the line, the code, and what is beside and below it.
func (p *page) footHeight() float64 {
	paper, side := &p.Paper, p.CodeWidth
	large, text, tiny := paper.Large*points, paper.Text*points, paper.Tiny*points
	width := paper.Width - 2*paper.Margin
	column := width - side*float64(p.Code.Modules+QuietZone)/float64(p.Code.Modules+2*QuietZone) - paper.Pad
	beside := text * (apart + leading*regularWidths.lines(strings.ReplaceAll(p.Address, "/", "/ "), text, column))
	for i := range p.Languages {
		l := &p.Languages[i]
		beside += large*(apart+1.2*boldWidths.lines(l.Scan, large, column)) + text*(apart+leading*regularWidths.lines(l.Date, text, column))
	}
	high := paper.Pad + line + max(side, beside)
	if p.Attribution != "" {
		high += paper.Gap + 1.2*tiny*regularWidths.lines(p.Attribution, tiny, width)
	}
	return high
}

// hasRoom reports whether all points fit with scaled letters.
func (p *page) hasRoom(scale float64) bool {
	list, room := p.heights(scale)
	for _, height := range list {
		room -= height
	}
	return room >= 0
}
