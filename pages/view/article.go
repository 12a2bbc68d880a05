package view

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

var articlePart = part[articleView]("article")

// articleView is everything about a placement.
type articleView struct {
	ID          int
	Suggested   bool
	Icon, Title func(*markup)
	Own         template.HTML // the document's own name, before the title
	Words       func(*markup)
	Listed      bool // there are rows, or why
	Rows        []rowView
	Why         *provenance
	Actions     []action
	Citation    template.HTML
	Numbers     []int // of sources in the list at the end
	Meaning     *meaningView
}

type rowView struct{ Label, Value func(*markup) }

// meaningView is what the taxonomy says about the element: its description with the values filled in,
// and its sources.
type meaningView struct {
	Title       func(*markup)
	Description func(*markup)
	RTL         bool
	Lang        string
	Mark        template.HTML
	Sources     []source
}

func (p *placement) write(m *markup) {
	e := p.element.load()
	v := articleView{
		ID: p.id, Suggested: e.suggested, Icon: func(m *markup) { p.draw(m, "i"+strconv.Itoa(p.id)) }, Title: p.writeHeading,
		Rows: p.rows(), Why: p.provenance(), Actions: p.ways(), Citation: phrases.Raw(p.Citation).Block(), Numbers: p.sourceNumbers(),
	}
	if name := p.ownName(); name.Value != "" {
		v.Own, v.Title = name.Block(), p.writeTitle
	}
	if words := e.page.locales.Text(p.entry.Words); words.Value != "" {
		v.Words = func(m *markup) { m.value(e.page.mark(words, e.title.Lang())) }
	}
	v.Listed = len(v.Rows) > 0 || v.Why != nil
	var meaning meaningView
	if d := e.page.mark(e.description, e.title.Lang()); d.Value != "" {
		meaning = meaningView{Description: p.writeDescription, RTL: d.RTL(), Lang: d.Lang(), Mark: d.Mark}
	}
	if !e.suggested {
		meaning.Sources = e.sources
	}
	if meaning.Description != nil || len(meaning.Sources) > 0 {
		meaning.Title = p.writeTitle
		v.Meaning = &meaning
	}
	articlePart(m, &v)
}

// rows returns the context, and the variables with their values.
func (p *placement) rows() (rows []rowView) {
	pg := p.element.page
	gap := func(m *markup) { m.WriteString(string(pg.gap())) }
	c := p.section.category
	if missing := pg.options.Unfinished && c != nil && c.Context.Required && p.ContextTypeID == ""; missing || p.ContextTypeID != "" {
		row := rowView{Value: p.writeContext}
		if missing {
			row.Value = gap
		}
		if c != nil {
			row.Label = func(m *markup) { m.text(pg.mark(pg.locales.Text(c.Context.Name), p.section.name.Lang())) }
		}
		rows = append(rows, row)
	}
	for _, f := range p.listedValues() {
		rows = append(rows, rowView{
			func(m *markup) { m.text(pg.mark(f.label, p.element.title.Lang())) },
			func(m *markup) { p.writeValue(m, f.value, f.label.Lang()) },
		})
	}
	for _, v := range p.unsaid() {
		rows = append(rows, rowView{func(m *markup) { m.text(pg.mark(v.label, p.element.title.Lang())) }, gap})
	}
	return rows
}

// ways returns what a reader can do. A right with an email address is a letter that is ready to send.
func (p *placement) ways() []action {
	pg := p.element.page
	list := pg.actions(p.Actions, p.element.title.Lang())
	letter := p.letter()
	if letter == nil {
		return list
	}
	if i := slices.IndexFunc(list, func(a action) bool { return a.Kind == "email" }); i >= 0 {
		list[i].link = link{URL: letter.URL}
		return list
	}
	label := markup{messages: pg.messages}
	letter.Label(&label)
	return append(list, action{Kind: "email", Label: label.html(), link: link{URL: letter.URL}})
}

// writeContext writes the context value in its colour, or by its id if the category has no such
// value.
func (p *placement) writeContext(m *markup) {
	pg, value := p.element.page, p.value()
	if value == nil {
		m.all(`<span class="tag">`, string(phrases.Raw(p.ContextTypeID).HTML()), `</span>`)
		return
	}
	label := pg.mark(pg.locales.Name(value.Label, value.ID), p.section.name.Lang()).HTML()
	m.all(style.Tag(&p.section.category.Context, value, string(label), phrases.In(m.messages.Lang).Level))
}

// writeDescription writes the description of the element with the values filled in.
func (p *placement) writeDescription(m *markup) {
	description := p.element.description
	values := p.values()
	m.last = 0 // nothing comes before it
	for _, part := range p.element.pieces {
		switch {
		case m.full():
			return
		case part.variable == "":
			m.all(template.HTMLEscapeString(m.continued(part.text)))
		default:
			m.all("<b>")
			p.writeValue(m, values[part.variable], description.Lang())
			m.all("</b>")
		}
	}
}

// sourceNumbers returns the numbers of the sources of the placement, which lead to the list at the end.
// The author of a document is also the author of the elements that it suggests.
func (p *placement) sourceNumbers() (numbers []int) {
	own := newSources(p.Sources)
	if p.element.suggested {
		own = append(own, p.element.sources...)
	}
	for _, s := range own {
		numbers = append(numbers, p.element.page.number(s))
	}
	return numbers
}

// number returns the number of a source in the list at the end, to which it is added if it is
// new.
func (pg *page) number(s source) int {
	n, known := pg.numbers[s]
	if !known {
		pg.Sources = append(pg.Sources, s)
		n = len(pg.Sources)
		pg.numbers[s] = n
	}
	return n
}

// writeHeading writes the title of the placement for an element that contains nothing else but
// names; see [text.block].
func (p *placement) writeHeading(m *markup) {
	e := p.element.load()
	title := e.page.mark(e.title, "")
	if e.titlePieces == nil {
		m.all(string(title.Block()))
		return
	}
	p.fillTitle(m, "span")
	m.all(string(title.Mark))
}

// writeTitle writes the title of the placement within other text.
func (p *placement) writeTitle(m *markup) {
	e := p.element.load()
	if e.titlePieces == nil {
		m.text(e.title)
		return
	}
	p.fillTitle(m, "bdi")
}

// fillTitle writes the title of the element with the values of the placement, in an HTML
// element. A variable without a value is shown by its label.
func (p *placement) fillTitle(m *markup, around string) {
	e := p.element
	m.unlinked = true // a title may be in a link
	defer func() { m.unlinked = false }()
	m.all("<", around)
	if e.title.Lang() != "" {
		m.all(` lang="`, template.HTMLEscapeString(e.title.Lang()), `"`)
	}
	m.all(">")
	values := p.values()
	for _, part := range e.titlePieces {
		switch {
		case m.full():
			return
		case part.variable == "":
			m.WriteString(template.HTMLEscapeString(part.text))
		default:
			p.writeInTitle(m, part.variable, values[part.variable])
		}
	}
	m.all("</", around, ">")
}

// writeInTitle writes the value of a variable, or its label if it has no value.
func (p *placement) writeInTitle(m *markup, id string, value *taxonomy.VariableValue) {
	e := p.element
	switch v := e.variable(id); {
	case value != nil && (len(value.Options) > 0 || e.page.locales.Text(value.Text).Value != ""):
		p.writeValue(m, value, e.title.Lang())
	case v != nil:
		m.text(e.page.mark(v.label, e.title.Lang()))
	default:
		m.text(phrases.Raw(id))
	}
}

// values returns the values of the placement by variable. The first one of a variable counts.
func (p *placement) values() map[string]*taxonomy.VariableValue {
	values := make(map[string]*taxonomy.VariableValue, len(p.Variables))
	for i := range p.Variables {
		if v := &p.Variables[i]; values[v.ID] == nil {
			values[v.ID] = v
		}
	}
	return values
}
