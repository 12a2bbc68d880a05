package view

import (
	"cmp"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

func (c *card) write(m *markup) {
	e := c.element.load()
	id := strconv.Itoa(c.id)
	m.all(`<article class="card`)
	if e.suggested {
		m.all(` suggested`)
	}
	m.all(`" id="e`, id, `" aria-labelledby="t`, id, "\">\n", `<span class="icon" aria-hidden="true">`)
	c.draw(m, "i"+id)
	m.all("</span>\n", "<div class=\"body\">\n", `<h3 id="t`, id, `" dir="auto">`, string(c.heading()))
	if name := c.name(); name != "" {
		m.all(` <span class="name">`, string(name), `</span>`)
	}
	m.all(`</h3>`)
	c.writeChips(m)
	c.writeSays(m)
	c.writeList(m)
	writeActions(m, e.page.actions(c.placed.Actions, e.title.lang))
	if citation := plain(c.placed.Citation).block(); citation != "" {
		m.paragraph(` class="cite"`, citation)
	}
	c.writeSources(m)
	if why := c.why(); why != nil {
		why.write(m)
	}
	m.all("\n</div>\n</article>")
}

// writeChips writes the context, and whether the element is suggested.
func (c *card) writeChips(m *markup) {
	suggested, context := c.element.suggested, c.context()
	if !suggested && c.placed.ContextTypeID == "" {
		return
	}
	m.all("\n", `<p class="chips">`)
	if context != nil {
		context.write(m)
	}
	if suggested {
		m.all(` <span class="chip new"`, m.edition.UI, `><span>`, m.edition.Suggested, `</span></span>`)
	}
	m.all(`</p>`)
}

func (c *chip) write(m *markup) {
	m.all(`<span class="chip `, c.Ink, `">`)
	if c.Fill != "" {
		m.all(`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="`, c.Fill, `"/></svg>`)
	}
	m.all(`<span>`)
	if c.Name != "" {
		m.all(`<span class="of">`, string(c.Name))
		if !c.Asks {
			m.all(m.edition.Colon)
		}
		m.all(` </span>`)
	}
	m.all(string(c.Label), `</span></span>`)
}

// writeSays writes the description of the element with the values filled in.
func (c *card) writeSays(m *markup) {
	description := c.element.description
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
	c.says(m)
	m.all(`</p>`)
}

// writeSources writes the sources of the placement and those of the taxonomy. The author of
// a document is also the author of the elements that it suggests.
func (c *card) writeSources(m *markup) {
	own, given := newSources(c.placed.Sources), c.element.sources
	if c.element.suggested {
		own, given = append(own, given...), nil
	}
	if len(own) > 0 {
		m.all("\n<h4", m.edition.UI, ">", m.edition.Sources, "</h4>")
		m.all("\n")
		writeSources(m, own)
	}
	if len(given) > 0 {
		m.all("\n", `<details class="given">`, "\n<summary", m.edition.UI, ">", m.edition.Given, "</summary>")
		m.all("\n")
		writeSources(m, given)
		m.all("\n</details>")
	}
}

func (w *why) write(m *markup) {
	e := m.edition
	m.all("\n<details>\n<summary", e.UI, ">", e.Why, "</summary>")
	if w.Rationale != "" {
		m.paragraph("", w.Rationale)
	}
	if w.Confidence != "" {
		m.all("\n", `<p class="confidence"`, e.UI, ">", e.Confidence, e.Colon, " <strong>", string(w.Confidence), "</strong></p>")
	}
	if len(w.Quotes) > 0 {
		m.all("\n<h4", e.UI, ">", e.Quotes, "</h4>")
	}
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
	if len(w.Variables) > 0 {
		m.all("\n<h4", e.UI, ">", e.WhyValues, "</h4>\n<dl>")
		for _, r := range w.Variables {
			m.all("\n<div><dt>", string(r.Label), `</dt><dd dir="auto">`, string(r.Reason), "</dd></div>")
		}
		m.all("\n</dl>")
	}
	m.all("\n</details>")
}

// writeList writes variables with their values.
func (c *card) writeList(m *markup) {
	list := c.filled()
	if len(list) == 0 {
		return
	}
	m.all("\n<dl>")
	for _, f := range list {
		m.all("\n<div><dt>", string(c.element.page.mark(f.label, c.element.title.lang).html()), "</dt><dd>")
		c.writeValue(m, f.value, f.label.lang)
		m.all("</dd></div>")
	}
	m.all("\n</dl>")
}

// all writes strings that are HTML.
func (m *markup) all(list ...string) {
	for _, s := range list {
		m.WriteString(s)
	}
}

// paragraph writes a paragraph with additional attributes.
func (m *markup) paragraph(attributes string, content template.HTML) {
	m.all("\n<p", attributes, ` dir="auto">`, string(content), "</p>")
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
			m.all(`<a class="`, attribute(a.Kind), `" `, a.href(), `>`, string(cmp.Or(a.Label, a.Target)), `</a>`)
		}
		if a.Host == "" {
			m.all(` <span class="target">`, string(a.Target), `</span>`)
		} else {
			m.all(` <span class="target" dir="ltr">`, attribute(a.Host), `</span>`)
		}
		m.all("</li>")
	}
	m.all("\n</ul>")
}

func writeSources(m *markup, list []source) {
	m.all(`<ul class="sources">`)
	for _, s := range list {
		if m.full() {
			return
		}
		m.all("\n<li>")
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
	m.all("\n</ul>")
}

// href returns the attributes of a link that opens elsewhere.
func (l link) href() string {
	return `href="` + attribute(normalize(string(l.URL))) + `" target="_blank" rel="noreferrer noopener"`
}

// normalize escapes the characters of a URL that have a meaning where URLs are written, as
// html/template does, and those that URLs can't have. It leaves escapes as they are.
func normalize(address string) string {
	var b strings.Builder
	b.Grow(len(address))
	for i := range len(address) {
		c := address[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("!#$&*+,/:;=?@[]-._~", c) >= 0,
			c == '%' && i+2 < len(address) && isHex(address[i+1]) && isHex(address[i+2]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// attribute escapes a text, also for an attribute, as html/template does.
func attribute(s string) string {
	return strings.ReplaceAll(template.HTMLEscapeString(s), "+", "&#43;")
}

// heading returns the title of the placement for an element that contains nothing else but
// names; see [text.block].
func (c *card) heading() template.HTML {
	e := c.element.load()
	title := e.page.mark(e.title, "")
	if e.titlePieces == nil {
		return title.block()
	}
	return c.fillTitle("span") + template.HTML(title.mark) //nolint:gosec // our own markup
}

// title returns the title of the placement within other text.
func (c *card) title() template.HTML {
	e := c.element.load()
	if e.titlePieces == nil {
		return e.title.html()
	}
	return c.fillTitle("bdi")
}

// fillTitle returns the title of the element with the values of the placement, in an HTML
// element. A variable without a value is shown by its label.
func (c *card) fillTitle(around string) template.HTML {
	e := c.element
	m := &markup{limit: e.page.limit, unlinked: true} // a title may be in a link
	m.WriteString("<" + around)
	if e.title.lang != "" {
		m.WriteString(` lang="` + template.HTMLEscapeString(e.title.lang) + `"`)
	}
	m.WriteString(">")
	values := c.values()
	for _, p := range e.titlePieces {
		switch {
		case m.full():
			return m.html()
		case p.variable == "":
			m.WriteString(template.HTMLEscapeString(p.text))
		default:
			c.writeInTitle(m, p.variable, values[p.variable])
		}
	}
	m.WriteString("</" + around + ">")
	return m.html()
}

// writeInTitle writes the value of a variable, or its label if it has no value.
func (c *card) writeInTitle(m *markup, id string, value *taxonomy.VariableValue) {
	e := c.element
	switch v := e.variables[id]; {
	case value != nil && (len(value.Options) > 0 || e.page.locales.pick(value.Text).value != ""):
		c.writeValue(m, value, e.title.lang)
	case v != nil:
		m.text(e.page.mark(v.label, e.title.lang))
	default:
		m.text(plain(id))
	}
}

// values returns the values of the placement by variable. The first one of a variable counts.
func (c *card) values() map[string]*taxonomy.VariableValue {
	values := make(map[string]*taxonomy.VariableValue, len(c.placed.Variables))
	for i := range c.placed.Variables {
		if v := &c.placed.Variables[i]; values[v.ID] == nil {
			values[v.ID] = v
		}
	}
	return values
}
