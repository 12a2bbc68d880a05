package view

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// The first screen of a page: the summary of the document.

// manyPoints is from how many points on a summary is denser, and longTitle from how many letters in the
// title on.
const (
	manyPoints = 5
	longTitle  = 50
)

var (
	summaryPart = part[summaryView]("summary")
	valuesPart  = part[[]valueView]("values")
)

type summaryView struct {
	Many   bool
	Gap    bool // a point without entries is not said yet
	Points []pointView
	// Said is what happened when people asked, and Answered its heading, or both are "".
	Answered, Said string
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
	Links       []linkView
	Alone       bool // there is one link
	Values      func(*markup)
	Contact     *contactView
	Rights      []rightView
	WithoutMail *reachView
	Safeguard   template.HTML
	NoSafeguard string
}

// purposeView is a purpose in the document's own words, or a link by its name. The last one says how many
// more there are.
type purposeView struct {
	Words template.HTML
	Link  func(*markup)
	Alone bool // there is nothing but the link
	More  *moreView
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
	Ask     *reachView // the register, if there is none
}

type eachView struct {
	Space string // before it
	Text  func(*markup)
}

// valueView is one of the first values of a placement.
type valueView struct {
	Between string // it and that before it
	Value   func(*markup)
}

// writeSummary writes the summary.
func (pg *page) writeSummary(m *markup) {
	answered := pg.site.Answered
	if len(pg.summary.Points) == 0 && answered == nil {
		return
	}
	v := summaryView{Many: len(pg.summary.Points) >= manyPoints || i18n.Letters(pg.PlainTitle) >= longTitle, Gap: pg.options.Unfinished}
	for i := range pg.summary.Points {
		v.Points = append(v.Points, pg.point(i+1, &pg.summary.Points[i]))
	}
	if answered != nil {
		v.Answered, v.Said = phrases.In(pg.messages.Lang).Answered, answered.In(pg.messages.Lang)
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
		v.Rights, v.WithoutMail = pg.rights(p.Entries)
	default:
		if p.Context != nil && (p.Context.Color != "" || p.AtMost) {
			v.Level = first.writeContext
		}
		if p.Role == codes.RolePurpose {
			v.Purposes = pg.purposes(p)
		} else {
			v.Links = pg.links(p.Entries)
		}
		if p.Role == "" {
			v.Values = first.writeFirstValues
		}
	}
	v.Alone = len(v.Links) == 1
	if p.Role == codes.RoleRisk {
		if guard := pg.locales.Text(p.Entries[0].Safeguard); guard.Value != "" {
			v.Safeguard = pg.mark(guard, "").Block()
		} else if p.Entries[0].State(codes.RoleSafeguard) == summary.NotSaid {
			v.NoSafeguard = words.NoSafeguard
		}
	}
	return v
}

// The first screen names at most so many purposes, or two of more, which have at most so many letters
// together.
const (
	maxPurposes       = 3
	maxPurposeLetters = 160
)

// purposes returns what a system is for in the document's own words, else by the names of the
// elements: the first ones or, if they are too long, one, and how many more there are. The article has
// words that are too long for the first screen.
func (pg *page) purposes(p *summary.Point) (list []purposeView) {
	letters, most := 0, maxPurposes
	if len(p.Entries) > most {
		most = 2
	}
	for i := range p.Entries[:min(most, len(p.Entries))] {
		words, placed := pg.locales.Text(p.Entries[i].Words), pg.placementOf(p.Entries[i].Placement)
		said := cmp.Or(words.Value, placed.ownName().Value, placed.element.load().title.Value)
		if letters += i18n.Letters(said); letters > maxPurposeLetters && i > 0 {
			break
		}
		v := purposeView{Words: pg.mark(words, "").Block()}
		if v.Words == "" || letters > maxPurposeLetters {
			v = purposeView{Link: placed.writeLink, Alone: true}
		}
		list = append(list, v)
	}
	if n := len(p.Entries) - len(list); n > 0 {
		last := &list[len(list)-1]
		last.Alone = false
		last.More = &moreView{pg.placementOf(p.Entries[len(list)].Placement).id, fmt.Sprintf(phrases.In(pg.messages.Lang).More, n)}
	}
	return list
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
	v := &contactView{None: none}
	if list := pg.site.Contact.ways(true); len(list) > 0 {
		v.Ask = &reachView{pg.messages.Word("askregister"), list}
	}
	return v
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

// maxAbout is how many letters shared links have of the purposes.
const maxAbout = 300

// about is what shared links say: what the system is for.
func (pg *page) about() string {
	if point, ok := pg.summary.Point(codes.RolePurpose); ok && len(point.Entries) > 0 {
		if words := pg.locales.Text(point.Entries[0].Words).Value; words != "" {
			said := phrases.NewPoint(point, &pg.locales)
			return said.Line(maxAbout)
		}
	}
	return pg.locales.Text(pg.doc.Description).Value
}
