package explorer

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// markdown writes a document as Markdown.
type markdown struct {
	strings.Builder
	q *request
}

// documentMarkdown returns the document of the page as Markdown: its summary, then its
// placements by category.
func (q *request) documentMarkdown() ([]byte, error) {
	d := q.document
	shown, err := q.explorer.options.Documents.Present(q.ctx, d, d.Current)
	if err != nil {
		return nil, err
	}
	m := &markdown{q: q}
	m.line("# ", q.name(d.Title, d.ID))
	m.line("", q.text(d.Description))
	if d.Summary != nil {
		face := texts.FaceIn(q.words.Lang)
		for i := range d.Summary.Points {
			m.point(&d.Summary.Points[i], face)
		}
		m.WriteString("\n")
	}
	snapshot := &shown.Datachain.SchemaSnapshot
	elements := make(map[string]*taxonomy.Element)
	for _, list := range [][]taxonomy.Element{shown.Datachain.SuggestedElements, snapshot.Elements} {
		for i := range list {
			elements[list[i].ID] = &list[i]
		}
	}
	for i := range snapshot.Categories {
		c := &snapshot.Categories[i]
		begun := false
		for j := range shown.Datachain.Elements {
			placed := &shown.Datachain.Elements[j]
			e := elements[placed.ElementID]
			if e == nil || e.CategoryID != c.ID {
				continue
			}
			if !begun {
				begun = true
				m.line("## ", q.name(c.Name, c.ID))
			}
			m.placement(c, e, placed)
		}
	}
	for _, s := range shown.Datachain.Sources {
		m.source(&s)
	}
	return []byte(m.String()), nil
}

// line writes a paragraph, unless it is empty.
func (m *markdown) line(before string, t text) {
	if !t.Empty() {
		m.WriteString(before + escapeMarkdown(t.Plain) + "\n\n")
	}
}

// point writes a point of the summary.
func (m *markdown) point(p *datachain.Point, face *texts.Face) {
	heading := face.Headings[p.Role]
	if p.Role == "" && p.Category != nil {
		heading = m.q.name(p.Category.Name, p.Category.ID).Plain
	}
	m.WriteString("- **" + escapeMarkdown(heading) + "**" + m.q.words.Colon + " ")
	if len(p.Entries) == 0 {
		m.WriteString(face.Nothing[p.Role] + "\n")
		return
	}
	var list []string
	if p.Context != nil {
		level := escapeMarkdown(m.q.name(p.Context.Label, p.Context.ID).Plain)
		if p.AtMost {
			level = m.q.words.Fill(face.AtMost, level)
		}
		list = append(list, level)
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		for _, l := range []taxonomy.Localized{e.Name, e.Words, e.Element.Title} {
			if t := m.q.text(l); !t.Empty() {
				list = append(list, escapeMarkdown(t.Plain))
				break
			}
		}
	}
	m.WriteString(strings.Join(list, "; ") + "\n")
}

func (m *markdown) placement(c *taxonomy.Category, e *taxonomy.Element, placed *taxonomy.Placement) {
	q := m.q
	m.line("### ", q.name(e.Title, e.ID))
	if placed.Label != nil {
		m.line("", q.label(*placed.Label))
	}
	if i := slices.IndexFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return v.ID == placed.ContextTypeID }); i >= 0 {
		m.WriteString("*" + escapeMarkdown(q.name(c.Context.Values[i].Label, placed.ContextTypeID).Plain) + "*\n\n")
	}
	about, _ := q.chooser().Pick(e.Description)
	m.line("", text{Plain: texts.Clean(taxonomy.Interpolate(about, func(id string) (string, bool) {
		v, ok := e.Variable(id)
		at := slices.IndexFunc(placed.Variables, func(given taxonomy.VariableValue) bool { return given.ID == id })
		if !ok || at < 0 {
			return "[" + q.labelOf(e.Variables, id) + "]", true
		}
		return q.valueOf(v, &placed.Variables[at]).Plain, true
	}))})
	for i := range placed.Variables {
		value := &placed.Variables[i]
		v, ok := e.Variable(value.ID)
		if !ok {
			continue
		}
		if t := q.valueOf(v, value); !t.Empty() {
			m.WriteString("- " + escapeMarkdown(q.name(v.Label, v.ID).Plain) + q.words.Colon + " " + escapeMarkdown(t.Plain) + "\n")
		}
	}
	for i := range placed.Actions {
		a := &placed.Actions[i]
		m.WriteString("- " + escapeMarkdown(q.label(a.Label).Plain) + q.words.Colon + " " + escapeMarkdown(a.Target) + "\n")
	}
	if len(placed.Variables)+len(placed.Actions) > 0 {
		m.WriteString("\n")
	}
}

func (m *markdown) source(s *taxonomy.Source) {
	m.WriteString("- " + escapeMarkdown(texts.Clean(s.Title+" "+s.URL)) + "\n")
}

// escapeMarkdown escapes what has a meaning in Markdown, and HTML. A text is one line.
func escapeMarkdown(s string) string {
	return markdownEscapes.Replace(strings.Join(strings.Fields(s), " "))
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "|", `\|`, "!", `\!`, "~", `\~`,
)
