package lsp

import (
	"context"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// positionParams are those of requests about a position.
type positionParams struct {
	documentParams
	Position position `json:"position"`
}

type hover struct {
	Contents *markupContent `json:"contents"`
	Range    span           `json:"range"`
}

// hover explains the id under the cursor, and the findings there.
func (q *query) hover(ctx context.Context, p *positionParams) (any, error) {
	lines := q.text.lines()
	offset := lines.offset(p.Position)
	at := q.text.tree().At(offset)
	m := q.session.newMarkup()
	from, to := at.Replace.Start, at.Replace.End
	if at.Value.Exists() {
		path := at.Value.Path()
		id := atCursor(at)
		if key := placeOf(path) == provenancePlace || placeOf(path) == rationalePlace; key == (at.Role == document.RoleKey) {
			q.explain(ctx, m, path, id)
		}
	}
	findings, err := q.session.findings(ctx, q.releases, q.text)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		if f.Span.Start.Offset > offset || offset > f.Span.End.Offset {
			continue
		}
		if info, known := issue.LookupCode(f.Code); known {
			m.item(string(f.Code), info.Meaning)
		}
		if from == to {
			from, to = f.Span.Start.Offset, f.Span.End.Offset
		}
	}
	content := m.content()
	if content.Value == "" {
		return nil, nil
	}
	return hover{content, lines.span(from, to)}, nil
}

// explain explains an id by the version that the document pins.
func (q *query) explain(ctx context.Context, m *markup, path issue.Path, id string) {
	switch placeOf(path) {
	case versionPlace:
		q.explainVersion(ctx, m)
	case elementPlace:
		if e := q.element(id); e != nil {
			variant, _ := q.text.tree().Find(path[:2].Key("context_type_id"))
			q.explainElement(ctx, m, e, variant.Text())
		}
	case provenancePlace:
		if e := q.provenanceOf(id); e != nil {
			q.explainElement(ctx, m, e, "")
		}
	case contextPlace:
		q.explainContext(ctx, m, path, id)
	case variablePlace:
		if v := q.variable(path); v != nil {
			q.explainVariable(m, v)
		}
	case rationalePlace:
		if e := q.provenanceOf(path[2].Name()); e != nil {
			if v, ok := e.Variable(id); ok {
				q.explainVariable(m, v)
			}
		}
	case optionPlace:
		if o := q.option(path, id); o != nil {
			m.heading(q.pick(o.Label), o.ID)
			m.paragraph(q.pick(o.Description))
		}
	case categoryPlace:
		if c := q.category(id); c != nil {
			m.heading(q.pick(c.Name), c.ID)
			m.paragraph(q.pick(c.Description))
		}
	case subchainPlace:
		q.explainSubchain(m, id)
	}
}

func (q *query) explainVersion(ctx context.Context, m *markup) {
	if q.schema == nil {
		return
	}
	manifest := q.schema.Release().Manifest()
	m.heading(q.pick(manifest.Title), manifest.ID.String())
	m.paragraph(q.pick(manifest.Description))
	if latest, ok := q.latest(ctx); ok && latest != manifest.ID.String() {
		m.paragraph("The latest version is " + latest + ".")
	}
	q.origin(m)
}

func (q *query) explainElement(ctx context.Context, m *markup, e *taxonomy.Element, variant string) {
	icon, err := q.schema.Icon(ctx, e.ID, variant)
	if err != nil { // an unknown variant
		icon, err = q.schema.Icon(ctx, e.ID, taxonomy.VariantDefault)
	}
	if err == nil {
		m.image(icon.SVG)
	}
	m.heading(q.title(e), e.ID)
	if c := q.category(e.CategoryID); c != nil {
		m.paragraph(q.pick(c.Name))
	}
	q.explainDeprecated(m, e)
	m.paragraph(q.fillIn(e, e.Description))
	for i := range e.Variables {
		v := &e.Variables[i]
		text := q.pick(v.Label)
		if v.Required {
			text += " (required)"
		}
		m.item(v.ID, text)
	}
	m.end()
	for _, example := range e.Examples {
		m.paragraph("Example: " + q.pick(example))
	}
	m.paragraph(q.pick(e.AuthoringGuidance))
	q.origin(m)
}

// explainDeprecated says what to place instead of a deprecated element.
func (q *query) explainDeprecated(m *markup, e *taxonomy.Element) {
	if !e.Deprecated() {
		return
	}
	f, _ := q.schema.Release().Fate(e.ID)
	if len(f.Successors) == 0 {
		m.paragraph("This element is deprecated.")
		return
	}
	m.paragraph("This element is deprecated. Place instead:")
	for _, s := range f.Successors {
		title := s.ID
		if next := q.element(s.ID); next != nil {
			title = q.title(next)
		}
		if note := q.pick(s.Note); note != "" {
			title += ": " + note
		}
		m.item(s.ID, title)
	}
	m.end()
}

func (q *query) explainContext(ctx context.Context, m *markup, path issue.Path, id string) {
	c := q.context(path)
	if c == nil {
		return
	}
	v, ok := c.Value(id)
	if !ok {
		return
	}
	if icon, err := q.schema.Icon(ctx, q.placed(path).ID, id); err == nil {
		m.image(icon.SVG)
	}
	m.heading(q.pick(v.Label), v.ID)
	m.paragraph(q.pick(v.Description))
	m.paragraph(strings.Join([]string{q.pick(c.Name), q.pick(c.Description)}, "\n"))
}

func (q *query) explainVariable(m *markup, v *taxonomy.Variable) {
	m.heading(q.pick(v.Label), v.ID)
	kind := "text"
	if v.Type == taxonomy.SelectVariable {
		kind = "list of options"
	}
	if v.Required {
		kind += ", required"
	}
	m.paragraph(kind)
	for _, o := range v.Options {
		m.item(o.ID, q.pick(o.Label))
	}
	m.end()
}

func (q *query) explainSubchain(m *markup, id string) {
	if q.schema == nil {
		return
	}
	for _, s := range q.schema.Release().Type().Subchains {
		if s.ID != id {
			continue
		}
		m.heading(q.pick(s.Name), s.ID)
		for _, category := range s.Categories {
			if c := q.category(category); c != nil {
				m.item(c.ID, q.pick(c.Name))
			}
		}
		m.end()
	}
}

// origin says where something is defined.
func (q *query) origin(m *markup) {
	m.paragraph("Defined in " + q.schema.Release().Version().String() + ", from " + q.releases.Origin + ".")
}

// title returns the title of an element in the language of the user.
func (q *query) title(e *taxonomy.Element) string { return q.fillIn(e, e.Title) }

// fillIn returns a text of an element with the labels of its variables in brackets.
func (q *query) fillIn(e *taxonomy.Element, l taxonomy.Localized) string {
	return ident.Interpolate(q.pick(l), func(id string) (string, bool) {
		if v, ok := e.Variable(id); ok {
			return "[" + q.pick(v.Label) + "]", true
		}
		return "", false
	})
}
