package core

import (
	"html/template"
	"strconv"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// Swatch draws the shape of a category in the colours of a context value.
func Swatch(c *taxonomy.Category, id string) template.HTML {
	colors, _ := icons.ColorsOf(c, id)
	svg, _ := icons.Append(nil, c.Shape, nil, colors, nil) // nil for an unknown shape
	return template.HTML(svg)                              //nolint:gosec // composed of our own drawing
}

// Icon draws the icon of an element for light and for dark pages: the style sheet shows
// one of them.
func (q *Request) Icon(schema *datachain.Schema, e *taxonomy.Element) template.HTML {
	return q.Variant(schema, e, taxonomy.VariantDefault) + q.Variant(schema, e, taxonomy.VariantDark)
}

// Variant draws the icon of an element in a variant, or only its shape if the symbol can't be
// drawn. Each icon on a page has ids of its own.
func (q *Request) Variant(schema *datachain.Schema, e *taxonomy.Element, variant string) template.HTML {
	*q.icons++
	svg, err := schema.AppendIcon(q.Ctx, nil, e.ID, variant, &icons.Options{IDPrefix: "i" + strconv.Itoa(*q.icons) + "-"})
	if c, ok := schema.Release().Category(e.CategoryID); err != nil && ok {
		return Swatch(c, variant)
	}
	return template.HTML(svg) //nolint:gosec // composed of sanitized symbols
}

// Shape draws a bare shape for light and for dark pages.
func Shape(s taxonomy.Shape) template.HTML {
	light, _ := icons.Append(nil, s, nil, icons.DefaultColors(), nil) // nil for an unknown shape
	dark, _ := icons.Append(nil, s, nil, icons.DarkColors(), nil)
	return template.HTML(append(light, dark...)) //nolint:gosec // composed of our own drawing
}
