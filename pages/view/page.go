package view

import (
	"cmp"
	"html/template"
	"slices"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// page is what is written. Repeated texts, such as the description of an element that is
// placed a thousand times, are read once and escaped when they are written, so the limit of
// the output also limits the work.
type page struct {
	Lang, Dir                string
	Head, Script             template.HTML
	PlainTitle               string
	Kind, Title, Description template.HTML
	site                     Site
	Sections                 []*section
	Flows                    []*flow
	Sources                  []source
	numbers                  map[source]int // of sources, from 1
	Retired                  bool           // the pinned version is no longer published

	messages      *messages
	textLanguages []phrases.Text           // languages of the document, if they are not just that of the page
	ownLanguages  []phrases.Text           // that all own texts are in, or all but the title
	ownLanguage   *ownLanguage             // nil if there are none
	marks         map[string]template.HTML // by language
	show          *datachain.Presentation
	doc           *taxonomy.Resolved
	locales       phrases.Chooser
	limit         int
	elements      map[string]*element
	sections      map[string]*section
	placements    []*placement // in document order
	options       *Options
	entries       []summary.Entry // of the placements
	summary       *summary.Summary
	letterTitle   *phrases.Text // of the document, clipped; nil until a letter needs it
	languages     []*page       // the page in each language of the file, itself among them
}

// section is a category and its placements.
type section struct {
	ID         int
	Name       template.HTML
	Placements []*placement

	name     phrases.Text
	category *taxonomy.Category // nil if it is unknown

	variables map[string]int // the positions of those of the category, computed when needed
}

// newPage prepares a page. What is the same in every language comes from first, the page in
// another language, if that is not nil.
func newPage(p *datachain.Presentation, o *Options, limit int, first *page) *page {
	languages := p.Locales()
	if o.Site != nil && ident.IsLocale(o.Locale) && !slices.Contains(languages, o.Locale) {
		languages = append(languages, o.Locale) // a page of a site is in the language of the site
	}
	pg := &page{
		Head: assets().head, Script: assets().script, Sources: newSources(p.Datachain.Sources), Retired: p.Release == nil,
		show: p, doc: p.Datachain, locales: phrases.NewChooser(languages, o.Locale), limit: limit,
		options: o, elements: make(map[string]*element, len(p.Datachain.SchemaSnapshot.Elements)), sections: make(map[string]*section),
	}
	if first != nil {
		pg.entries, pg.summary = first.entries, first.summary
	} else {
		pg.entries, pg.summary = summary.Entries(p.Datachain, p.Release, o.Roles)
	}
	pg.numbers = make(map[source]int, len(pg.Sources))
	for i, s := range slices.Backward(pg.Sources) {
		pg.numbers[s] = i + 1
	}
	pg.Lang, pg.Dir = pg.locales.Locale, i18n.Direction(pg.locales.Locale)
	pg.messages = messagesFor(pg.Lang)
	pg.readElements(pg.doc.SchemaSnapshot.Elements, false)
	pg.readElements(pg.doc.SuggestedElements, true)
	pg.readSections()
	pg.readPlacements()
	title, typ := pg.locales.Name(pg.doc.Title, pg.doc.ID), &pg.doc.SchemaSnapshot.DatachainType
	pg.findOwnLanguages(title)
	pg.findTextLanguages(title)
	pg.PlainTitle, pg.Title = title.Value, pg.mark(title, "").Block()
	if o.Unfinished && len(pg.doc.Title) == 0 {
		pg.Title = pg.gap()
	}
	pg.Kind = pg.mark(pg.locales.Name(typ.Name, typ.ID), "").HTML()
	pg.Description = pg.mark(pg.locales.Text(pg.doc.Description), title.Lang()).Block()
	for _, s := range pg.Sections {
		s.Name = pg.mark(s.name, "").Block()
	}
	pg.readFlows()
	return pg
}

// gap is what stands for something that is not said yet.
func (pg *page) gap() template.HTML {
	return `<span class="gap">` + pg.ours(pg.messages.Word("gap")).HTML() + `</span>`
}

// readElements indexes elements by id. The first one with an id counts.
func (pg *page) readElements(list []taxonomy.Element, suggested bool) {
	elements := make([]element, len(list))
	for i := range list {
		if e := &list[i]; pg.elements[e.ID] == nil {
			elements[i] = element{Element: e, page: pg, suggested: suggested}
			pg.elements[e.ID] = &elements[i]
		}
	}
}

// readSections makes a section for each category, in declaration order.
func (pg *page) readSections() {
	snapshot := &pg.doc.SchemaSnapshot
	known := make(map[string]*taxonomy.Category)
	for i := range snapshot.Categories {
		known[snapshot.Categories[i].ID] = &snapshot.Categories[i]
	}
	// The category of a suggested element may be missing in the snapshot.
	for i := range pg.doc.SuggestedElements {
		id := pg.doc.SuggestedElements[i].CategoryID
		if known[id] == nil && pg.show.Release != nil {
			if c, ok := pg.show.Release.Category(id); ok {
				known[id] = c
			}
		}
	}
	for _, id := range snapshot.DatachainType.Categories {
		if c := known[id]; c != nil {
			pg.section(id, c)
		}
	}
	for i := range snapshot.Categories {
		pg.section(snapshot.Categories[i].ID, &snapshot.Categories[i])
	}
}

// section returns the section of a category, which is made if necessary.
func (pg *page) section(id string, c *taxonomy.Category) *section {
	if s := pg.sections[id]; s != nil {
		return s
	}
	s := &section{ID: len(pg.Sections) + 1, category: c, name: phrases.Text{Value: id}}
	pg.sections[id] = s
	pg.Sections = append(pg.Sections, s)
	return s
}

// label picks the text of a label, which belongs to a text in a language.
func (pg *page) label(l taxonomy.Label, within string) phrases.Text {
	if l.Text == nil {
		return phrases.Raw(l.Plain)
	}
	return pg.mark(pg.locales.Text(l.Text), within)
}

// readPlacements adds the placements to their sections, by priority, then in document order.
func (pg *page) readPlacements() {
	pg.placements = make([]*placement, len(pg.doc.Elements))
	for i := range pg.doc.Elements {
		p := &placement{Placement: &pg.doc.Elements[i], id: i + 1, entry: &pg.entries[i]}
		if p.element = pg.elements[p.ElementID]; p.element == nil { // only without validation
			p.element = &element{Element: &taxonomy.Element{ID: p.ElementID}, page: pg}
			pg.elements[p.ElementID] = p.element
		}
		p.element.placed++
		p.section = pg.section(p.element.CategoryID, nil)
		p.section.Placements = append(p.section.Placements, p)
		pg.placements[i] = p
	}
	pg.Sections = slices.DeleteFunc(pg.Sections, func(s *section) bool {
		return len(s.Placements) == 0 && !(pg.options.Unfinished && s.category != nil && s.category.Required)
	})
	for _, s := range pg.Sections {
		if c := s.category; c != nil {
			s.name = pg.locales.Name(c.Name, c.ID)
		} else {
			s.name = phrases.Raw(s.name.Value)
		}
		slices.SortStableFunc(s.Placements, func(a, b *placement) int { return cmp.Compare(orZero(a.Priority), orZero(b.Priority)) })
	}
}

// ours returns a fixed text of the page.
func (pg *page) ours(s string) phrases.Text {
	if pg.messages.UI != "" {
		return pg.locales.In(s, pg.messages.Lang)
	}
	return pg.locales.In(s, pg.Lang)
}

// day formats the date of a timestamp, or returns an invalid one as it is.
func (pg *page) day(timestamp string) template.HTML {
	if day, ok := i18n.Day(pg.messages.Lang, timestamp); ok {
		return pg.ours(day).HTML()
	}
	return phrases.Raw(timestamp).HTML()
}

// fact is a line of the facts or of the technical details.
type fact struct {
	Name  string
	Value template.HTML
}

// dates are the facts about the document itself.
func (pg *page) dates() []fact {
	list := []fact{{pg.messages.Word("created"), pg.day(pg.doc.CreatedAt)}}
	if pg.doc.UpdatedAt != "" {
		list[0] = fact{pg.messages.Word("updated"), pg.day(pg.doc.UpdatedAt)}
	}
	if pg.site.History != "" {
		list[0].Value += " " + pg.site.History
	}
	if pg.doc.InstanceVersion != "" {
		list = append(list, fact{pg.messages.Word("version"), phrases.Raw(pg.doc.InstanceVersion).HTML()})
	}
	if len(pg.textLanguages) > 0 {
		list = append(list, fact{pg.messages.Word("language"), pg.listed(pg.textLanguages)})
	}
	return list
}

// listed writes texts as a list on one line.
func (pg *page) listed(texts []phrases.Text) template.HTML {
	var m markup
	for i, t := range texts {
		if i > 0 {
			m.WriteString(phrases.In(pg.messages.Lang).Comma)
		}
		m.text(t)
	}
	return m.html()
}

// technical are related datachains, and the ids of the document and its taxonomy.
func (pg *page) technical() []fact {
	var list []fact
	if len(pg.doc.LinkedInstanceIDs) > 0 {
		var ids []phrases.Text
		for _, id := range pg.doc.LinkedInstanceIDs {
			ids = append(ids, phrases.Raw(id))
		}
		list = append(list, fact{pg.messages.Word("related"), pg.listed(ids)})
	}
	list = append(list,
		fact{pg.messages.Word("document"), phrases.Raw(pg.doc.ID).HTML()},
		fact{pg.messages.Word("taxonomy"), phrases.Raw(pg.doc.SchemaVersion).HTML()})
	if pg.show.Release != nil {
		list = append(list, fact{pg.messages.Word("hash"), phrases.Raw(pg.show.Release.ContentHash().String()).HTML()})
	}
	return list
}

// author describes the AI system that wrote the document, or is nil.
func (pg *page) author() *author {
	from := pg.doc.AuthoringProvenance
	if from == nil || from.Kind != codes.KindAIGenerated {
		return nil
	}
	g := &author{Model: phrases.Raw(from.Model).HTML()}
	if from.GeneratedAt != "" {
		g.Day = pg.day(from.GeneratedAt)
	}
	return g
}

type author struct{ Model, Day template.HTML }

// shapes are the bare shapes, each drawn for light and for dark pages. They are made once.
var shapes = sync.OnceValue(func() map[taxonomy.Shape]template.HTML {
	drawn := make(map[taxonomy.Shape]template.HTML)
	for _, s := range taxonomy.Shapes() {
		light, _ := icons.Append(nil, s, nil, icons.DefaultColors(), nil) // the shape is known
		dark, _ := icons.Append(nil, s, nil, icons.DarkColors(), nil)
		drawn[s] = template.HTML(append(light, dark...)) //nolint:gosec // composed of our own drawing
	}
	return drawn
})
