package explorer

import (
	"html/template"
	"strconv"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// icon draws the icon of an element for light and for dark pages: the style sheet shows
// one of them.
func (q *request) icon(schema *datachain.Schema, e *taxonomy.Element) template.HTML {
	return q.variant(schema, e, taxonomy.VariantDefault) + q.variant(schema, e, taxonomy.VariantDark)
}

// variant draws the icon of an element in a variant: the bare shape if its symbol can't
// be drawn. Each icon on a page has ids of its own.
func (q *request) variant(schema *datachain.Schema, e *taxonomy.Element, variant string) template.HTML {
	q.icons++
	o := &icons.Options{IDPrefix: "i" + strconv.Itoa(q.icons) + "-"}
	svg, err := schema.AppendIcon(q.ctx, nil, e.ID, variant, o)
	if err != nil {
		if c, ok := schema.Release().Category(e.CategoryID); ok {
			look, _ := icons.LookOf(c, variant)
			svg, _ = icons.Compose(c.Shape, nil, look, nil) // nil for an unknown shape
		}
	}
	return template.HTML(svg) //nolint:gosec // composed of sanitized symbols
}

// shape draws a bare shape for light and for dark pages.
func shape(s taxonomy.Shape) template.HTML {
	light, _ := icons.Compose(s, nil, icons.DefaultLook(), nil) // nil for an unknown shape
	dark, _ := icons.Compose(s, nil, icons.DarkLook(), nil)
	return template.HTML(append(light, dark...)) //nolint:gosec // composed of our own drawing
}
