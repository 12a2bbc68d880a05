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
	"github.com/datachain-go/datachain/taxonomy/issue"
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
		if d = q.drawn(); d == nil {
			return nil, nil
		}
		h.Range = lines.span(0, len(q.text.content))
	}
	q.explain(m, d)
	h.Contents = m.content()
	return h, nil
}

// drawn returns the symbol whose file it is, or nil.
func (q *sourceQuery) drawn() *outline.Definition {
	i := slices.IndexFunc(q.outline.Definitions, func(d *outline.Definition) bool { return d.Kind == source.KindSymbol && d.File == q.file })
	if i < 0 {
		return nil
	}
	return q.outline.Definitions[i]
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
	q.explainPast(m, d)
	m.paragraph(q.filled(d, d.Description))
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

// explainPast says what replaces an element, and which ids something had.
func (q *sourceQuery) explainPast(m *markup, d *outline.Definition) {
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
		key, word = at.json.Replace, at.json.Node.Key()
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
	if title := q.filled(d, d.Title); title != "" {
		return title
	}
	return d.ID
}

// filled returns a text with the labels of its variables in brackets.
func (q *sourceQuery) filled(d *outline.Definition, l taxonomy.Localized) string {
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

// picture returns a symbol, or the icon of an element, as it is drawn from the current
// texts. It is nil if there is none.
func (q *sourceQuery) picture(d *outline.Definition) []byte {
	switch d.Kind {
	case source.KindSymbol:
		return q.sample(d)
	case source.KindElement:
		category, symbol := q.named(d, source.KindCategory), q.named(d, source.KindSymbol)
		if category == nil || symbol == nil {
			return nil
		}
		drawing := q.symbol(symbol)
		if drawing == nil {
			return nil
		}
		svg, err := icons.Append(nil, category.Shape, drawing, icons.DefaultColors(), nil)
		if err != nil { // an unknown shape, which lint reports
			return nil
		}
		return svg
	}
	return nil
}

// sampleSize is the size of a symbol in a hover, in pixels.
const sampleSize = 96

// sample draws a symbol on a shape, that of an element that uses it: a symbol has no
// background, and is drawn in the colour of the text around it, which an image does not
// know.
func (q *sourceQuery) sample(d *outline.Definition) []byte {
	symbol := q.symbol(d)
	if symbol == nil {
		return nil
	}
	shape := taxonomy.Circle
	for _, r := range q.outline.References {
		if r.Definition != d || r.In == nil {
			continue
		}
		if c := q.named(r.In, source.KindCategory); c != nil && slices.Contains(taxonomy.Shapes(), c.Shape) {
			shape = c.Shape
			break
		}
	}
	svg, err := icons.Append(nil, shape, symbol, icons.DefaultColors(), &icons.Options{Size: sampleSize})
	if err != nil {
		return nil
	}
	return svg
}

// symbol reads a symbol. What can't be published is not shown either.
func (q *sourceQuery) symbol(d *outline.Definition) *icons.Symbol {
	symbol, _ := icons.Sanitize(q.files.text(d.File, q.session.client.encoding).content)
	return symbol
}

// named returns the category or symbol that an element names, or nil.
func (q *sourceQuery) named(element *outline.Definition, kind source.Kind) *outline.Definition {
	for _, r := range q.outline.References {
		if r.In == element && r.Kind == kind && r.Definition != nil {
			return r.Definition
		}
	}
	return nil
}

// completion offers what can be typed at a position of the source. Where that is, the
// text decides; ids come from the last texts that could be parsed.
func (q *sourceQuery) completion(ctx context.Context, p *positionParams) (any, error) {
	root := q.shape()
	if root == nil {
		return nil, nil
	}
	if slices.ContainsFunc(q.outline.Unread, func(file string) bool { return q.files.open[file] != nil }) {
		q.files = q.files.readable(q.outline.Unread)
		outline, err := q.root.outlines.get(q.files, q.outline.Version)
		if err != nil {
			return nil, err
		}
		q.outline = outline
	}
	offset := q.text.lines().offset(p.Position)
	at := q.text.cursor(offset, path.Ext(q.file) == ".json")
	if from, to, closed, ok := q.text.placeholder(offset); ok && hasPlaceholders(at.path) {
		text := func(id string) string {
			if closed {
				return id
			}
			return id + "}}"
		}
		typed := string(q.text.content[from:offset])
		return q.session.describeLater(newCompletionList(q.variables(at), typed, func(c proposal, rank int) completionItem {
			item := q.session.item(typed, c, rank)
			item.TextEdit = textEdit{q.text.lines().span(from, to), text(c.id)}
			return item
		})), ctx.Err()
	}
	list := root.at(at.path)
	var proposals []proposal
	if at.key {
		proposals = q.keys(at, list)
	}
	if at.value && len(proposals) == 0 {
		at.key = false
		proposals = q.values(at.path, list)
	}
	return q.session.describeLater(newCompletionList(proposals, at.typed, func(c proposal, rank int) completionItem { return q.item(at, c, rank) })), ctx.Err()
}

// shape returns the shape of the file, or nil if it is not a YAML or JSON file.
func (q *sourceQuery) shape() *shape {
	if ext := path.Ext(q.file); ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return nil
	}
	parts := strings.Split(q.file, "/")
	switch {
	case len(parts) == 2:
		return evolutionShape()
	case len(parts) == 3:
		return schemaShape()
	case parts[2] == "categories":
		return categoryShape()
	case parts[2] == "elements":
		return elementsShape()
	}
	return nil
}

// hasPlaceholders reports whether a text at a path can have variables.
func hasPlaceholders(at issue.Path) bool {
	for _, step := range at {
		if _, isIndex := step.IsIndex(); !isIndex {
			return step.Name() == "title" || step.Name() == "description"
		}
	}
	return false
}

// variables offers the variables of the element or category around.
func (q *sourceQuery) variables(at *sourceCursor) []proposal {
	if at.owner == nil {
		return nil
	}
	id, category := at.owner("id"), at.owner("category_id")
	return q.definitions(source.KindVariable, func(d *outline.Definition) bool {
		return d.In != nil && (d.In.ID == id || d.In.Kind == source.KindCategory && d.In.ID == category)
	})
}

// definitions offers ids that are defined.
func (q *sourceQuery) definitions(kind source.Kind, wanted func(*outline.Definition) bool) []proposal {
	var proposals []proposal
	seen := make(map[string]bool)
	for _, d := range q.outline.Definitions {
		if d.Kind == kind && !seen[d.ID] && (wanted == nil || wanted(d)) {
			seen[d.ID] = true
			proposals = append(proposals, proposal{id: d.ID, title: q.filled(d, d.Title), group: string(kind), description: q.filled(d, d.Description), kind: itemValue})
		}
	}
	return proposals
}

func (q *sourceQuery) locales() []proposal {
	var proposals []proposal
	for _, locale := range q.outline.Locales {
		proposals = append(proposals, proposal{id: locale, group: "locale", kind: itemConstant})
	}
	return proposals
}

// keys offers the keys that an object still lacks: fields, or the locales of a text.
func (q *sourceQuery) keys(at *sourceCursor, shapes []*shape) []proposal {
	proposals := fieldsOf(shapes)
	if slices.ContainsFunc(shapes, func(s *shape) bool { return s.Additional != nil && s.Additional.Ref != "" }) {
		proposals = q.locales()
	}
	return slices.DeleteFunc(proposals, func(c proposal) bool { return at.taken[c.id] || c.id == "$schema" })
}

// values offers the values of a field, or the items of a list.
func (q *sourceQuery) values(at issue.Path, shapes []*shape) []proposal {
	field, owner, item := "", "", false
	for _, step := range at {
		if _, item = step.IsIndex(); !item {
			owner, field = field, step.Name()
		}
	}
	switch {
	case field == "category_id" && !item, field == "categories" && item:
		return q.definitions(source.KindCategory, nil)
	case field == "symbol_id" && !item:
		return q.definitions(source.KindSymbol, nil)
	case field == "applies_to" && item, field == "replaced_by", owner == "replaced_by" && field == "id":
		return q.definitions(source.KindElement, nil)
	case field == "locale" && !item:
		return q.locales()
	case field == "subject" && !item:
		return q.subjects()
	case evolutionType(q.file) != "":
		return q.evolved(field, shapes)
	}
	return words(shapes...)
}

// subjects offers what a review can find something in.
func (q *sourceQuery) subjects() []proposal {
	var proposals []proposal
	for _, k := range []source.Kind{source.KindElement, source.KindCategory, source.KindSymbol} {
		for _, c := range q.definitions(k, nil) {
			c.id = string(k) + "/" + c.id
			proposals = append(proposals, c)
		}
	}
	return proposals
}

// evolved offers the values of a field of evolution.yaml: ids of the newest version, and
// versions.
func (q *sourceQuery) evolved(field string, shapes []*shape) []proposal {
	var proposals []proposal
	switch field {
	case "to":
		for _, k := range []source.Kind{source.KindElement, source.KindCategory, source.KindVariable, source.KindOption, source.KindContextValue} {
			proposals = append(proposals, q.definitions(k, nil)...)
		}
	case "in":
		proposals = append(q.definitions(source.KindElement, nil), q.definitions(source.KindCategory, nil)...)
	case "since":
		versions, _, _ := source.Versions(q.files) // as far as they can be read
		for _, v := range versions {
			if v.Type() == evolutionType(q.file) {
				proposals = append(proposals, proposal{id: v.String(), group: "version", kind: itemValue})
			}
		}
	}
	return append(proposals, words(shapes...)...)
}

// item returns a proposal with what it inserts.
func (q *sourceQuery) item(at *sourceCursor, c proposal, rank int) completionItem {
	if at.json != nil {
		c.text = q.snippet().quoted(c.id)
		if at.key && at.json.Missing.ColonAfter {
			c.text.raw(": ").stop()
		}
		return q.query.item(*at.json, c, rank)
	}
	item := q.session.item(at.typed, c, rank)
	text := c.id
	if !at.quoted {
		text = at.before + plainYAML(c.id)
		if at.key && at.colon {
			text += ": "
		}
	}
	item.TextEdit = textEdit{q.text.lines().span(at.from, at.to), text}
	return item
}

// formatting formats YAML of the source: only the white space at the ends of lines, blank lines
// and the space after keys and dashes change, and indentation is the author's. Editors format
// JSON themselves.
func (q *sourceQuery) formatting(ctx context.Context, _ *documentParams) (any, error) {
	if path.Ext(q.file) == ".json" || q.shape() == nil {
		return nil, nil
	}
	return q.text.edits(outline.Format(q.text.content)), ctx.Err()
}
