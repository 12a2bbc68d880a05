package view

import (
	"cmp"
	"html/template"
	"strconv"

	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *placement) write(m *markup) {
	e := p.element.load()
	id := strconv.Itoa(p.id)
	m.all(`<article class="placement`)
	if e.suggested {
		m.all(` suggested`)
	}
	m.all(`" id="`, m.prefix, `e`, id, `" aria-labelledby="`, m.prefix, `t`, id, "\">\n", `<span class="icon" aria-hidden="true">`)
	p.draw(m, "i"+id)
	m.all("</span>\n", "<div class=\"body\">\n", `<h3 id="`, m.prefix, `t`, id, `" dir="auto">`)
	if name := p.ownName(); name.value != "" {
		m.all(string(name.block()), ` <span class="name">`)
		p.writeTitle(m)
		m.all(`</span>`)
	} else {
		p.writeHeading(m)
	}
	m.all(`</h3>`)
	if e.suggested {
		m.all("\n", `<p><span class="tag new"`, m.messages.UI, `>`, m.messages.Word("suggested"), `</span></p>`)
	}
	if words := e.page.locales.pick(p.entry.Words); words.value != "" {
		m.all("\n", `<p class="words" dir="auto">`)
		m.value(e.page.mark(words, e.title.lang))
		m.all("</p>")
	}
	p.writeList(m)
	p.writeActions(m)
	if citation := plain(p.Citation).block(); citation != "" {
		m.paragraph(` class="cite meta"`, citation)
	}
	p.writeSources(m)
	p.writeMeaning(m)
	m.all("\n</div>\n</article>")
}

// writeActions writes what a reader can do. A right with an email address is a letter that is
// ready to send.
func (p *placement) writeActions(m *markup) {
	pg := p.element.page
	list := pg.actions(p.Actions, p.element.title.lang)
	if letter := p.letter(); letter.URL != "" {
		written := false
		for i := range list {
			if list[i].Kind == "email" && !written {
				list[i].link, written = letter, true
			}
		}
		if !written {
			list = append(list, action{Kind: "email", Label: pg.ours(pg.messages.Word("letter")).html(), link: letter})
		}
	}
	writeActions(m, list)
}

// writeMeaning writes what the taxonomy says about the element: its description with the
// values filled in, and its sources.
func (p *placement) writeMeaning(m *markup) {
	given := p.element.sources
	if p.element.suggested {
		given = nil
	}
	if p.element.description.value == "" && len(given) == 0 {
		return
	}
	m.all("\n", `<details class="fold means">`, "\n<summary", m.messages.UI, ">", m.messages.Word("means"), "</summary>")
	p.writeDescription(m)
	if len(given) > 0 {
		m.all("\n", `<p class="given"`, m.messages.UI, ">", m.messages.Word("given"), "</p>\n")
		writeSourceList(m, "ul", given)
	}
	m.all("\n</details>")
}

// writeContext writes the context value in its colour, or by its id if the category has no such
// value.
func (p *placement) writeContext(m *markup) {
	pg, value := p.element.page, p.value()
	if value == nil {
		m.all(`<span class="tag">`, string(plain(p.ContextTypeID).html()), `</span>`)
		return
	}
	label := pg.mark(pg.name(value.Label, value.ID), p.section.name.lang).html()
	m.all(style.Tag(&p.section.category.Context, value, string(label), phrases.In(m.messages.Lang).Level))
}

// writeDescription writes the description of the element with the values filled in.
func (p *placement) writeDescription(m *markup) {
	description := p.element.description
	if description.value == "" {
		return
	}
	m.all("\n", `<p class="says" dir="`)
	if description.rtl {
		m.all(`rtl"`)
	} else {
		m.all(`auto"`)
	}
	if description.lang != "" {
		m.all(` lang="`, attribute(description.lang), `"`)
	}
	m.all(`>`)
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
			p.writeValue(m, values[part.variable], description.lang)
			m.all("</b>")
		}
	}
	m.all(p.element.page.mark(description, p.element.title.lang).mark, "</p>")
}

// writeSources writes the numbers of the sources of the placement, which lead to the list at
// the end. The author of a document is also the author of the elements that it suggests.
func (p *placement) writeSources(m *markup) {
	own := newSources(p.Sources)
	if p.element.suggested {
		own = append(own, p.element.sources...)
	}
	if len(own) == 0 {
		return
	}
	m.all("\n", `<p class="refs meta"><span`, m.messages.UI, ">", m.messages.Word("sources"), m.messages.Word("colon"), "</span>")
	for _, s := range own {
		if m.full() {
			return
		}
		number := strconv.Itoa(p.element.page.number(s))
		m.all(` <a href="#`, m.prefix, `s`, number, `">[`, number, `]</a>`)
	}
	m.all("</p>")
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

// write writes the provenance of a placement as rows of the list of its values.
func (w *provenance) write(m *markup) {
	e := m.messages
	if w.Rationale != "" || w.Confidence != "" {
		m.all("\n", `<div class="why"><dt`, e.UI, ">", e.Word("why"), "</dt><dd>")
		if w.Rationale != "" {
			m.paragraph("", w.Rationale)
		}
		if w.Confidence != "" {
			m.all("\n", `<p class="confidence"`, e.UI, ">(", e.Word("confidence"), e.Word("colon"), " ", string(w.Confidence), ")</p>")
		}
		m.all("</dd></div>")
	}
	if len(w.Quotes) > 0 {
		m.all("\n", `<div class="why"><dt`, e.UI, ">", e.Word("quotes"), "</dt><dd>")
		for _, q := range w.Quotes {
			m.all("\n", `<figure><blockquote dir="auto"`)
			if q.Own {
				m.all(` class="own"`)
			}
			m.all(">", string(q.Quote), "</blockquote>")
			if q.Context != "" {
				m.all(`<figcaption dir="auto">`, string(q.Context), "</figcaption>")
			}
			m.all("</figure>")
		}
		m.all("</dd></div>")
	}
	for _, r := range w.Variables {
		m.all("\n", `<div class="why"><dt><span`, e.UI, ">", e.Word("whyvalues"), e.Word("colon"), "</span> ", string(r.Label), `</dt><dd dir="auto">`, string(r.Reason), "</dd></div>")
	}
}

// writeList writes the context, the variables with their values, and the provenance.
func (p *placement) writeList(m *markup) {
	list, why := p.listedValues(), p.provenance()
	contextual := p.ContextTypeID != ""
	if len(list) == 0 && why == nil && !contextual {
		return
	}
	m.all("\n", `<dl class="facts">`)
	if contextual {
		m.all("\n<div><dt>")
		if p.section.category != nil {
			m.text(p.element.page.mark(p.element.page.locales.pick(p.section.category.Context.Name), p.section.name.lang))
		}
		m.all("</dt><dd>")
		p.writeContext(m)
		m.all("</dd></div>")
	}
	for _, f := range list {
		m.all("\n<div><dt>")
		m.text(p.element.page.mark(f.label, p.element.title.lang))
		m.all("</dt><dd>")
		p.writeValue(m, f.value, f.label.lang)
		m.all("</dd></div>")
	}
	if why != nil {
		why.write(m)
	}
	m.all("\n</dl>")
}

// writeActions writes what a reader can do.
func writeActions(m *markup, list []action) {
	if len(list) == 0 {
		return
	}
	m.all("\n", `<ul class="actions">`)
	for _, a := range list {
		m.all("\n<li>")
		if a.URL == "" {
			m.all("<span>", string(a.Label), "</span>")
		} else {
			m.all(`<a class="button second `, attribute(a.Kind), `" `, a.href(), `>`, string(cmp.Or(a.Label, a.Target)), `</a>`)
		}
		a.writeTarget(m)
		m.all("</li>")
	}
	m.all("\n</ul>")
}

// writeTarget writes where an action leads to.
func (a action) writeTarget(m *markup) {
	switch {
	case a.Host != "":
		m.all(` <span class="target" dir="ltr">`, attribute(a.Host), `</span>`)
	case a.Target != "":
		m.all(` <span class="target">`, string(a.Target), `</span>`)
	}
}

// writeSourceList writes sources; those of an ol are numbered and can be linked to.
func writeSourceList(m *markup, list string, sources []source) {
	m.all("<", list, ` class="sources">`)
	for i, s := range sources {
		if m.full() {
			return
		}
		if list == "ol" {
			m.all("\n", `<li id="`, m.prefix, `s`, strconv.Itoa(i+1), `">`)
		} else {
			m.all("\n<li>")
		}
		if s.URL == "" {
			m.all(string(s.Title))
		} else {
			m.all(`<a `, s.href(), `>`, string(s.Title), `</a> <span class="target" dir="ltr">`, attribute(s.Host), `</span>`)
		}
		if s.Citation != "" {
			m.all(` <span class="cited" dir="auto">`, string(s.Citation), `</span>`)
		}
		if s.Credit != "" {
			m.all(` <span class="cited" dir="auto">`, string(s.Credit), `</span>`)
		}
		m.all("</li>")
	}
	m.all("\n</", list, ">")
}

// writeHeading writes the title of the placement for an element that contains nothing else but
// names; see [text.block].
func (p *placement) writeHeading(m *markup) {
	e := p.element.load()
	title := e.page.mark(e.title, "")
	if e.titlePieces == nil {
		m.all(string(title.block()))
		return
	}
	p.fillTitle(m, "span")
	m.all(title.mark)
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
	if e.title.lang != "" {
		m.all(` lang="`, template.HTMLEscapeString(e.title.lang), `"`)
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
	case value != nil && (len(value.Options) > 0 || e.page.locales.pick(value.Text).value != ""):
		p.writeValue(m, value, e.title.lang)
	case v != nil:
		m.text(e.page.mark(v.label, e.title.lang))
	default:
		m.text(plain(id))
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
