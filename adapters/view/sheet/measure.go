package sheet

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/internal/i18n"
)

// Browsers choose the font of an HTML sign, so its texts are measured with letters as wide as
// those of DejaVu Sans, which is wider than the fonts that most devices have. Files with
// outlines are measured exactly, by the typesetter.

// widths are the widths of the characters from space to tilde, and of others, in hundredths of
// the size.
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

// of is the width of a text, as a part of the size. Letters with an accent are as wide as
// without.
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

// lines is how many lines of a width a text has with letters of a size, both in mm. Words that
// are longer than a line are divided anywhere.
func (w *widths) lines(text string, size, width float64) float64 {
	n, at := 0.0, 0.0 // the lines so far, and where the last one ends
	for word := range strings.FieldsSeq(text) {
		long := size * w.of(word)
		if with := at + size*w.of(" ") + long; n > 0 && with <= width {
			at = with
			continue
		}
		added := max(1, math.Ceil(long/width))
		n, at = n+added, long-(added-1)*width
	}
	return n
}

// leading is the height of a line of text, and apart the space between paragraphs, as parts of
// the size.
const leading, apart = 1.3, 0.35

// heights estimates how high the points are on paper if their letters are so many times as large,
// and the room for all of them. It follows the style sheet.
func (p *page) heights(scale float64) (list []float64, room float64) {
	paper := &p.Paper
	large, text := paper.Large*points, paper.Text*points
	width := paper.Width - 2*paper.Margin
	room = paper.Height - 2*paper.Margin - p.footHeight(large, text)
	for i := range p.Points {
		icon, size := paper.Icon, text*scale
		if i == 0 {
			icon, size = paper.FirstIcon, large*scale
		}
		column := width - icon - paper.Gap
		if p.SideBySide() {
			column = (column - paper.Gap) / 2
		}
		height := 0.0
		for j := range p.Languages {
			said := &p.Points[i].Texts[j]
			strong, rest := said.in(p.brief)
			var high float64
			if i == 0 {
				high = 1.2*size*regularWidths.lines(p.Languages[j].Lead, size, column) +
					1.25*size*(boldWidths.lines(strong, size, column)+regularWidths.lines(rest, size, column))
			} else {
				high = 1.2*size*regularWidths.lines(said.Name, size, column) + 1.4*size*boldWidths.lines(strong, 1.15*size, column) +
					leading*size*regularWidths.lines(rest, size, column)
			}
			switch {
			case p.SideBySide():
				height = max(height, high)
			case j > 0:
				height += apart*size + high
			default:
				height = high
			}
		}
		list = append(list, max(height, icon))
		if room -= paper.Gap; i > 0 {
			room -= 0.4*paper.Margin + 0.3 // the line above it
		}
	}
	return list, room
}

// footHeight is the height of the code, what is beside and below it, and the gaps between them.
func (p *page) footHeight(large, text float64) float64 {
	margin, gap, side := p.Paper.Margin, p.Paper.Gap, p.CodeWidth
	width := p.Paper.Width - 2*margin
	column := width - side*float64(p.Code.Modules+QuietZone)/float64(p.Code.Modules+2*QuietZone) - 0.4*margin
	beside := float64(len(p.Languages)-1)*apart*large + float64(len(p.Languages))*apart*text
	for i := range p.Languages {
		l := &p.Languages[i]
		beside += 1.2*large*boldWidths.lines(l.Scan, large, column) + leading*text*regularWidths.lines(l.Date, text, column)
	}
	below := gap - 0.5*margin + leading*text*boldWidths.lines(p.Address, text, width)
	if p.Attribution != "" {
		tiny := p.Paper.Tiny * points
		below += gap + 1.2*tiny*regularWidths.lines(p.Attribution, tiny, width)
	}
	return max(side, beside) + below
}

// hasRoom reports whether all points fit with letters that are so many times as large.
func (p *page) hasRoom(scale float64) bool {
	list, room := p.heights(scale)
	for _, height := range list {
		room -= height
	}
	return room >= 0
}
