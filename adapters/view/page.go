package view

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/direction"
	"github.com/datachain-go/datachain/taxonomy"
)

// page is what the template shows of a datachain. What repeats, such as the
// description of an element that is placed a thousand times, is read once and
// written as the template comes to it, so that the limit of what is written
// limits the work, too.
type page struct {
	Lang     string
	Dir      string
	Head     template.HTML
	Script   template.HTML
	Sections []*section
	Flows    []*flow

	edition  *edition
	foreign  string            // the one language of a page that is not in its own
	marks    map[string]string // by language
	show     *datachain.Presentation
	doc      *taxonomy.Resolved
	locales  locales
	limit    int
	elements map[string]*element
	sections map[string]*section
	cards    []*card // as the document places them
}

// section is a category and what is placed of it.
type section struct {
	ID                  int
	Name, Prompt, Shape template.HTML
	Cards               []*card

	name     text
	category *taxonomy.Category // nil where nobody knows it
	contexts map[string]*taxonomy.ContextValue
	chips    map[string]*chip // those that were shown
}

func newPage(p *datachain.Presentation, o *Options) *page {
	pg := &page{
		show: p, doc: p.Datachain, locales: newLocales(p, o.Locale), limit: o.MaxBytes,
		elements: make(map[string]*element), sections: make(map[string]*section), marks: make(map[string]string),
	}
	pg.Lang, pg.Dir = pg.locales.page, direction.Of(pg.locales.page)
	pg.edition = editionFor(pg.Lang)
	pg.readElements()
	pg.readSections()
	pg.readCards()
	pg.findForeign()
	pg.nameSections()
	pg.readFlows()
	return pg
}

// readElements lists the elements by id. Those of the snapshot come first.
func (pg *page) readElements() {
	for i := range pg.doc.SchemaSnapshot.Elements {
		e := &pg.doc.SchemaSnapshot.Elements[i]
		if pg.elements[e.ID] == nil {
			pg.elements[e.ID] = &element{Element: e, page: pg}
		}
	}
	for i := range pg.doc.SuggestedElements {
		e := &pg.doc.SuggestedElements[i]
		if pg.elements[e.ID] == nil {
			pg.elements[e.ID] = &element{Element: e, page: pg, suggested: true}
		}
	}
}

// readSections makes a section for each category in declaration order.
func (pg *page) readSections() {
	known := make(map[string]*taxonomy.Category)
	for i := range pg.doc.SchemaSnapshot.Categories {
		c := &pg.doc.SchemaSnapshot.Categories[i]
		known[c.ID] = c
	}
	// A suggested element may be of a category that nothing else is of.
	for i := range pg.doc.SuggestedElements {
		id := pg.doc.SuggestedElements[i].CategoryID
		if known[id] == nil && pg.show.Release != nil {
			if c, ok := pg.show.Release.Category(id); ok {
				known[id] = c
			}
		}
	}
	for _, id := range pg.doc.SchemaSnapshot.DatachainType.Categories {
		if c := known[id]; c != nil {
			pg.section(id, c)
		}
	}
	for i := range pg.doc.SchemaSnapshot.Categories {
		c := &pg.doc.SchemaSnapshot.Categories[i]
		pg.section(c.ID, c)
	}
}

// section returns the section of a category, and makes it if need be.
func (pg *page) section(id string, c *taxonomy.Category) *section {
	if s := pg.sections[id]; s != nil {
		return s
	}
	s := &section{ID: len(pg.Sections) + 1, category: c, name: plain(id)}
	if c != nil {
		s.name = pg.name(c.Name, id)
		s.Shape = shapes(c.Shape)
		s.contexts = make(map[string]*taxonomy.ContextValue, len(c.Context.Values))
		for i := range c.Context.Values {
			s.contexts[c.Context.Values[i].ID] = &c.Context.Values[i]
		}
	}
	pg.sections[id] = s
	pg.Sections = append(pg.Sections, s)
	return s
}

// name picks a name, or takes the id where there is none.
func (pg *page) name(l taxonomy.Localized, id string) text {
	if t := pg.locales.pick(l); t.some() {
		return t
	}
	return plain(id)
}

// readCards puts the placements into their sections: by priority, then as they
// stand in the document.
func (pg *page) readCards() {
	pg.cards = make([]*card, len(pg.doc.Elements))
	for i := range pg.doc.Elements {
		placed := &pg.doc.Elements[i]
		e := pg.elements[placed.ElementID]
		if e == nil { // only where rules were not run
			e = &element{Element: &taxonomy.Element{ID: placed.ElementID}, page: pg}
			pg.elements[placed.ElementID] = e
		}
		e.placed++
		c := &card{placed: placed, id: i + 1, element: e, section: pg.section(e.CategoryID, nil)}
		c.section.Cards = append(c.section.Cards, c)
		pg.cards[i] = c
	}
	pg.Sections = slices.DeleteFunc(pg.Sections, func(s *section) bool { return len(s.Cards) == 0 })
	for _, s := range pg.Sections {
		slices.SortStableFunc(s.Cards, func(a, b *card) int { return cmp.Compare(a.placed.Priority, b.placed.Priority) })
	}
}

// nameSections writes the names and the questions of the sections.
func (pg *page) nameSections() {
	for _, s := range pg.Sections {
		s.Name = pg.mark(s.name, "").block()
		if c := s.category; c != nil {
			prompt := cmp.Or(pg.locales.pick(c.Prompt), pg.locales.pick(c.Description))
			s.Prompt = pg.mark(prompt, s.name.lang).block()
		}
	}
}

// PlainTitle is the title of the datachain, or its id.
func (pg *page) PlainTitle() string { return pg.title().value }

func (pg *page) title() text { return pg.name(pg.doc.Title, pg.doc.ID) }

// Title is the same in the page.
func (pg *page) Title() template.HTML { return pg.mark(pg.title(), "").block() }

// Description is that of the datachain.
func (pg *page) Description() template.HTML {
	return pg.mark(pg.locales.pick(pg.doc.Description), pg.title().lang).block()
}

// Kind is the name of the datachain type.
func (pg *page) Kind() template.HTML {
	t := &pg.doc.SchemaSnapshot.DatachainType
	return pg.mark(pg.name(t.Name, t.ID), "").html()
}

// ours is a text of the page itself.
func (pg *page) ours(s string) text {
	t := text{value: s}
	if pg.edition.UI != "" {
		t.lang = pg.edition.Lang
	}
	return t
}

// day writes a day of the calendar, or what stands in its place.
func (pg *page) day(timestamp string) template.HTML {
	if day, ok := pg.edition.day(timestamp); ok {
		return pg.ours(day).html()
	}
	return plain(timestamp).html()
}

// fact is a line of the head or the foot of the page.
type fact struct {
	Name  string
	Value template.HTML
}

// Facts are what the head of the page tells about the document.
func (pg *page) Facts() []fact {
	var list []fact
	if pg.doc.UpdatedAt != "" {
		list = append(list, fact{pg.edition.Updated, pg.day(pg.doc.UpdatedAt)})
	} else {
		list = append(list, fact{pg.edition.Created, pg.day(pg.doc.CreatedAt)})
	}
	if pg.doc.InstanceVersion != "" {
		list = append(list, fact{pg.edition.Edition, plain(pg.doc.InstanceVersion).html()})
	}
	if pg.foreign != "" {
		list = append(list, fact{pg.edition.Language, text{value: tongue(pg.foreign), lang: pg.foreign}.html()})
	}
	return list
}

// Foot is which datachains belong to the document, and what identifies it and the
// taxonomy.
func (pg *page) Foot() []fact {
	var list []fact
	if len(pg.doc.LinkedInstanceIDs) > 0 {
		list = append(list, fact{pg.edition.Related, pg.related()})
	}
	list = append(list,
		fact{pg.edition.Document, plain(pg.doc.ID).html()},
		fact{pg.edition.Taxonomy, plain(pg.doc.SchemaVersion).html()})
	if pg.show.Release != nil {
		list = append(list, fact{pg.edition.Hash, plain(pg.show.Release.ContentHash().String()).html()})
	}
	return list
}

// Retired reports that the version that the document pins is gone.
func (pg *page) Retired() bool { return pg.show.Release == nil }

// Generated says which model wrote the document, and when, where one did.
func (pg *page) Generated() *generated {
	from := pg.doc.AuthoringProvenance
	if from == nil || from.Kind != taxonomy.KindAIGenerated {
		return nil
	}
	g := &generated{Model: plain(from.Model).html()}
	if from.GeneratedAt != "" {
		g.Day = pg.day(from.GeneratedAt)
	}
	return g
}

type generated struct{ Model, Day template.HTML }

// Sources are those of the document.
func (pg *page) Sources() []source { return newSources(pg.doc.Sources) }

// related lists the ids of other datachains.
func (pg *page) related() template.HTML {
	var m markup
	for i, id := range pg.doc.LinkedInstanceIDs {
		if i > 0 {
			m.WriteString(pg.edition.comma)
		}
		m.text(plain(id))
	}
	return m.html()
}

// shapes draws a bare shape for light and for dark pages.
func shapes(s taxonomy.Shape) template.HTML {
	light, err := icons.Compose(s, nil, icons.DefaultLook(), nil)
	if err != nil {
		return ""
	}
	dark, err := icons.Compose(s, nil, icons.DarkLook(), nil)
	if err != nil {
		return ""
	}
	return template.HTML(string(light) + string(dark)) //nolint:gosec // composed of our own drawing
}
