package view

import (
	"strconv"

	"github.com/datachain-go/datachain/internal/i18n"
)

// writeAll writes a whole page.
func (pg *page) writeAll(m *markup) {
	pg.writeOpen(m)
	pg.writeMains(m)
	pg.writeClose(m)
}

// writeMains writes the main element of a page, and one for each other language.
func (pg *page) writeMains(m *markup) {
	for i, one := range pg.languages {
		m.messages = one.messages
		if i > 0 {
			m.prefix = one.prefix()
			m.all("\n")
		}
		one.writeMain(m)
	}
}

// prefix is what the ids of a page begin with that is not the first of its file.
func (pg *page) prefix() string { return attribute(pg.Lang) + "-" }

// writeMain writes the main element of a page, up to the limit of the page: what it is, then
// facts, which are beside it on wide screens, then everything about it.
func (pg *page) writeMain(m *markup) {
	pg.writeTop(m)
	pg.writeSummary(m)
	pg.writeAbout(m)
	pg.writeBeside(m)
	m.all("\n", `<div class="rest">`)
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
	m.all("\n", `<section class="category" aria-labelledby="`, m.prefix, `c`, id, "\">\n", `<h2 id="`, m.prefix, `c`, id, `" dir="auto">`, string(s.Name), `</h2>`)
	for _, p := range s.Placements {
		if m.full() {
			break
		}
		m.all("\n")
		p.write(m)
	}
	m.all("\n</section>")
}

// The parts of a page around its flows and sections. They are written without the template
// packages, which call methods by reflection: a program that uses them, such as the
// WebAssembly module, contains every exported method of its types.

// writeOpen writes what comes before the main element.
func (pg *page) writeOpen(m *markup) {
	m.all("<!doctype html>\n<html lang=\"", attribute(pg.Lang), `" dir="`, attribute(pg.Dir), `" data-title="`, attribute(pg.PlainTitle), "\">\n")
	m.all("<head>\n<meta charset=\"utf-8\">\n", string(pg.Head), "\n<title>", attribute(pg.PlainTitle), "</title>\n")
	m.all(pg.shareTags(), "</head>\n<body>\n")
}

// writeClose writes what comes after the main element.
func (pg *page) writeClose(m *markup) {
	m.all("\n", string(pg.Script), "\n</body>\n</html>\n")
}

// writeTop writes the beginning of the main element: the title.
func (pg *page) writeTop(m *markup) {
	m.all(`<main id="`, m.prefix, `datachain" class="document wrap columns`)
	if m.prefix != "" {
		m.all(` other`)
	}
	m.all(`" lang="`, attribute(pg.Lang), `" dir="`, attribute(pg.Dir), `" data-title="`, attribute(pg.PlainTitle), "\">\n", `<div class="first">`, "\n")
	m.all(string(pg.site.Above), "<header>\n")
	pg.writeLanguages(m)
	m.all(`<h1 dir="auto">`, string(pg.Title), "</h1>")
	if pg.options.Address != "" {
		m.all("\n", `<div class="printed">`, string(pg.options.Code), `<p dir="ltr">`, attribute(pg.options.Address), "</p></div>")
	}
	m.all("\n</header>")
}

// writeLanguages writes links to the same page in other languages, if the file has some.
func (pg *page) writeLanguages(m *markup) {
	if len(pg.languages) < 2 {
		return
	}
	m.all(`<nav class="languages" aria-label="`, m.messages.Word("language"), `"`, m.messages.UI, ">")
	for i, other := range pg.languages {
		address := "#datachain"
		if i > 0 {
			address = "#" + other.prefix() + "datachain"
		}
		m.all("\n", `<a href="`, address, `" lang="`, attribute(other.Lang), `" hreflang="`, attribute(other.Lang), `"`)
		if other == pg {
			m.all(` aria-current="true"`)
		}
		m.all(">", attribute(i18n.Endonym(other.Lang)), "</a>")
	}
	m.all("\n</nav>\n")
}

// writeAbout writes what follows the summary: the description, and who wrote it.
func (pg *page) writeAbout(m *markup) {
	if pg.Description != "" {
		m.all("\n", `<p class="lead" dir="auto">`, string(pg.Description), `</p>`)
	}
	if a := pg.author(); a != nil {
		m.all("\n", `<p class="notice author">`, spark, "\n<span", m.messages.UI, "><strong>", m.messages.Word("generated"), "</strong>")
		if a.Model != "" {
			m.all(" ", m.messages.Word("model"), m.messages.Word("colon"), " ", string(a.Model))
		}
		if a.Day != "" {
			m.all(" · ", string(a.Day))
		}
		m.all("</span></p>")
	}
	m.all("\n</div>")
}

// writeBeside writes the facts, the contents, and what else a reader can do.
func (pg *page) writeBeside(m *markup) {
	ui := m.messages.UI
	m.all("\n<aside>\n", `<section aria-labelledby="`, m.prefix, `facts">`, "\n", `<h2 id="`, m.prefix, `facts"`, ui, ">", m.messages.Word("facts"), "</h2>\n", `<dl class="facts">`)
	m.all("\n<div><dt", ui, ">", m.messages.Word("kind"), "</dt><dd>", string(pg.Kind), "</dd></div>", string(pg.site.Facts))
	for _, f := range pg.dates() {
		m.all("\n<div><dt", ui, ">", attribute(f.Name), "</dt><dd>", string(f.Value), "</dd></div>")
	}
	m.all("\n</dl>\n</section>")
	if len(pg.Sections) > 2 {
		m.all("\n<nav><details class=\"fold wide contents\">\n<summary", ui, ">", m.messages.Word("contents"), "</summary>\n<ul>")
		for _, s := range pg.Sections {
			m.all("\n", `<li><a href="#`, m.prefix, `c`, strconv.Itoa(s.ID), `">`)
			m.text(s.name)
			m.all(`</a></li>`)
		}
		m.all("\n</ul>\n</details></nav>")
	}
	report := pg.report()
	if report.URL != "" || pg.site.Links != "" {
		m.all("\n", `<ul class="links">`)
		if report.URL != "" {
			m.all("\n", `<li><a `, report.href(), ui, ">", m.messages.Word("report"), "</a></li>")
		}
		m.all(string(pg.site.Links), "\n</ul>")
	}
	m.all("\n</aside>")
}

// spark marks documents that an AI system wrote.
const spark = `<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M8 2l1.7 4.8 4.8 1.7-4.8 1.7L8 15l-1.7-4.8-4.8-1.7 4.8-1.7zm7.5 10l.9 2.6 2.6.9-2.6.9-.9 2.6-.9-2.6-2.6-.9 2.6-.9z" fill="currentColor"/></svg>`

// writeBottom writes the end of the main element: sources and technical details.
func (pg *page) writeBottom(m *markup) {
	ui := m.messages.UI
	if len(pg.Sources) > 0 {
		m.all("\n", `<section class="category" aria-labelledby="`, m.prefix, `sources">`, "\n", `<h2 id="`, m.prefix, `sources"`, ui, ">", m.messages.Word("sources"), "</h2>\n")
		m.all(string(pg.sourceList(m.prefix)), "\n</section>")
	}
	m.all("\n", `<details class="fold technical">`, "\n<summary", ui, ">", m.messages.Word("technical"), "</summary>\n", `<dl class="facts">`)
	for _, f := range pg.technical() {
		m.all("\n<div><dt", ui, ">", attribute(f.Name), "</dt><dd><code>", string(f.Value), "</code></dd></div>")
	}
	m.all("\n</dl>")
	if pg.Retired {
		m.all("\n<p", ui, ">", m.messages.Word("retired"), "</p>")
	} else {
		m.all("\n<p", ui, ">", m.messages.Word("verify"), ` <code dir="ltr">datachain validate</code></p>`)
	}
	m.all(string(pg.site.Technical), "\n</details>\n</div>\n</main>")
}

// placeholder is the page that waits for a document.
func placeholder(a *asset) string {
	title := attribute(awaitingTitle)
	return "<!doctype html>\n<html lang=\"en\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n" + string(a.head) + "\n<title>" + title + "</title>\n</head>\n<body>\n" +
		`<main id="datachain" class="waiting" lang="en" dir="ltr" data-title="` + title + "\">\n<h1>Datachain</h1>\n" +
		`<p role="status">Nothing has been rendered yet. The datachain will appear here.</p>` + "\n</main>\n" + string(a.script) + "\n</body>\n</html>\n"
}
