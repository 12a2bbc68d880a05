package lsp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// hover explains the id or reference under the cursor by the source as it is edited.
func (q *sourceQuery) hover(_ context.Context, p *positionParams) (any, error) {
	lines := q.text.lines()
	offset := lines.offset(p.Position)
	d, ref := q.outline.At(q.file, offset)
	h, m := hover{}, q.session.newMarkup()
	switch {
	case d != nil:
		h.Range = lines.span(d.IDRange.Start, d.IDRange.End)
	case ref != nil && ref.Definition != nil:
		d, h.Range = ref.Definition, lines.span(ref.Range.Start, ref.Range.End)
	default:
		if key, ok := q.field(m, offset); ok {
			h.Range, h.Contents = lines.span(key.Start, key.End), m.content()
			return h, nil
		}
		if d = q.symbolOfFile(); d == nil {
			return nil, nil
		}
		h.Range = lines.span(0, len(q.text.content))
	}
	q.explain(m, d)
	h.Contents = m.content()
	return h, nil
}

// symbolOfFile returns the symbol whose file it is, or nil.
func (q *sourceQuery) symbolOfFile() *outline.Definition {
	for _, d := range q.outline.Definitions {
		if d.Kind == source.KindSymbol && d.File == q.file {
			return d
		}
	}
	return nil
}

// explain explains a definition: its picture, its texts, and where it is.
func (q *sourceQuery) explain(m *markup, d *outline.Definition) {
	if svg := q.picture(d); svg != nil {
		m.image(svg)
	}
	m.heading(q.titleOf(d), d.ID)
	kind := string(d.Kind)
	if d.In != nil {
		kind += " of the " + string(d.In.Kind) + " " + d.In.ID
	}
	m.paragraph(kind)
	q.explainHistory(m, d)
	m.paragraph(q.fillIn(d, d.Description))
	for _, inner := range q.outline.Definitions {
		if inner.In == d && inner.Kind != source.KindContextValue {
			m.item(inner.ID, q.pick(inner.Title))
		}
	}
	m.end()
	place := d.File
	if d.Kind != source.KindSymbol {
		at := q.files.location(d.File, d.IDRange, q.session.client.encoding)
		place = fmt.Sprintf("%s, line %d", place, at.Range.Start.Line+1)
	}
	m.paragraph("Defined in " + place + ".")
}

// explainHistory says what replaces an element, and which ids something had.
func (q *sourceQuery) explainHistory(m *markup, d *outline.Definition) {
	if d.Deprecated {
		m.paragraph("Deprecated.")
	}
	if successors := q.outline.Successors(d); d.Kind == source.KindElement && len(successors) > 0 {
		m.paragraph("Replaced by:")
		for _, r := range successors {
			title := "does not exist"
			if r.Definition != nil {
				title = q.titleOf(r.Definition)
			}
			m.item(r.ID, title)
		}
		m.end()
	}
	if len(d.RenamedFrom) > 0 {
		m.paragraph("Earlier versions: " + strings.Join(d.RenamedFrom, ", "))
	}
}

// field explains the key at an offset, by the JSON Schema of the file. It returns false
// if there is none.
func (q *sourceQuery) field(m *markup, offset int) (document.Range, bool) {
	root := q.shape()
	if root == nil {
		return document.Range{}, false
	}
	at := q.text.cursor(offset, path.Ext(q.file) == ".json")
	key := document.Range{Start: at.from, End: at.to}
	word := string(q.text.content[at.from:at.to])
	if at.json != nil {
		key, word = at.json.Replace, at.json.Value.Key()
	}
	if !at.key || at.value {
		return document.Range{}, false
	}
	for _, c := range fieldsOf(root.at(at.path)) {
		if c.id == word && c.description != "" {
			m.paragraph(c.description)
			return key, true
		}
	}
	return document.Range{}, false
}

// titleOf returns the title of a definition, or its id if it has none.
func (q *sourceQuery) titleOf(d *outline.Definition) string {
	if title := q.fillIn(d, d.Title); title != "" {
		return title
	}
	return d.ID
}

// fillIn returns a text with the labels of its variables in brackets.
func (q *sourceQuery) fillIn(d *outline.Definition, l taxonomy.Localized) string {
	return ident.Interpolate(q.pick(l), func(id string) (string, bool) {
		var v *outline.Definition
		switch d.Kind {
		case source.KindElement:
			v = q.outline.Variable(d.ID, id)
		case source.KindCategory:
			list := q.outline.Find(source.KindVariable, id)
			if i := slices.IndexFunc(list, func(v *outline.Definition) bool { return v.In == d }); i >= 0 {
				v = list[i]
			}
		}
		if v == nil {
			return "", false
		}
		return "[" + q.titleOf(v) + "]", true
	})
}

// sampleSize is the size of a symbol in a hover, in pixels.
const sampleSize = 96

// picture draws a symbol, or the icon of an element, from the current texts. It returns nil if it
// can't be drawn.
func (q *sourceQuery) picture(d *outline.Definition) []byte {
	var symbol *outline.Definition
	var shape taxonomy.Shape
	var options *icons.Options
	switch d.Kind {
	case source.KindSymbol:
		symbol, shape, options = d, q.shapeFor(d), &icons.Options{Size: sampleSize}
	case source.KindElement:
		symbol = q.referenced(d, source.KindSymbol)
		if category := q.referenced(d, source.KindCategory); category != nil {
			shape = category.Shape
		}
	}
	if symbol == nil {
		return nil
	}
	drawing, _ := icons.Sanitize(q.files.text(symbol.File, q.session.client.encoding).content)
	if drawing == nil { // it can't be published
		return nil
	}
	svg, err := icons.Append(nil, shape, drawing, icons.DefaultColors(), options)
	if err != nil { // an unknown shape, which lint reports
		return nil
	}
	return svg
}

// shapeFor returns the shape of an element that uses a symbol. A symbol has no background, and is
// drawn in the colour of the text around it, which an image does not know.
func (q *sourceQuery) shapeFor(symbol *outline.Definition) taxonomy.Shape {
	for _, r := range q.outline.References {
		if r.Definition != symbol || r.In == nil {
			continue
		}
		if c := q.referenced(r.In, source.KindCategory); c != nil && slices.Contains(taxonomy.Shapes(), c.Shape) {
			return c.Shape
		}
	}
	return taxonomy.Circle
}

// referenced returns the category or symbol that an element names, or nil.
func (q *sourceQuery) referenced(element *outline.Definition, kind source.Kind) *outline.Definition {
	for _, r := range q.outline.References {
		if r.In == element && r.Kind == kind && r.Definition != nil {
			return r.Definition
		}
	}
	return nil
}
