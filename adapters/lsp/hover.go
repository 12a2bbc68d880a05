package lsp

import (
	"context"
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document/tolerant"
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
	if at.Node.Exists() {
		path := at.Node.Path()
		id, _ := atCursor(at)
		if key := placeOf(path) == provenancePlace || placeOf(path) == rationalePlace; key == (at.Role == tolerant.Key) {
			q.explain(ctx, m, path, id)
		}
	}
	findings, err := q.session.findings(ctx, q.root, q.text)
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
	m.paragraph(q.open(e, e.Description))
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
	successors := q.schema.Release().Succession(e.ID).Elements
	if len(successors) == 0 {
		m.paragraph("This element is deprecated.")
		return
	}
	m.paragraph("This element is deprecated. Place instead:")
	for _, s := range successors {
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
	m.paragraph("Defined in " + q.schema.Release().Version().String() + ", from " + q.root.releases.Origin + ".")
}

// title returns the title of an element in the language of the user.
func (q *query) title(e *taxonomy.Element) string { return q.open(e, e.Title) }

// open returns a text of an element with the labels of its variables in brackets.
func (q *query) open(e *taxonomy.Element, l taxonomy.Localized) string {
	return ident.Interpolate(q.pick(l), func(id string) (string, bool) {
		if v, ok := e.Variable(id); ok {
			return "[" + q.pick(v.Label) + "]", true
		}
		return "", false
	})
}

// latest returns the newest version of the type that the document pins.
func (q *query) latest(ctx context.Context) (string, bool) {
	pin, _ := q.document().Get("schema_version")
	typ, _, found := strings.Cut(pin.Text(), "@")
	if !found {
		return "", false
	}
	schema, err := q.root.releases.Service.Open(ctx, typ+"@"+codes.AliasLatest)
	if err != nil {
		return "", false
	}
	return schema.Release().Version().String(), true
}

// markup builds a text for people, in Markdown or, for clients that show none, as
// plain text.
type markup struct {
	plain bool
	// pictures is set if the client shows images.
	pictures bool
	b        strings.Builder
}

// newMarkup returns a text for a hover.
func (s *session) newMarkup() *markup {
	return &markup{plain: !s.client.markdown, pictures: s.client.pictures}
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func (m *markup) content() *markupContent {
	kind := "markdown"
	if m.plain {
		kind = "plaintext"
	}
	return &markupContent{kind, strings.TrimSpace(m.b.String())}
}

// paragraph adds a paragraph of text. An empty one is left out.
func (m *markup) paragraph(text string) {
	if text = strings.TrimSpace(text); text != "" {
		m.b.WriteString(m.escape(text, false) + "\n\n")
	}
}

// heading adds a title and an id.
func (m *markup) heading(title, id string) {
	if m.plain {
		m.b.WriteString(title + " (" + id + ")\n\n")
		return
	}
	m.b.WriteString("**" + m.escape(title, true) + "** " + code(id) + "\n\n")
}

// item adds an item of a list: an id with its meaning.
func (m *markup) item(id, text string) {
	if m.plain {
		m.b.WriteString("- " + id + ": " + text + "\n")
		return
	}
	m.b.WriteString("- " + code(id) + " " + m.escape(text, true) + "\n")
}

// end ends a list.
func (m *markup) end() { m.b.WriteByte('\n') }

// image adds a picture if the client shows some.
func (m *markup) image(svg []byte) {
	if !m.plain && m.pictures {
		m.b.WriteString("![icon](data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg) + ")\n\n")
	}
}

// escape protects the characters of a text that begin a construct of Markdown where they
// are, and no others: some editors show the backslashes. Its first line follows other text
// of a line if inline is set.
func (m *markup) escape(text string, inline bool) string {
	if m.plain {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := blockStart(line); n >= 0 && !inline {
			b.WriteString(line[:n] + "\\")
			b.WriteByte(line[n])
			line = line[n+1:]
		}
		inline = false
		before := ' '
		for i, r := range line {
			_, size := utf8.DecodeRuneInString(line[i:])
			after, _ := utf8.DecodeRuneInString(line[i+size:])
			if inlineStart(before, r, after) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
			before = r
		}
	}
	return b.String()
}

// blockStart returns the offset of the character that makes a line of Markdown a heading,
// a quote, an item or a rule, or -1. Those of [inlineStart] are left to that.
func blockStart(line string) int {
	rest := strings.TrimLeft(line, " \t")
	at := len(line) - len(rest)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	end := func(n int) bool { return n >= len(rest) || strings.ContainsRune(" \t\r\n", rune(rest[n])) }
	switch {
	case rest == "":
	case digits > 0 && digits < len(rest) && (rest[digits] == '.' || rest[digits] == ')') && end(digits+1):
		return at + digits
	case rest[0] == '>', rest[0] == '#' && end(len(rest)-len(strings.TrimLeft(rest, "#"))),
		(rest[0] == '-' || rest[0] == '+') && end(1), strings.Trim(rest, "-= \t\r\n") == "":
		return at
	}
	return -1
}

// inlineStart reports whether a character begins code, emphasis, a link, HTML, an entity,
// a cell or an escape, by those around it.
func inlineStart(before, r, after rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch r {
	case '`', '*', '<', '|', '~':
		return true
	case ']': // without what follows, brackets are text
		return after == '(' || after == '[' || after == ':'
	case '\\':
		return unicode.IsPunct(after) || unicode.IsSymbol(after) || unicode.IsSpace(after) || after == utf8.RuneError
	case '_':
		return !word(before) || !word(after)
	case '&':
		return after == '#' || word(after)
	}
	return false
}

// code returns a text as code. Ids have no backticks, but a document may have
// anything in their place.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

type hintParams struct {
	documentParams
	Range span `json:"range"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// maxHints limits how many hints a document gets.
const maxHints = 5000

// hints shows titles and labels beside the ids in a range.
func (q *query) hints(ctx context.Context, p *hintParams) (any, error) {
	lines := q.text.lines()
	from, to := lines.offset(p.Range.Start), lines.offset(p.Range.End)
	hints := []inlayHint{}
	q.walk(ctx, q.document(), func(n tolerant.Node) bool {
		if end := n.Range().End; n.Kind() == '"' && end >= from && end <= to {
			if label := q.label(n.Path(), n.Text()); label != "" {
				hints = append(hints, inlayHint{lines.at(end), label, true})
			}
		}
		return len(hints) < maxHints
	})
	return hints, ctx.Err()
}

// label returns the title or label of an id, or "".
func (q *query) label(path issue.Path, id string) string {
	switch placeOf(path) {
	case elementPlace:
		if e := q.element(id); e != nil {
			return q.title(e)
		}
	case contextPlace:
		if c := q.context(path); c != nil {
			if v, ok := c.Value(id); ok {
				return q.pick(v.Label)
			}
		}
	case variablePlace:
		if v := q.variable(path); v != nil {
			return q.pick(v.Label)
		}
	case optionPlace:
		if o := q.option(path, id); o != nil {
			return q.pick(o.Label)
		}
	case categoryPlace:
		if c := q.category(id); c != nil {
			return q.pick(c.Name)
		}
	}
	return ""
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// lenses returns commands above the document: those whose result the client can show.
func (q *query) lenses(ctx context.Context, _ *documentParams) (any, error) {
	list := []codeLens{}
	start := q.document().Range().Start
	at := q.text.lines().span(start, start)
	add := func(title, name string) {
		target := commandTarget{URI: q.text.uri, Show: true}
		list = append(list, codeLens{at, command{title, name, []any{target}}})
	}
	if q.session.canShowPages() {
		add("Preview as page", commandPreview)
	}
	if _, resolved := q.document().Get("schema_snapshot"); !resolved && q.session.client.createFiles {
		add("Resolve", commandResolve)
	}
	if q.session.client.applyEdit && q.schema != nil { // what an unknown version has is not known
		if latest, ok := q.newer(ctx); ok {
			add("Upgrade to "+latest, commandUpgrade)
		}
	}
	return list, ctx.Err()
}
