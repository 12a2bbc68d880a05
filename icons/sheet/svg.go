package sheet

import (
	"bytes"
	"fmt"
	"io"

	"github.com/ajstarks/svgo/float"

	"github.com/datachain-go/datachain/taxonomy"
)

// Measures of the picture, in pixels.
const (
	margin  = 40.0
	large   = 128.0 // an icon at its largest
	medium  = 36.0
	small   = 24.0
	gap     = 12.0
	names   = 330.0 // the column of titles
	row     = medium + 2*gap
	cell    = small + medium + 2*gap
	minimum = 900.0 // the width of the narrowest picture
)

// SVG writes a contact sheet as one picture. It writes all of it or, where an
// icon can't be drawn, nothing.
func SVG(w io.Writer, r *taxonomy.Release, o *Options) error {
	p, err := newPage(r, o)
	if err != nil {
		return err
	}
	var b bytes.Buffer // svgo drops the errors of its writer
	newPicture(&b, p).draw()
	_, err = w.Write(b.Bytes())
	return err
}

// picture is a sheet that is being drawn, from the top down.
type picture struct {
	*page
	buffer *bytes.Buffer
	canvas *svg.SVG
	width  float64
	y      float64
}

func newPicture(b *bytes.Buffer, p *page) *picture {
	columns := float64(p.columns())
	width := max(minimum, 2*margin+columns*(large+2*gap+gap), 2*margin+names+2*(columns*cell+gap)+gap)
	return &picture{page: p, buffer: b, canvas: svg.New(b), width: width}
}

func (p *picture) draw() {
	c := p.canvas
	c.Decimals = 0
	height := p.height()
	c.Startview(p.width, height, 0, 0, p.width, height)
	c.Title(clean(p.Title + " (" + p.Version + "): icons"))
	c.Def()
	for _, d := range p.Icons {
		// The text of an icon is made of what was parsed and checked.
		fmt.Fprintf(p.buffer, "<g id=\"%s\">%s</g>\n", d.ID, d.SVG)
	}
	c.DefEnd()
	c.Rect(0, 0, p.width, height, `fill="#f4f5f7"`)
	c.Group(`font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"`, `fill="#16181d"`)
	p.head()
	for i := range p.Categories {
		p.category(&p.Categories[i])
	}
	c.Gend()
	c.End()
}

// The heights of the parts.
const (
	headHeight    = 116.0
	titleHeight   = 62.0
	heroHeight    = large + 2*gap + 48
	sectionMargin = 28.0
)

func (p *picture) height() float64 {
	h := headHeight + margin
	for _, c := range p.Categories {
		h += titleHeight + heroHeight + float64(len(c.Elements))*row + sectionMargin + gap
	}
	return h
}

func (p *picture) head() {
	p.text(margin, margin+28, cut(p.Title, 70), `font-size="30"`, `font-weight="700"`)
	p.text(margin, margin+56, fmt.Sprintf("%s, %d elements, %d icons, %s", p.Version, p.Elements, p.Drawn, p.Hash), `font-size="14"`, `fill="#5c6370"`)
	p.y = headHeight
}

// category draws a card: the first element large, in each variant over light
// and dark, then every element small.
func (p *picture) category(c *category) {
	height := titleHeight + heroHeight + float64(len(c.Elements))*row + gap
	p.canvas.Roundrect(margin/2, p.y, p.width-margin, height, 12, 12, `fill="#ffffff"`, `stroke="#d9dce2"`)
	p.text(margin, p.y+32, cut(c.Name, 60), `font-size="20"`, `font-weight="700"`)
	under := c.ID + ", " + c.Shape
	if c.Context != "" {
		under += ", " + c.Context
	}
	p.text(margin, p.y+52, cut(under, 100), `font-size="13"`, `fill="#5c6370"`)
	p.y += titleHeight
	p.hero(c)
	for i := range c.Elements {
		p.element(&c.Elements[i])
	}
	p.y += sectionMargin + gap
}

func (p *picture) hero(c *category) {
	x := margin
	for i, v := range c.Variants {
		const side = large + 2*gap
		p.canvas.Rect(x, p.y, side/2, side, `fill="#ffffff"`)
		p.canvas.Rect(x+side/2, p.y, side/2, side, `fill="#111111"`)
		p.canvas.Rect(x, p.y, side, side, `fill="none"`, `stroke="#d9dce2"`)
		p.icon(c.Elements[0].Icons[i], x+gap, p.y+gap, large)
		p.text(x, p.y+side+18, cut(v.Label, 20), `font-size="13"`, `font-weight="600"`)
		under := v.Contrast
		if v.Color != "" {
			under = v.Color + ", " + under
		}
		p.text(x, p.y+side+34, under, `font-size="12"`, `fill="#5c6370"`)
		x += side + gap
	}
	p.y += heroHeight
}

func (p *picture) element(e *element) {
	p.text(margin, p.y+row/2-3, cut(e.Title, 38), `font-size="15"`)
	p.text(margin, p.y+row/2+15, cut(e.ID, 48), `font-size="12"`, `fill="#5c6370"`)
	x := margin + names
	for _, ground := range []string{"#ffffff", "#111111"} {
		width := float64(len(e.Icons))*cell + gap
		p.canvas.Rect(x, p.y+2, width, row-4, `fill="`+ground+`"`, `stroke="#d9dce2"`)
		for i, id := range e.Icons {
			at := x + gap + float64(i)*cell
			p.icon(id, at, p.y+(row-small)/2, small)
			p.icon(id, at+small+gap/2, p.y+(row-medium)/2, medium)
		}
		x += width + gap
	}
	p.y += row
}

// icon shows one that is defined above.
func (p *picture) icon(id string, x, y, size float64) {
	fmt.Fprintf(p.buffer, "<use href=\"#%s\" transform=\"translate(%g %g) scale(%g)\"/>\n", id, x, y, size/medium)
}

// text writes a text, which svgo escapes.
func (p *picture) text(x, y float64, text string, attributes ...string) {
	p.canvas.Text(x, y, clean(text), attributes...)
}

// cut shortens a text that would run into what stands beside it.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// clean leaves out line breaks, which a picture has no use for. What XML can't
// hold is replaced where svgo escapes.
func clean(text string) string {
	return string(bytes.Join(bytes.Fields([]byte(text)), []byte(" ")))
}
