package explorer

import (
	"bytes"
	"fmt"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// pictureFile is the last segment of the path of a picture, below that of its page.
const pictureFile = "/picture.png"

// Pictures are shown where a link to a page is shared, beside its title: those of taxonomies have
// no text of their own, so one fits all languages. Their size is what such previews expect.
const (
	pictureWidth, pictureHeight = 1200, 630
	pictureMargin               = 80
	pictureBar                  = 14 // at the lower edge
	maxPictureIcon              = 380
	// Icons of a picture at most, and their distance as a part of their size.
	maxPictureIcons = 15
	pictureGap      = 0.25
	// The colours are those of the pages.
	paperColor, accentColor = "#f6f5f1", "#0b5467"
)

// buildPicture draws the picture of a kind of page: the icon of an element, or those of a
// category or a version.
func buildPicture(q *request) (*content, error) {
	if !q.pictured() {
		return nil, noPage()
	}
	elements, bare, err := q.portrayed()
	if err != nil {
		return nil, err
	}
	png, err := q.explorer.options.Picture(q.ctx, q.poster(elements, bare))
	whole := err == nil
	if !whole && len(elements) > 0 && q.ctx.Err() == nil {
		// A symbol that can't be drawn, or symbols that are too large together.
		png, err = q.explorer.options.Picture(q.ctx, q.poster(nil, q.shapesOf(elements)))
	}
	if err != nil {
		return nil, fmt.Errorf("explorer: picture: %w", err)
	}
	c := &content{Type: "image/png", Body: png}
	if v := q.release().Version(); whole && v.Status() == taxonomy.Stable && q.pinned {
		c.Caching = "public, max-age=31536000, immutable"
	}
	return c, nil
}

// pictured reports whether pages have pictures.
func (q *request) pictured() bool { return q.explorer.options.Picture != nil && q.explorer.absolute() }

// picture returns the path of the picture of a page, or "".
func (q *request) picture(path string) string {
	if !q.pictured() {
		return ""
	}
	return path + pictureFile
}

// portrayed returns the elements whose icons are in the picture: that of the page, or some
// of the category or the version. If a category has none, bare is its shape.
func (q *request) portrayed() (elements []*taxonomy.Element, bare []taxonomy.Shape, err error) {
	r := q.release()
	switch q.page.pattern {
	case elementPattern + pictureFile:
		e, err := q.schema.Element(q.id)
		if err != nil {
			return nil, nil, q.gone(err)
		}
		return []*taxonomy.Element{e}, nil, nil
	case categoryPattern + pictureFile:
		c, ok := r.Category(q.id)
		if !ok {
			return nil, nil, q.noPart("category", "category_id", r.Type().Categories)
		}
		begin, end := r.CategoryRange(c.ID)
		if begin == end {
			return nil, []taxonomy.Shape{c.Shape}, nil
		}
		return r.ElementRange(begin, min(begin+maxPictureIcons, end)), nil, nil
	}
	return spread(r, maxPictureIcons), nil, nil
}

// shapesOf returns the shapes of elements.
func (q *request) shapesOf(elements []*taxonomy.Element) []taxonomy.Shape {
	shapes := make([]taxonomy.Shape, len(elements))
	for i, e := range elements {
		c, _ := q.release().Category(e.CategoryID) // every element has one
		shapes[i] = c.Shape
	}
	return shapes
}

// poster composes the SVG of a picture: icons in rows, as large as they fit.
func (q *request) poster(elements []*taxonomy.Element, bare []taxonomy.Shape) []byte {
	g := newGrid(len(elements)+len(bare), pictureWidth-2*pictureMargin, pictureHeight-pictureBar-2*pictureMargin)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><rect width="%[1]d" height="%[2]d" fill="%[3]s"/><rect y="%[4]d" width="%[1]d" height="%[5]d" fill="%[6]s"/>`,
		pictureWidth, pictureHeight, paperColor, pictureHeight-pictureBar, pictureBar, accentColor)
	for i := range g.count {
		x, y := g.place(i)
		fmt.Fprintf(&b, `<g transform="translate(%d %d) scale(%g)">`, pictureMargin+x, pictureMargin+y, float64(g.size)/iconSide)
		if i < len(elements) {
			b.Write(drawing(q.drawn(q.schema, elements[i], taxonomy.VariantDefault, i)))
		} else {
			svg, _ := icons.Append(nil, bare[i-len(elements)], nil, icons.DefaultLook(), nil) // nil for an unknown shape
			b.Write(drawing(svg))
		}
		b.WriteString(`</g>`)
	}
	b.WriteString(`</svg>`)
	return b.Bytes()
}

// iconSide is the size of icons, which they are scaled from.
const iconSide = 36

// drawing returns what is in the svg element of an icon. Elements in others clip what they
// contain, which takes long for a large picture.
func drawing(icon []byte) []byte {
	_, inner, _ := bytes.Cut(icon, []byte(">"))
	return bytes.TrimSuffix(inner, []byte("</svg>"))
}

// grid places squares in rows, in the middle of an area.
type grid struct {
	count, columns, rows int
	size                 int
	width, height        int
}

// newGrid returns the grid in which the squares are largest.
func newGrid(count, width, height int) grid {
	g := grid{count: count, width: width, height: height}
	for columns := 1; columns <= count; columns++ {
		rows := (count + columns - 1) / columns
		size := min(fitting(width, columns), fitting(height, rows), maxPictureIcon)
		if size > g.size {
			g.columns, g.rows, g.size = columns, rows, size
		}
	}
	return g
}

// fitting returns the size of squares of which n fit into a length with gaps between them.
func fitting(length, n int) int {
	return int(float64(length) / (float64(n) + pictureGap*float64(n-1)))
}

// place returns where a square begins. The last row may have fewer squares, and is in the
// middle, too.
func (g grid) place(i int) (x, y int) {
	row, column := i/g.columns, i%g.columns
	inRow := min(g.columns, g.count-row*g.columns)
	step := float64(g.size) * (1 + pictureGap)
	extent := func(n int) float64 { return step*float64(n) - pictureGap*float64(g.size) }
	x = int((float64(g.width)-extent(inRow))/2 + step*float64(column))
	y = int((float64(g.height)-extent(g.rows))/2 + step*float64(row))
	return x, y
}

// Picture returns the address of the picture in previews of the page, or "".
func (s *scope) Picture() string {
	if s.content.Picture == "" {
		return ""
	}
	if s.request.document != nil { // the preview has words
		s.request.links.page(s.content.Picture, nil, "") // so that a static site has it
		return s.request.links.canonical(s.content.Picture, nil, s.request.locale)
	}
	return s.request.links.picture(s.content.Picture)
}

// PictureWidth is the width of pictures in pixels.
func (*scope) PictureWidth() int { return pictureWidth }

// PictureHeight is the height of pictures in pixels.
func (*scope) PictureHeight() int { return pictureHeight }
