package view

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// The first screen of a page: the summary of the document. It also has the letters that readers
// can send.

// manyPoints is from how many points on a summary is denser.
const manyPoints = 5

// writeSummary writes the summary.
func (pg *page) writeSummary(m *markup) {
	if len(pg.summary.Points) == 0 {
		return
	}
	m.all("\n", `<section class="short`)
	if len(pg.summary.Points) >= manyPoints {
		m.all(" many")
	}
	m.all(`" aria-labelledby="`, m.prefix, `short">`, "\n", `<h2 id="`, m.prefix, `short" class="visually-hidden"`, m.messages.UI, ">", m.messages.Word("inshort"), "</h2>\n<ul>")
	for i := range pg.summary.Points {
		if m.full() {
			return
		}
		pg.writePoint(m, i+1, &pg.summary.Points[i])
	}
	m.all("\n</ul>\n</section>")
}

// writePoint writes one point: its icon, its heading and what the document says.
func (pg *page) writePoint(m *markup, number int, p *summary.Point) {
	words := phrases.In(m.messages.Lang)
	m.all("\n", `<li class="point`)
	if p.Role != "" {
		m.all(" ", string(p.Role))
	}
	m.all(`"><span class="icon" aria-hidden="true">`)
	if len(p.Entries) > 0 {
		pg.placementOf(p.Entries[0].Placement).draw(m, "p"+strconv.Itoa(number))
	} else {
		m.all(string(shapes()[p.Category.Shape]))
	}
	m.all("</span>\n")
	if p.Role != "" {
		m.all("<h3", m.messages.UI, ">", words.Heading(p), "</h3>")
	} else {
		m.all(`<h3 dir="auto">`, string(pg.mark(pg.name(p.Category.Name, p.Category.ID), "").block()), "</h3>")
	}
	m.all("<div>")
	switch {
	case len(p.Entries) == 0:
		m.all("\n", `<p class="quiet"`, m.messages.UI, ">", words.Nothing[p.Role], "</p>")
	case p.Role == codes.RoleAccountable:
		pg.writeAccountable(m, &p.Entries[0], words.NoContact)
	case p.Role == codes.RoleRights:
		pg.writeRights(m, p.Entries)
	case p.Role == codes.RolePurpose:
		pg.writeLevel(m, p)
		pg.writePurposes(m, p)
	default:
		pg.writeLevel(m, p)
		pg.writeTitles(m, p)
		if p.Role == "" {
			pg.placementOf(p.Entries[0].Placement).writeFirstValues(m)
		}
	}
	if p.Role == codes.RoleRisk && len(p.Entries) > 0 {
		if guard := pg.locales.pick(p.Entries[0].Safeguard); guard.value != "" {
			m.paragraph(` class="quiet"`, pg.mark(guard, "").block())
		} else {
			m.all("\n", `<p class="quiet"`, m.messages.UI, ">", words.NoSafeguard, "</p>")
		}
	}
	m.all("\n</div></li>")
}

// writeLevel writes the context value of a point in its colour.
func (pg *page) writeLevel(m *markup, p *summary.Point) {
	if p.Context == nil || p.Context.Color == "" && !p.AtMost {
		return
	}
	m.all("\n<p>")
	pg.placementOf(p.Entries[0].Placement).writeContext(m)
	m.all("</p>")
}

// maxPurposes is how many letters the purposes may have together to be all named on the first
// screen.
const maxPurposes = 300

// writePurposes writes what a system is for in the document's own words, else by the names of
// the elements: all purposes or, if they are too long, the first and how many more there are.
func (pg *page) writePurposes(m *markup, p *summary.Point) {
	shown, said := p.Entries, phrases.NewPoint(p, &pg.locales.Chooser)
	if !said.Fits(maxPurposes) {
		shown = shown[:1]
	}
	for i := range shown {
		if words := pg.locales.pick(shown[i].Words); words.value != "" {
			m.paragraph("", pg.mark(words, "").block())
			continue
		}
		m.all("\n<p>")
		pg.placementOf(shown[i].Placement).writeLink(m)
		m.all("</p>")
	}
	if len(shown) < len(p.Entries) {
		m.all("\n", `<p><a href="#`, m.prefix, `e`, strconv.Itoa(pg.placementOf(p.Entries[1].Placement).id), `"`, m.messages.UI, `>`, said.More, `</a></p>`)
	}
}

// writeTitles writes the entries of a point by their names, which lead to their articles.
func (pg *page) writeTitles(m *markup, p *summary.Point) {
	m.all("\n<p>")
	for i := range p.Entries {
		if i > 0 {
			m.all(phrases.In(m.messages.Lang).Comma)
		}
		pg.placementOf(p.Entries[i].Placement).writeLink(m)
	}
	m.all("</p>")
}

// writeAccountable writes who answers for the system, and how to reach them or that this is not given.
func (pg *page) writeAccountable(m *markup, e *summary.Entry, noContact string) {
	p := pg.placementOf(e.Placement)
	m.all("\n<p>")
	p.writeLink(m)
	m.all("</p>")
	web := webLink(pg.locales.pick(e.Link).value, "https")
	list := pg.actions(e.Placement.Actions, "")
	switch contact := pg.locales.pick(e.Contact); {
	case contact.value != "":
		m.writeContact(pg.mark(contact, ""))
	case len(list) > 0:
		writeActions(m, list[:1])
	case web.URL != "":
		m.all("\n", `<p class="reach"><a `, web.href(), ` dir="ltr">`, attribute(web.Host), `</a></p>`)
	default:
		m.all("\n", `<p class="quiet"`, m.messages.UI, ">", noContact, "</p>")
	}
}

// writeRights writes what a reader can do, each with the first way to do it below its title.
// Where it leads to is only shown on paper.
func (pg *page) writeRights(m *markup, entries []summary.Entry) {
	kind := "button"
	for i := range entries {
		p := pg.placementOf(entries[i].Placement)
		m.all("\n<p>")
		p.writeLink(m)
		m.all("</p>")
		if letter := p.letter(); letter.URL != "" {
			m.all("\n", `<p class="act"><a class="`, kind, ` email" `, letter.href(), m.messages.UI, `>`, m.messages.Word("letter"), `</a>`)
			address, _ := url.PathUnescape(strings.TrimPrefix(string(p.mailAddress().URL), "mailto:"))
			m.all(` <span class="target" dir="ltr">`, attribute(address), `</span></p>`)
		} else if list := pg.actions(entries[i].Placement.Actions, ""); len(list) > 0 && list[0].URL != "" {
			m.all("\n", `<p class="act"><a class="`, kind, ` `, attribute(list[0].Kind), `" `, list[0].href(), `>`, string(list[0].Label), `</a>`)
			list[0].writeTarget(m)
			m.all("</p>")
		} else {
			p.writeFirstValues(m)
			continue
		}
		kind = "button second" // a view has one primary action
	}
}

// writeFirstValues writes the first values of a placement, where no role says which ones matter.
func (p *placement) writeFirstValues(m *markup) {
	name := p.ownName().value
	list := p.variables(func(v *variable, value *taxonomy.VariableValue) bool {
		text := p.element.page.locales.pick(value.Text).value
		return !v.inTitle && (text == "" || text != name)
	})
	for i, f := range list[:min(2, len(list))] {
		if i == 0 {
			m.all("\n", `<p class="said quiet">`)
		} else {
			m.all(" · ")
		}
		p.writeValue(m, f.value, f.label.lang)
	}
	if len(list) > 0 {
		m.all("</p>")
	}
}

// placementOf finds a placement of the summary, which has few.
func (pg *page) placementOf(p *taxonomy.Placement) *placement {
	return pg.placements[slices.IndexFunc(pg.placements, func(one *placement) bool { return one.Placement == p })]
}

// writeLink writes a link to the article of the placement: the document's own name for it, or
// its title.
func (p *placement) writeLink(m *markup) {
	m.all(`<a href="#`, m.prefix, `e`, strconv.Itoa(p.id), `">`)
	p.element.load()
	if name := p.ownName(); name.value != "" {
		m.text(name)
	} else {
		p.writeTitle(m)
	}
	m.all(`</a>`)
}

// ownName returns the document's own name for the placement, which has no value if there is
// none.
func (p *placement) ownName() text {
	pg := p.element.page
	return pg.mark(pg.locales.pick(p.entry.Name), p.element.title.lang)
}

// mailAddress returns the first email address at which a placement can be answered.
func (p *placement) mailAddress() link {
	for _, a := range p.Actions {
		if a.Type == "email" {
			if l := mailLink(a.Target); l.URL != "" {
				return l
			}
		}
	}
	pg := p.element.page
	said := []taxonomy.Localized{p.entry.Contact}
	for i := range p.Variables {
		said = append(said, p.Variables[i].Text)
	}
	for _, l := range said {
		if found := weblink.Mails(pg.locales.pick(l).value); len(found) > 0 {
			return link{URL: template.URL(found[0].URL)} //nolint:gosec // escaped
		}
	}
	return link{}
}

// letter returns a link to a letter in the language of the reader, ready to send, if the
// placement is a right with an email address.
func (p *placement) letter() link {
	if p.entry.Role != codes.RoleRights {
		return link{}
	}
	pg := p.element.page
	title := pg.plainName(p.element)
	return p.mailAddress().with(title+" – "+clip(pg.PlainTitle), fmt.Sprintf(pg.messages.Word("lettertext"), clip(pg.PlainTitle), clip(pg.doc.ID), title, cmp.Or(pg.options.Page, pg.options.Address)))
}

// report returns a link to report an error in the document: to the address in the options,
// or to those who answer for the system.
func (pg *page) report() link {
	w := pg.messages
	if pg.options.Report != "" {
		if l := webLink(pg.options.Report, "https"); l.URL != "" {
			return l
		}
	}
	to := mailLink(pg.options.Report)
	if point, ok := pg.summary.Point(codes.RoleAccountable); ok && to.URL == "" && len(point.Entries) > 0 {
		to = pg.placementOf(point.Entries[0].Placement).mailAddress()
	}
	title := clip(pg.PlainTitle)
	return to.with(w.Word("report")+w.Word("colon")+" "+title, fmt.Sprintf(w.Word("reporttext"), title, clip(pg.doc.ID), cmp.Or(pg.options.Page, pg.options.Address)))
}

// plainName returns the title of an element as plain text.
func (pg *page) plainName(e *element) string {
	if title := e.load().title.value; e.titlePieces == nil {
		return clip(title)
	}
	return clip(e.ID)
}

// clip shortens a text for a letter.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}

// with adds a subject and a text to an email address.
func (l link) with(subject, body string) link {
	if l.URL == "" {
		return l
	}
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	l.URL += template.URL("?subject=" + escape(subject) + "&body=" + escape(strings.ReplaceAll(body, "\n", "\r\n"))) //nolint:gosec // escaped
	return l
}

// shareTags are what a shared link shows: the title, and what the system is for.
func (pg *page) shareTags() string {
	about := pg.locales.pick(pg.doc.Description).value
	if point, ok := pg.summary.Point(codes.RolePurpose); ok && len(point.Entries) > 0 {
		if words := pg.locales.pick(point.Entries[0].Words).value; words != "" {
			said := phrases.NewPoint(point, &pg.locales.Chooser)
			about = said.Line(maxPurposes)
		}
	}
	tags := `<meta property="og:type" content="article">` + "\n" + `<meta property="og:title" content="` + attribute(pg.PlainTitle) + `">` + "\n"
	if about != "" {
		about = attribute(about)
		tags += `<meta name="description" content="` + about + `">` + "\n" + `<meta property="og:description" content="` + about + `">` + "\n"
	}
	return tags
}
