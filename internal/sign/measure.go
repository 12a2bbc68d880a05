package sign

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

// claim is how much of a sheet a point takes.
type claim struct {
	field   string
	height  float64 // in mm
	lengths []int   // of its texts in letters, by language
}

// claims estimates what the points take on paper if their letters are so many times as large,
// and the room for all of them. It follows the style sheet.
func (d *drawing) claims(scale float64) (list []claim, room float64) {
	margin, large, text := d.sheet.margin, d.sheet.large*points, d.sheet.text*points
	if d.dense() {
		large, text = 1.2*d.sheet.least*points, d.sheet.least*points
	}
	width := d.sheet.width - 2*margin
	first, others, gap := d.iconSizes()
	room = d.sheet.height - 2*margin - d.footHeight(large, text, gap)
	for i := range d.Summary.Points {
		p := &d.Summary.Points[i]
		if !d.shows(i, p) {
			continue
		}
		c, icon, size := claim{field: fieldOf(p)}, others, text*scale
		if i == 0 {
			icon = first
		}
		column := width - icon - gap
		if d.beside() {
			column = (column - gap) / 2
		}
		for j := range d.faces {
			name, strong, rest := d.words(p, &d.faces[j])
			c.lengths = append(c.lengths, i18n.Letters(strong+rest))
			var high float64
			if i == 0 {
				size = large * scale
				high = 1.2*size*regularWidths.lines(d.lead(&d.faces[j]), size, column) +
					1.25*size*(boldWidths.lines(strong, size, column)+regularWidths.lines(rest, size, column))
			} else {
				high = 1.2*size*regularWidths.lines(name, size, column) + 1.4*size*boldWidths.lines(strong, 1.15*size, column) +
					leading*size*regularWidths.lines(rest, size, column)
			}
			switch {
			case d.beside():
				c.height = max(c.height, high)
			case j > 0:
				c.height += apart*size + high
			default:
				c.height = high
			}
		}
		c.height = max(c.height, icon)
		list = append(list, c)
		if room -= gap; i > 0 {
			room -= 0.4*margin + 0.3 // the line above it
		}
	}
	return list, room
}

// iconSizes are the sides of the icons of the first point and of others, and the gap between
// points.
func (d *drawing) iconSizes() (first, others, gap float64) {
	margin := d.sheet.margin
	switch {
	case d.o.Kind == Notice:
		return 1.4 * margin, 1.4 * margin, 0.4 * margin
	case d.dense():
		return 2 * margin, 2 * margin, 0.6 * margin
	}
	return 3 * margin, 2 * margin, 0.6 * margin
}

// footHeight is the height of the code, what is beside and below it, and the gaps between them.
func (d *drawing) footHeight(large, text, gap float64) float64 {
	margin, side := d.sheet.margin, d.codeWidth()
	width := d.sheet.width - 2*margin
	column := width - side*float64(d.code.modules+quiet)/float64(d.code.modules+2*quiet) - 0.4*margin
	beside := float64(len(d.faces)-1)*apart*large + float64(len(d.faces))*apart*text
	for i := range d.faces {
		f := &d.faces[i]
		beside += 1.2*large*boldWidths.lines(d.scan(f), large, column) + leading*text*regularWidths.lines(d.asOf(f), text, column)
	}
	below := gap - 0.5*margin + leading*text*boldWidths.lines(d.address(), text, width)
	if source := d.attribution(); source != "" {
		tiny := d.sheet.tiny * points
		below += gap + 1.2*tiny*regularWidths.lines(source, tiny, width)
	}
	return max(side, beside) + below
}

// hasRoom reports whether all points fit with letters that are so many times as large.
func (d *drawing) hasRoom(scale float64) bool {
	list, room := d.claims(scale)
	for _, c := range list {
		room -= c.height
	}
	return room >= 0
}

// blame reports the points that take more than their share of the room, and the title if it is
// longer than what stands below it. The first point may be 1.6 times as high as others.
func (d *drawing) blame(list []claim, room float64) {
	for i, length := range list[0].lengths {
		if title := i18n.Letters(d.lead(&d.faces[i])); title > length {
			d.fit.Texts = append(d.fit.Texts, LongText{Field: "title", Locale: d.faces[i].Locale, Length: title, Limit: length})
		}
	}
	const weight = 1.6
	share := max(0, room) / (float64(len(list)-1) + weight)
	for i, c := range list {
		allowed := share
		if i == 0 {
			allowed = weight * share
		}
		if c.height <= allowed {
			continue
		}
		for j, length := range c.lengths {
			d.fit.Texts = append(d.fit.Texts, LongText{Field: c.field, Locale: d.faces[j].Locale, Length: length, Limit: int(float64(length) * allowed / c.height)})
		}
	}
}
