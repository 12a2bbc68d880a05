package view

import "strconv"

// writeAll writes a whole page.
func (pg *page) writeAll(m *markup) {
	pg.writeOpen(m)
	pg.writeMain(m)
	pg.writeClose(m)
}

// writeMain writes the main element of a page, up to the limit of the page.
func (pg *page) writeMain(m *markup) {
	pg.writeTop(m)
	pg.writeFlows(m)
	for _, s := range pg.Sections {
		if m.full() {
			return
		}
		s.write(m)
	}
	pg.writeBottom(m)
}

// write writes a category and its placements, up to the limit of the page.
func (s *section) write(m *markup) {
	id := strconv.Itoa(s.ID)
	m.all("\n", `<section class="category" aria-labelledby="c`, id, "\">\n", `<div class="about">`, "\n")
	m.all(`<span class="shape icon" aria-hidden="true">`, string(s.Shape), "</span>\n", `<h2 id="c`, id, `" dir="auto">`, string(s.Name), `</h2>`)
	if s.About != "" {
		m.paragraph("", s.About)
	}
	m.all("\n</div>\n", `<div class="cards">`)
	for _, c := range s.Cards {
		if m.full() {
			break
		}
		m.all("\n")
		c.write(m)
	}
	m.all("\n</div>\n</section>")
}

// writeFlows writes the flows, if there are any.
func (pg *page) writeFlows(m *markup) {
	if len(pg.Flows) == 0 {
		return
	}
	m.all("\n", `<section class="flows" aria-labelledby="flows">`, "\n", `<h2 id="flows"`, m.edition.UI, `>`, m.edition.Flow, `</h2>`)
	for _, f := range pg.Flows {
		if m.full() {
			break
		}
		f.write(m)
	}
	m.all("\n</section>")
}

func (f *flow) write(m *markup) {
	m.all("\n", `<div class="flow" id="f`, strconv.Itoa(f.ID), "\">\n", `<h3 dir="auto">`, string(f.Name), `</h3>`)
	if len(f.From) > 0 {
		m.all("\n", `<p class="from"><span`, m.edition.UI, `>`, m.edition.StartsFrom, `</span>`)
		for _, from := range f.From {
			m.all(" ")
			if from.Flow > 0 {
				m.all(`<a href="#f`, strconv.Itoa(from.Flow), `">`, string(from.Name), `</a>`)
			} else {
				m.all(string(from.Name))
			}
		}
		m.all(`</p>`)
	}
	m.all("\n<ol>")
	for i, s := range f.Stages {
		m.all("\n<li>")
		if i > 0 {
			m.all(arrow)
		}
		s.write(m)
		m.all("</li>")
	}
	m.all("\n</ol>\n</div>")
}

// arrow leads from a stage to the next.
const arrow = `<svg class="arrow" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M3 12h17m-6-6l6 6-6 6" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

// write writes a stage: its steps are links to articles. The ids of icons are unique to the
// flow.
func (s *stage) write(m *markup) {
	m.all(`<div class="stage">`)
	if s.Name != "" {
		m.all("\n<p>", string(s.Name), "</p>")
	}
	m.all("\n", `<div class="steps">`)
	for _, step := range s.Steps {
		if m.full() {
			break
		}
		c := step.card
		id := strconv.Itoa(c.id)
		m.all("\n", `<a href="#e`, id, `"><span class="icon" aria-hidden="true">`)
		c.draw(m, "f"+strconv.Itoa(step.flow)+"-"+id)
		m.all(`</span><span>`, string(c.title()))
		if name := c.name(); name != "" {
			m.all(` <small>`, string(name), `</small>`)
		}
		m.all(`</span></a>`)
	}
	m.all("\n</div></div>")
}
