package view

import (
	"html/template"

	"github.com/datachain-go/datachain/taxonomy"
)

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
