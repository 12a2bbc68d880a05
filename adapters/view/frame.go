package view

// The parts of a page around its flows and sections. They are written without the template
// packages, which call methods by reflection: a program that uses them, such as the
// WebAssembly module, contains every exported method of its types.

// writeOpen writes what comes before the main element.
func (pg *page) writeOpen(m *markup) {
	m.all("<!doctype html>\n<html lang=\"", attribute(pg.Lang), `" dir="`, attribute(pg.Dir), `" data-title="`, attribute(pg.PlainTitle), "\">\n")
	m.all("<head>\n<meta charset=\"utf-8\">\n", string(pg.Head), "\n<title>", attribute(pg.PlainTitle), "</title>\n</head>\n<body>\n")
}

// writeClose writes what comes after the main element.
func (pg *page) writeClose(m *markup) { m.all("\n", string(pg.Script), "\n</body>\n</html>\n") }

// writeTop writes the beginning of the main element: the title and facts about the document.
func (pg *page) writeTop(m *markup) {
	m.all(`<main id="datachain" lang="`, attribute(pg.Lang), `" dir="`, attribute(pg.Dir), `" data-title="`, attribute(pg.PlainTitle), "\">\n<header>\n")
	m.all(`<p class="kind">`, string(pg.Kind), "</p>\n", `<h1 dir="auto">`, string(pg.Title), `</h1>`)
	if pg.Description != "" {
		m.all("\n", `<p class="lead" dir="auto">`, string(pg.Description), `</p>`)
	}
	m.all("\n", `<dl class="facts">`)
	for _, f := range pg.facts() {
		m.all("\n<div><dt", m.edition.UI, ">", attribute(f.Name), "</dt><dd>", string(f.Value), "</dd></div>")
	}
	m.all("\n</dl>")
	if a := pg.author(); a != nil {
		m.all("\n", `<p class="notice">`, spark, "\n<span", m.edition.UI, "><strong>", m.edition.Generated, "</strong>")
		if a.Model != "" {
			m.all(" ", m.edition.Model, m.edition.Colon, " ", string(a.Model))
		}
		if a.Day != "" {
			m.all(" · ", string(a.Day))
		}
		m.all("</span></p>")
	}
	m.all("\n</header>")
}

// spark marks documents that an AI system wrote.
const spark = `<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M8 2l1.7 4.8 4.8 1.7-4.8 1.7L8 15l-1.7-4.8-4.8-1.7 4.8-1.7zm7.5 10l.9 2.6 2.6.9-2.6.9-.9 2.6-.9-2.6-2.6-.9 2.6-.9z" fill="currentColor"/></svg>`

// writeBottom writes the end of the main element: sources and the footer.
func (pg *page) writeBottom(m *markup) {
	ui := m.edition.UI
	if len(pg.Sources) > 0 {
		m.all("\n", `<section class="category" aria-labelledby="sources">`, "\n", `<div class="about">`, "\n", `<h2 id="sources"`, ui, ">", m.edition.Sources, "</h2>\n</div>\n")
		m.all(`<div class="cards">`, string(pg.sourceList()), "</div>\n</section>")
	}
	m.all("\n<footer>\n<dl>")
	for _, f := range pg.foot() {
		m.all("\n<div><dt", ui, ">", attribute(f.Name), "</dt><dd><code>", string(f.Value), "</code></dd></div>")
	}
	m.all("\n</dl>")
	if pg.Retired {
		m.all("\n<p", ui, ">", m.edition.Retired, "</p>")
	} else {
		m.all("\n<p", ui, ">", m.edition.Verify, ` <code dir="ltr">datachain validate</code></p>`)
	}
	m.all("\n</footer>\n</main>")
}

// placeholder is the page that waits for a document.
func placeholder(a *asset) string {
	title := attribute(AwaitingTitle)
	return "<!doctype html>\n<html lang=\"en\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n" + string(a.head) + "\n<title>" + title + "</title>\n</head>\n<body>\n" +
		`<main id="datachain" class="waiting" lang="en" dir="ltr" data-title="` + title + "\">\n<h1>Datachain</h1>\n" +
		`<p role="status">Nothing has been rendered yet. The datachain will appear here.</p>` + "\n</main>\n" + string(a.script) + "\n</body>\n</html>\n"
}
