package view

import (
	"html/template"

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
		pg.writeSection(m, s)
	}
	pg.writeBottom(m)
}

// The parts of a page, which are templates in page.html.
var (
	openPart        = part[openView]("open")
	topPart         = part[topView]("top")
	aboutPart       = part[aboutView]("about")
	besidePart      = part[besideView]("beside")
	categoryPart    = part[categoryView]("category")
	bottomPart      = part[bottomView]("bottom")
	closePart       = part[closeView]("close")
	placeholderPart = part[placeholderView]("placeholder")
)

type categoryView struct {
	ID         int
	Name       template.HTML
	Placements []placementView
	Gap        template.HTML // if there are none
}

type placementView struct{ Article func(*markup) }

// writeSection writes a category and its placements, up to the limit of the page.
func (pg *page) writeSection(m *markup, s *section) {
	v := categoryView{ID: s.ID, Name: s.Name}
	if len(s.Placements) == 0 {
		v.Gap = pg.gap()
	}
	for _, p := range s.Placements {
		v.Placements = append(v.Placements, placementView{p.write})
	}
	categoryPart(m, &v)
}

type openView struct {
	Lang, Dir, PlainTitle string
	Head                  template.HTML
	About                 string // what shared links say
}

// writeOpen writes what comes before the main element.
func (pg *page) writeOpen(m *markup) {
	openPart(m, &openView{pg.Lang, pg.Dir, pg.PlainTitle, pg.Head, pg.about()})
}

type closeView struct{ Script template.HTML }

// writeClose writes what comes after the main element.
func (pg *page) writeClose(m *markup) { closePart(m, &closeView{pg.Script}) }

type topView struct {
	Lang, Dir, PlainTitle string
	Title, Above          template.HTML
	OwnLanguage           *ownLanguage
	Other                 bool           // not the first language of the file
	Languages             []languageView // if there are several
	Address               string         // on paper
	Code                  template.HTML
}

type languageView struct {
	Address    template.URL
	Lang, Name string
	Current    bool
}

// writeTop writes the beginning of the main element: the title.
func (pg *page) writeTop(m *markup) {
	v := topView{
		Lang: pg.Lang, Dir: pg.Dir, PlainTitle: pg.PlainTitle, Title: pg.Title, Above: pg.site.Above, OwnLanguage: pg.ownLanguage,
		Other: m.prefix != "", Address: pg.options.Address, Code: pg.options.Code,
	}
	for i, other := range pg.languages {
		if len(pg.languages) < 2 {
			break
		}
		address := template.URL("#datachain")
		if i > 0 {
			address = template.URL("#" + other.prefix() + "datachain") //nolint:gosec // a fragment
		}
		v.Languages = append(v.Languages, languageView{address, other.Lang, i18n.Endonym(other.Lang), other == pg})
	}
	topPart(m, &v)
}

type aboutView struct {
	Description template.HTML
	Author      *author
}

// writeAbout writes what follows the summary: the description, and who wrote it.
func (pg *page) writeAbout(m *markup) { aboutPart(m, &aboutView{pg.Description, pg.author()}) }

type besideView struct {
	Kind, SiteFacts, SiteLinks template.HTML
	Dates                      []fact
	Contents                   []contentView
	Links                      bool
	Report                     template.URL
}

type contentView struct {
	ID    int
	Label template.HTML
}

// writeBeside writes the facts, the contents, and what else a reader can do.
func (pg *page) writeBeside(m *markup) {
	v := besideView{Kind: pg.Kind, SiteFacts: pg.site.Facts, SiteLinks: pg.site.Links, Dates: pg.dates(), Report: pg.report().URL}
	v.Links = v.Report != "" || v.SiteLinks != ""
	if len(pg.Sections) > 2 {
		for _, s := range pg.Sections {
			v.Contents = append(v.Contents, contentView{s.ID, s.name.HTML()})
		}
	}
	besidePart(m, &v)
}

type bottomView struct {
	Numbered      []numberedView
	Technical     []fact
	Retired       bool
	SiteTechnical template.HTML
}

type numberedView struct {
	Number int
	Source source
}

// writeBottom writes the end of the main element: sources and technical details.
func (pg *page) writeBottom(m *markup) {
	v := bottomView{Technical: pg.technical(), Retired: pg.Retired, SiteTechnical: pg.site.Technical}
	for i, s := range pg.Sources {
		v.Numbered = append(v.Numbered, numberedView{i + 1, s})
	}
	bottomPart(m, &v)
}

type placeholderView struct {
	Head, Script template.HTML
	Title        string
}

// placeholder is the page that waits for a document.
func placeholder(a *asset) []byte {
	var m markup
	placeholderPart(&m, &placeholderView{a.head, a.script, awaitingTitle})
	return m.bytes
}
