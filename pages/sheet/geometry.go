package sheet

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
)

// Where everything on a sheet is, and how large. The style sheet, the estimate of what fits and
// drawings have it from here, so that a page, an SVG and a PDF are the same sign.

// geometry is the layout of a size of paper. Lengths are in mm, texts in points.
type geometry struct {
	width, height, margin float64
	distance              float64 // from which the sign is read, in m
	large, text           float64 // minimum sizes of letters, of the purposes and of others
	least, tiny           float64 // minimum sizes on dense signs, and of the attribution
}

// The least size of letters is 9 pt on A6 and A5, 11 on A4 and Letter, and 16 on A3. With room for
// the largest of [scales], purposes have 20 pt on A5, and the title has 12.
var sizes = map[Size]geometry{
	A6: {
		width: 105, height: 148, margin: 6, distance: 0.3, large: 11, text: 9, least: 9, tiny: 6,
	},
	A5: {
		width: 148, height: 210, margin: 9, distance: 0.5, large: 15, text: 9, least: 9, tiny: 6,
	},
	A4: {
		width: 210, height: 297, margin: 13, distance: 0.9, large: 21, text: 12.5, least: 11, tiny: 7,
	},
	Letter: {
		width: 215.9, height: 279.4, margin: 13, distance: 0.9, large: 20, text: 12, least: 11, tiny: 7,
	},
	A3: {
		width: 297, height: 420, margin: 18, distance: 1.3, large: 30, text: 18, least: 16, tiny: 9,
	},
}

// scales are the factors by which the letters of points are larger than required, if there is room.
var scales = []float64{4. / 3, 1.2, 1.1, 1}

// noticeDistance is the distance in m from which a notice is read, whatever its size.
const noticeDistance = 0.3

// spacing is what is between the parts of a sheet, and the sides of pictures, in multiples of the margin.
type spacing struct{ icon, mark, column, gap, pad float64 }

var (
	signSpacing   = spacing{icon: 16. / 9, mark: 0.9, column: 0.6, gap: 0.5, pad: 0.4}
	noticeSpacing = spacing{icon: 1.4, mark: 0.9, column: 0.4, gap: 0.4, pad: 0.4}
)

// Lengths in mm: of a point, of drawn lines, and of the line around a level.
const (
	PointLength = 25.4 / 72
	LineWidth   = 0.3
	LevelBorder = 0.25
)

// Heights of lines and the space between paragraphs, in multiples of the size of letters.
const (
	Leading      = 1.3
	LargeLeading = 1.25 // of the first point
	TightLeading = 1.2  // of headings, levels and the attribution
	Apart        = 0.35
)

// strongSize is how much larger the letters are of what is most important in a point.
const strongSize = 1.15

// The box around a level, in multiples of the size of letters: what is above and below it, the space
// from its border to its content, that after the bars, and the unit of bars (see [Level]).
const (
	LevelMargin  = 0.15
	LevelPadY    = 0.1
	LevelPadX    = 0.4
	LevelGap     = 0.35
	LevelBarUnit = 0.0625
)

// Paper is how the sheet of a sign is laid out. Lengths are in mm, sizes of letters in points.
type Paper struct {
	Width, Height, Margin float64
	// Large is the least size of letters in the first point, Text in others, and Tiny in the
	// attribution.
	Large, Text, Tiny float64
	// Icon is the side of icons, which are in one column, and Mark that of the publisher's logo.
	Icon, Mark float64
	// Column is between the icons and the texts, Gap between points, and Pad below the line above a point.
	Column, Gap, Pad float64
}

// Setting is how the points of a sign are set.
type Setting struct {
	// Scale is by how much their letters are larger than required.
	Scale float64
	// Brief means that not all purposes are named, since they do not fit.
	Brief bool
}

// settings are all that there are on paper: purposes are left out only if they do not fit in the
// smallest letters.
func settings() (all []Setting) {
	for _, brief := range []bool{false, true} {
		for _, scale := range scales {
			all = append(all, Setting{scale, brief})
		}
	}
	return all
}

// layOut sets the sizes of letters, icons and the code.
func (c *Content) layOut(g geometry) {
	distance, space := g.distance, signSpacing
	if c.Kind == Notice {
		distance, space = noticeDistance, noticeSpacing
	}
	c.Paper = Paper{
		Width: g.width, Height: g.height, Margin: g.margin, Large: g.large, Text: g.text, Tiny: g.tiny,
		Icon: space.icon * g.margin, Mark: space.mark * g.margin, Column: space.column * g.margin, Gap: space.gap * g.margin, Pad: space.pad * g.margin,
	}
	if c.dense() {
		c.Paper.Large, c.Paper.Text = TightLeading*g.least, g.least
	}
	c.CodeWidth = c.Code.side(distance) * float64(c.Code.Modules+2*QuietZone) / float64(c.Code.Modules)
}

// onPaper reports whether the sign is a sheet of paper with a code.
func (c *Content) onPaper() bool { return c.Kind == Sign || c.Kind == Notice }

// dense reports whether the sign has much text, in the smallest letters.
func (c *Content) dense() bool { return c.Kind == Notice || len(c.Languages) == 2 }

// SideBySide reports whether two languages are side by side, not below each other.
func (c *Content) SideBySide() bool { return c.onPaper() && len(c.Languages) == 2 }

// maxBeside is the length in letters of the longest title beside the points of a label.
const maxBeside = 40

// TwoLines reports whether the title of a label is so long that it has a line of its own, above that of
// the points.
func (c *Content) TwoLines() bool {
	return slices.ContainsFunc(c.Languages, func(l Language) bool { return i18n.Letters(l.Title) > maxBeside })
}

// labelWidths are the widths of labels in multiples of the size of their letters. In narrow places the
// letters are smaller, down to 6 points, so that a line of the label stays one.
var labelWidths = []int{40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100}

// Widths on a label in multiples of the size of letters, as the style sheet has them: of icons with the
// space after them, of the space between parts, and of that at both ends.
const labelIcon, labelApart, labelEnds = 2.4, 1, 2

// labelWidth returns the least of labelWidths in which each line of a label is estimated to be one, or 0.
func (c *Content) labelWidth() int {
	title, points := 0.0, 0.0
	for i := range c.Languages {
		title = max(title, boldWidths.of(c.Languages[i].Title))
	}
	for i := range c.Points {
		p, text := &c.Points[i], 0.0
		for j := range p.Texts {
			t := &p.Texts[j]
			width := boldWidths.of(t.Level + t.Strong)
			if p.Level != nil {
				wider, _ := p.Level.Frame(1)
				width += wider
			}
			text = max(text, width)
		}
		points += labelIcon + text + labelApart
	}
	wide := title + labelApart + points
	if c.TwoLines() {
		wide = max(title, points)
	}
	for _, width := range labelWidths {
		if wide+labelEnds <= float64(width) {
			return width
		}
	}
	return 0
}

// hasTop reports whether the sign begins with the publisher.
func (c *Content) hasTop() bool {
	return len(c.Logo) > 0 || slices.ContainsFunc(c.Languages, func(l Language) bool { return l.Publisher != "" })
}

// Lettering is how a text is set.
type Lettering struct {
	Size    float64 // of letters, in points
	Bold    bool
	Leading float64 // the height of a line in multiples of the size
}

// Letterings returns how the texts of a point are set, with letters of two sizes in points: its
// heading, its level, and [PointText.In].
func Letterings(first bool, large, text float64) (name, level, strong, rest Lettering) {
	name, level = Lettering{text, false, TightLeading}, Lettering{strongSize * text, true, TightLeading}
	if first {
		return name, level, Lettering{large, true, LargeLeading}, Lettering{large, false, LargeLeading}
	}
	return name, level, Lettering{strongSize * text, true, TightLeading}, Lettering{text, false, Leading}
}

// TextWidth returns the width of each text beside an icon, in a row with gaps.
func (c *Content) TextWidth(row, icon, gap float64) float64 {
	width := row - icon - gap
	if c.SideBySide() {
		width = (width - gap) / 2
	}
	return width
}

// NameWidth returns the width of the name of the publisher, which is beside the logo.
func (c *Content) NameWidth() float64 {
	width := c.Paper.Width - 2*c.Paper.Margin
	if len(c.Logo) > 0 {
		width -= c.Paper.Mark + Apart*c.Paper.Margin
	}
	return width
}

// CodeIndent is how far the border of the code lies in the margin, which is white anyway.
func (c *Content) CodeIndent() float64 {
	return QuietZone * c.CodeWidth / float64(c.Code.Modules+2*QuietZone)
}

// CodeTextWidth returns the width of the texts beside the code.
func (c *Content) CodeTextWidth() float64 {
	return c.Paper.Width - 2*c.Paper.Margin - c.CodeWidth + c.CodeIndent() - c.Paper.Pad
}

// Frame returns how much a level is wider and higher than its text, with letters of a size in mm.
func (l *Level) Frame(size float64) (wider, higher float64) {
	wider = 2*LevelBorder + 2*LevelPadX*size
	if len(l.Bars) > 0 {
		wider += 5*LevelBarUnit*size*float64(len(l.Bars)) + LevelGap*size
	}
	return wider, 2*(LevelMargin+LevelPadY)*size + 2*LevelBorder
}

// Room returns the room for the texts of all points, below the publisher and above the foot, each of
// which is so high; 0 means that there is none.
func (c *Content) Room(top, foot float64) float64 {
	p := &c.Paper
	room := p.Height - 2*p.Margin - foot
	if top > 0 {
		room -= top + p.Gap + p.Pad + LineWidth
	}
	for i := range c.Points {
		if room -= p.Gap; i > 0 {
			room -= p.Pad + LineWidth
		}
	}
	return room
}

// FootHeight returns the height of the foot with its line. The texts beside the code and the
// attribution are so high; 0 means that there is none.
func (c *Content) FootHeight(beside, attribution float64) float64 {
	high := c.Paper.Pad + LineWidth + max(c.CodeWidth, beside)
	if attribution > 0 {
		high += c.Paper.Gap + attribution
	}
	return high
}

//go:embed sign.css
var styles string

// Style returns the style sheet of signs on a size of paper. It is the same for all signs of that
// size, so that a policy can allow it by its hash.
func Style(size Size) string {
	g := sizes[size]
	var b strings.Builder
	b.WriteString("@page{size:" + number(g.width) + "mm " + number(g.height) + "mm;margin:0}\n")
	rule := func(selector string, properties ...property) {
		b.WriteString(selector + "{")
		for i, p := range properties {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString("--" + p.name + ":" + number(p.value))
		}
		b.WriteString("}\n")
	}
	rule(".sheet", property{"w", g.width}, property{"h", g.height}, property{"m", g.margin}, property{"l", g.large}, property{"t", g.text}, property{"s", g.tiny},
		property{"lead", Leading}, property{"large-lead", LargeLeading}, property{"tight", TightLeading}, property{"apart", Apart}, property{"strong", strongSize}, property{"line", LineWidth},
		property{"border", LevelBorder}, property{"level", LevelMargin}, property{"pad-y", LevelPadY}, property{"pad-x", LevelPadX}, property{"bar", LevelBarUnit})
	rule(".sheet.is-dense", property{"l", TightLeading * g.least}, property{"t", g.least})
	for _, kind := range []struct {
		selector string
		spacing
	}{{".on-paper", signSpacing}, {".on-paper.is-notice", noticeSpacing}} {
		rule(kind.selector, property{"icon", kind.icon}, property{"mark", kind.mark}, property{"column", kind.column}, property{"gap", kind.gap}, property{"pad", kind.pad})
	}
	for _, scale := range scales[:len(scales)-1] {
		rule("."+grown(scale), property{"grow", scale})
	}
	for _, width := range labelWidths {
		rule("."+fitted(width), property{"wide", float64(width)})
	}
	return b.String() + styles
}

// property is a custom property of the style sheet, without the hyphens before its name.
type property struct {
	name  string
	value float64
}

// grown is the class of a sheet with scaled letters.
func grown(scale float64) string { return "grow-" + strconv.Itoa(int(100*scale+0.5)-100) }

// fitted is the class of a label with the width of a line in multiples of its letters.
func fitted(width int) string { return "wide-" + strconv.Itoa(width) }

// number writes a length with at most five decimals.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 5, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
