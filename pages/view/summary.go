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

var (
	summaryPart = part[summaryView]("summary")
	valuesPart  = part[[]valueView]("values")
)

type summaryView struct {
	Many   bool
	Points []pointView
}

// pointView is a point: its icon, its heading and what the document says.
type pointView struct {
	Role    taxonomy.Role
	Heading string // of a role, and Name of another category
	Name    template.HTML
	Icon    func(*markup)

	Nothing     string // if there are no entries
	Level       func(*markup)
	Purposes    []purposeView
	More        *moreView
	Links       []linkView
	Values      func(*markup)
	Contact     *contactView
	Rights      []rightView
	Safeguard   template.HTML
	NoSafeguard string
}

// purposeView is a purpose in the document's own words, or a link by its name.
type purposeView struct {
	Words template.HTML
	Link  func(*markup)
}

// moreView leads to the purposes that are not named.
type moreView struct {
	ID   int
	Text string
}

type linkView struct {
	Comma string // before it
	Link  func(*markup)
}

// contactView is how to reach those who answer for the system: a text, or nothing but addresses and
// numbers, each apart so that it is easy to touch; or else an action, a web address, or that there is none.
type contactView struct {
	Text    func(*markup)
	Each    []eachView
	Actions []action
	Web     *link
	None    string
}

type eachView struct {
	Space string // before it
	Text  func(*markup)
}

// rightView is what a reader can do, with the first way to do it. Where that leads to is only shown on
// paper.
type rightView struct {
	Link    func(*markup)
	Button  string
	Letter  template.URL
	Address string // of the letter
	Action  *action
	Values  func(*markup) // if there is no way
}

// valueView is one of the first values of a placement.
type valueView struct {
	Between string // it and that before it
	Value   func(*markup)
}

// writeSummary writes the summary.
func (pg *page) writeSummary(m *markup) {
	if len(pg.summary.Points) == 0 {
		return
	}
	v := summaryView{Many: len(pg.summary.Points) >= manyPoints}
	for i := range pg.summary.Points {
		v.Points = append(v.Points, pg.point(i+1, &pg.summary.Points[i]))
	}
	summaryPart(m, &v)
}

// point returns what a point shows.
func (pg *page) point(number int, p *summary.Point) pointView {
	words := phrases.In(pg.messages.Lang)
	v := pointView{Role: p.Role, Heading: words.Heading(p)}
	if p.Role == "" {
		v.Name = pg.mark(pg.locales.Name(p.Category.Name, p.Category.ID), "").Block()
	}
	if len(p.Entries) == 0 {
		v.Icon = func(m *markup) { m.WriteString(string(shapes()[p.Category.Shape])) }
		v.Nothing = words.Nothing[p.Role]
		return v
	}
	first := pg.placementOf(p.Entries[0].Placement)
	v.Icon = func(m *markup) { first.draw(m, "p"+strconv.Itoa(number)) }
	switch p.Role {
	case codes.RoleAccountable:
		v.Links, v.Contact = pg.links(p.Entries[:1]), pg.contact(&p.Entries[0], words.NoContact)
	case codes.RoleRights:
		v.Rights = pg.rights(p.Entries)
	default:
		if p.Context != nil && (p.Context.Color != "" || p.AtMost) {
			v.Level = first.writeContext
		}
		if p.Role == codes.RolePurpose {
			v.Purposes, v.More = pg.purposes(p)
		} else {
			v.Links = pg.links(p.Entries)
		}
		if p.Role == "" {
			v.Values = first.writeFirstValues
		}
	}
	if p.Role == codes.RoleRisk {
		if guard := pg.locales.Text(p.Entries[0].Safeguard); guard.Value != "" {
			v.Safeguard = pg.mark(guard, "").Block()
		} else if p.Entries[0].State(codes.RoleSafeguard) == summary.NotSaid {
			v.NoSafeguard = words.NoSafeguard
		}
	}
	return v
}

// maxPurposes is how many letters the purposes may have together to be all named on the first
// screen.
const maxPurposes = 300

// purposes returns what a system is for in the document's own words, else by the names of the
// elements: all purposes or, if they are too long, the first and how many more there are.
func (pg *page) purposes(p *summary.Point) (list []purposeView, more *moreView) {
	shown, said := p.Entries, phrases.NewPoint(p, &pg.locales)
	if !said.Fits(maxPurposes) {
		shown = shown[:1]
	}
	for i := range shown {
		v := purposeView{Words: pg.mark(pg.locales.Text(shown[i].Words), "").Block()}
		if v.Words == "" {
			v.Link = pg.placementOf(shown[i].Placement).writeLink
		}
		list = append(list, v)
	}
	if len(shown) < len(p.Entries) {
		more = &moreView{pg.placementOf(p.Entries[1].Placement).id, said.More}
	}
	return list, more
}

// links returns the entries of a point by their names, which lead to their articles.
func (pg *page) links(entries []summary.Entry) []linkView {
	list := make([]linkView, len(entries))
	for i := range entries {
		list[i].Link = pg.placementOf(entries[i].Placement).writeLink
		if i > 0 {
			list[i].Comma = phrases.In(pg.messages.Lang).Comma
		}
	}
	return list
}

// contact returns how to reach who answers for the system, or that this is not given; it is nil if that
// is not known.
func (pg *page) contact(e *summary.Entry, none string) *contactView {
	contact := pg.locales.Text(e.Contact)
	if contact.Value != "" {
		return pg.reach(pg.mark(contact, ""))
	}
	if list := pg.actions(e.Placement.Actions, ""); len(list) > 0 {
		return &contactView{Actions: list[:1]}
	}
	if web := webLink(pg.locales.Text(e.Link).Value, "https"); web.URL != "" {
		return &contactView{Web: &web}
	}
	if e.State(codes.RoleContact) != summary.NotSaid {
		return nil // another variable may have it
	}
	return &contactView{None: none}
}

// rights returns what a reader can do.
func (pg *page) rights(entries []summary.Entry) []rightView {
	list, button := make([]rightView, len(entries)), "button"
	for i := range entries {
		p, v := pg.placementOf(entries[i].Placement), &list[i]
		v.Link, v.Button = p.writeLink, button
		if letter := p.letter(); letter.URL != "" {
			v.Letter = letter.URL
			v.Address, _ = url.PathUnescape(strings.TrimPrefix(string(p.mailAddress().URL), "mailto:"))
		} else if list := pg.actions(entries[i].Placement.Actions, ""); len(list) > 0 && list[0].URL != "" {
			v.Action = &list[0]
		} else {
			v.Values = p.writeFirstValues
			continue
		}
		button = "button second" // a view has one primary action
	}
	return list
}

// writeFirstValues writes the first values of a placement, where no role says which ones matter.
func (p *placement) writeFirstValues(m *markup) {
	name := p.ownName().Value
	list := p.variables(func(v *variable, value *taxonomy.VariableValue) bool {
		text := p.element.page.locales.Text(value.Text).Value
		return !v.inTitle && (text == "" || text != name)
	})
	var shown []valueView
	for i, f := range list[:min(2, len(list))] {
		v := valueView{Value: func(m *markup) { p.writeValue(m, f.value, f.label.Lang()) }}
		if i > 0 {
			v.Between = " · "
		}
		shown = append(shown, v)
	}
	if len(shown) > 0 {
		valuesPart(m, &shown)
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
	if name := p.ownName(); name.Value != "" {
		m.text(name)
	} else {
		p.writeTitle(m)
	}
	m.all(`</a>`)
}

// ownName returns the document's own name for the placement, which has no value if there is
// none.
func (p *placement) ownName() phrases.Text {
	pg := p.element.page
	return pg.mark(pg.locales.Text(p.entry.Name), p.element.title.Lang())
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
		if found := weblink.Mails(pg.locales.Text(l).Value); len(found) > 0 {
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
	if title := e.load().title.Value; e.titlePieces == nil {
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

// about is what shared links say: what the system is for.
func (pg *page) about() string {
	if point, ok := pg.summary.Point(codes.RolePurpose); ok && len(point.Entries) > 0 {
		if words := pg.locales.Text(point.Entries[0].Words).Value; words != "" {
			said := phrases.NewPoint(point, &pg.locales)
			return said.Line(maxPurposes)
		}
	}
	return pg.locales.Text(pg.doc.Description).Value
}
