package contactsheet

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	svg "github.com/ajstarks/svgo/float"
	"golang.org/x/text/width"

	"github.com/datachain-go/datachain/taxonomy"
)

// Measures of the image, in pixels.
const (
	margin    = 40.0
	large     = 128.0 // the three sizes of icons
	medium    = 36.0
	small     = 24.0
	gap       = 12.0
	names     = 330.0 // the column of titles
	rowHeight = medium + 2*gap
	cell      = small + medium + 2*gap
	hero      = large + 2*gap // the box of a large icon
	minWidth  = 900.0

	headHeight    = 116.0
	titleHeight   = 62.0
	heroBase      = hero + 48 // with labels of one line
	lineHeight    = 16.0
	sectionMargin = 28.0
)

// SVG writes a contact sheet as one image. If an icon can't be drawn, it writes nothing.
func SVG(w io.Writer, r *taxonomy.Release, o *Options) error {
	p, err := newPage(r, o)
	if err != nil {
		return err
	}
	var b bytes.Buffer // svgo ignores errors
	drawn := picture{page: p, svg: svg.New(&b), width: minWidth}
	drawn.svg.Decimals = 0 // all measures are whole pixels
	for _, c := range p.Categories {
		columns := float64(len(c.Variants))
		drawn.width = max(drawn.width, 2*margin+columns*(hero+gap), 2*margin+names+2*(columns*cell+gap)+gap)
	}
	drawn.draw()
	_, err = w.Write(b.Bytes())
	return err
}

// picture draws a page from the top down.
type picture struct {
	*page
	svg   *svg.SVG
	width float64
	y     float64
}

func (p *picture) draw() {
	height := headHeight + margin
	for i := range p.Categories {
		height += p.cardHeight(&p.Categories[i]) + sectionMargin
	}
	p.svg.Startview(p.width, height, 0, 0, p.width, height)
	p.svg.Title(clean(p.Title + " (" + p.Version + "): icons"))
	p.svg.Def()
	for _, d := range p.Icons {
		p.svg.Gid(d.ID)
		_, _ = io.WriteString(p.svg.Writer, string(d.SVG)) // a buffer takes everything
		p.svg.Gend()
	}
	p.svg.DefEnd()
	p.svg.Rect(0, 0, p.width, height, `fill="#f4f5f7"`)
	p.svg.Group(`font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"`, `fill="#16181d"`)
	p.head()
	for i := range p.Categories {
		p.category(&p.Categories[i])
	}
	p.svg.Gend()
	p.svg.End()
}

func (p *picture) cardHeight(c *category) float64 {
	return titleHeight + p.heroHeight(c) + float64(len(c.Elements))*rowHeight + gap
}

// heroHeight returns the height of the large icons and their longest label.
func (p *picture) heroHeight(c *category) float64 {
	lines := 1
	for i := range c.Variants {
		lines = max(lines, len(p.label(c, i)))
	}
	return heroBase + float64(lines-1)*lineHeight
}

// label returns the lines of a variant's label. That of the last variant may extend to the edge of the
// card.
func (p *picture) label(c *category, i int) []string {
	room := hero + gap/2
	if i == len(c.Variants)-1 {
		room = p.width - 2*margin - float64(i)*(hero+gap)
	}
	return wrap(c.Variants[i].Label, 2, room/13)
}

func (p *picture) head() {
	p.text(margin, margin+28, fit(p.Title, (p.width-2*margin)/30), `font-size="30" font-weight="700"`)
	p.text(margin, margin+56, fmt.Sprintf("%s, %d elements, %d icons, %s", p.Version, p.Elements, p.Drawn, p.Hash), `font-size="14" fill="#5c6370"`)
	p.y = headHeight
}

// category draws a card: the first element large, in each variant on light and dark, then
// every element small.
func (p *picture) category(c *category) {
	p.svg.Rect(margin/2, p.y, p.width-margin, p.cardHeight(c), `rx="12" fill="#ffffff" stroke="#d9dce2"`)
	p.text(margin, p.y+32, fit(c.Name, (p.width-2*margin)/20), `font-size="20" font-weight="700"`)
	under := c.ID + ", " + c.Shape
	if c.Context != "" {
		under += ", " + c.Context
	}
	p.text(margin, p.y+52, fit(under, (p.width-2*margin)/13*regular), `font-size="13" fill="#5c6370"`)
	p.y += titleHeight
	p.heroes(c)
	for i := range c.Elements {
		p.element(&c.Elements[i])
	}
	p.y += sectionMargin + gap
}

func (p *picture) heroes(c *category) {
	x := margin
	for i, v := range c.Variants {
		p.svg.Rect(x, p.y, hero/2, hero, `fill="#ffffff"`)
		p.svg.Rect(x+hero/2, p.y, hero/2, hero, `fill="#111111"`)
		p.svg.Rect(x, p.y, hero, hero, `fill="none" stroke="#d9dce2"`)
		p.icon(c.Elements[0].Icons[i], x+gap, p.y+gap, large)
		y := p.y + hero + 18
		for _, line := range p.label(c, i) {
			p.text(x, y, line, `font-size="13" font-weight="600"`)
			y += lineHeight
		}
		under := v.Contrast
		if v.Color != "" {
			under = v.Color + ", " + under
		}
		p.text(x, y, under, `font-size="12" fill="#5c6370"`)
		x += hero + gap
	}
	p.y += p.heroHeight(c)
}

func (p *picture) element(e *element) {
	p.text(margin, p.y+rowHeight/2-3, fit(e.Title, (names-gap)/15*regular), `font-size="15"`)
	p.text(margin, p.y+rowHeight/2+15, fit(e.ID, (names-gap)/12*regular), `font-size="12" fill="#5c6370"`)
	x := margin + names
	for _, background := range []string{"#ffffff", "#111111"} {
		width := float64(len(e.Icons))*cell + gap
		p.svg.Rect(x, p.y+2, width, rowHeight-4, `fill="`+background+`" stroke="#d9dce2"`)
		for i, id := range e.Icons {
			at := x + gap + float64(i)*cell
			p.icon(id, at, p.y+(rowHeight-small)/2, small)
			p.icon(id, at+small+gap/2, p.y+(rowHeight-medium)/2, medium)
		}
		x += width + gap
	}
	p.y += rowHeight
}

// icon shows an icon of the defs.
func (p *picture) icon(id string, x, y, size float64) {
	p.svg.Use(0, 0, "#"+id, fmt.Sprintf(`transform="translate(%g %g) scale(%g)"`, x, y, size/medium))
}

// text writes a text on one line.
func (p *picture) text(x, y float64, text, attributes string) {
	p.svg.Text(x, y, clean(text), attributes)
}

// fit shortens a text that is wider than the room, which is in ems.
func fit(text string, room float64) string {
	if end := reach(text, room); end == len(text) {
		return text
	}
	return strings.TrimRight(text[:reach(text, room-emWidth('…'))], " ") + "…"
}

// wrap breaks a text into at most so many lines, at spaces or, in words that are longer
// than a line, anywhere. It shortens the last line if necessary.
func wrap(text string, lines int, room float64) []string {
	var list []string
	text = clean(text)
	for len(list) < lines-1 {
		end := reach(text, room)
		if end == len(text) {
			break
		}
		if space := strings.LastIndexByte(text[:end+1], ' '); space > 0 {
			end = space
		}
		list = append(list, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(list, fit(text, room))
}

// reach returns how many bytes of a text fit into the room.
func reach(text string, room float64) int {
	for i, r := range text {
		if room -= emWidth(r); room < 0 {
			return i
		}
	}
	return len(text)
}

// regular is how much more text fits if it is not bold.
const regular = 1.13

// emWidth estimates the width of a character in a wide, bold sans-serif font. The font that
// will draw it is not known.
func emWidth(r rune) float64 {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case strings.ContainsRune(" !',.:;Iijl|’", r):
		return 0.36
	case strings.ContainsRune("()-[]frt/", r):
		return 0.47
	case strings.ContainsRune("mwMW@%…", r):
		return 1
	case unicode.IsUpper(r):
		return 0.78
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 1.05
	}
	return 0.67
}

// clean collapses white space, including line breaks.
func clean(text string) string { return strings.Join(strings.Fields(text), " ") }
