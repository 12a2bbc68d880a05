package explorer

import (
	"html/template"
	"net/url"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// catalogPage lists the elements of a version: by category, or those that a search finds.
func catalogPage() *page {
	return &page{name: "catalog", pattern: catalogPattern, params: []string{"q", "category", "page"}, parts: []string{"results", "palette"}, build: buildCatalog}
}

// catalog is the data of a catalog.
type catalog struct {
	Head        *versionHead
	Description text
	Facts       []string
	Since       *since
	Download    string
	Notes       text
	Licence     *licence
	Attribution text
	Print       string
	// Cite is the entry of BibTeX, Bib and CSL lead to files for programs.
	Cite     template.HTML
	Bib, CSL string

	Query    string
	Category string
	// Filters are the categories to choose from, and Nav leads to their sections.
	Filters, Nav []named

	// Sections are the categories, and Results what was searched for or filtered by
	// category: one of them is nil.
	Sections []*section
	Results  *results
}

// section is a category in a catalog.
type section struct {
	ID, URL     string
	Name, About text
	Shape       template.HTML
	Badges      []badge
	Facts       []string
	Cards       []*card
	// More leads to all elements, if there are others.
	More     string
	MoreName template.HTML
}

// Sizes of lists. A catalog with few elements shows all; in a larger one, each category
// shows some, and has a list of its own in pages.
const (
	showAll     = 150
	showSome    = 240
	pageSize    = 60
	maxNavItems = 200
)

func buildCatalog(q *request) (*content, error) {
	r := q.release()
	v := r.Version()
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	m := r.Manifest()
	d := &catalog{
		Head: q.head(), Description: q.text(m.Description), Since: q.since(compared), Download: q.api(apiPath(v) + "/release"), Print: q.to(catalogPath(v)+"/print", nil),
		Cite: q.citation().shown(), Bib: q.to(catalogPath(v)+bibPath, nil), CSL: q.to(catalogPath(v)+cslPath, nil),
		Notes: q.text(m.Notes), Licence: newLicence(m.Licence), Attribution: q.raw(m.Attribution),
		Query: q.query(), Category: q.params.Get("category"),
	}
	w := q.words
	d.Facts = []string{
		w.Count(w.Layout.Elements, len(r.ElementIDs())), w.Count(w.Layout.Categories, len(r.Categories())), w.Count(w.Layout.Languages, len(r.Locales())),
	}
	if _, ok := r.Category(d.Category); !ok {
		d.Category = ""
	}
	q.categories(d)
	c := &content{
		Title: d.Head.Title.Plain, Description: short(d.Description.Plain, maxDescription), Path: catalogPath(v), JSON: apiPath(v) + "/release",
		Section: "/", Data: d, Part: q.params.Get("part"), Linked: q.versionData(), Picture: q.picture(catalogPath(v)),
	}
	switch {
	case c.Part == "palette":
		c.Data = q.palette(d.Query)
		return c, nil
	case d.Query != "" || d.Category != "":
		d.Results, err = q.search(d.Query, d.Category, compared)
		if err != nil {
			return nil, err
		}
		c.State, c.Unlisted = d.Results.state(d.Results.Page), true
		c.JSON = apiPath(v) + "/elements" + encoded(d.Results.apiState(q.locale))
	default:
		for _, cat := range r.Categories() {
			d.Sections = append(d.Sections, q.section(cat, compared))
		}
	}
	return c, nil
}

// maxDescription is the length of a description for search engines.
const maxDescription = 200

// categories adds the categories as filters and as navigation.
func (q *request) categories(d *catalog) {
	r := q.release()
	base := q.to(catalogPath(r.Version()), nil)
	for _, c := range r.Categories() {
		name := q.name(c.Name, c.ID)
		d.Filters = append(d.Filters, named{Name: name, Note: c.ID, Current: c.ID == d.Category})
		begin, end := r.CategoryRange(c.ID)
		if len(d.Nav) < maxNavItems {
			d.Nav = append(d.Nav, named{Name: name, URL: base + "#c-" + c.ID, Note: q.words.Number(end - begin)})
		}
	}
}

// section describes a category with its elements, or some of them.
func (q *request) section(c *taxonomy.Category, compared *comparison) *section {
	r, w := q.release(), q.words
	v := r.Version()
	begin, end := r.CategoryRange(c.ID)
	s := &section{
		ID: c.ID, URL: q.to(categoryPath(v, c.ID), nil), Name: q.name(c.Name, c.ID), About: q.text(c.Description), Shape: shape(c.Shape),
		Badges: q.badges(c, compared), Facts: []string{w.Count(w.Layout.Elements, end-begin)},
	}
	if n := len(c.Context.Values); n > 0 {
		s.Facts = append(s.Facts, w.Count(w.Catalog.Contexts, n))
	}
	shown := end - begin
	if len(r.ElementIDs()) > showAll {
		shown = min(shown, showSome/len(r.Categories()))
	}
	for _, e := range r.ElementRange(begin, begin+shown) {
		card := q.card(q.schema, e, nil, search.Query{})
		q.mark(card, e, compared)
		s.Cards = append(s.Cards, card)
	}
	if begin+shown < end {
		s.More = q.to(catalogPath(v), url.Values{"category": {c.ID}})
		s.MoreName = w.FillHTML(w.Catalog.All, template.HTML(w.Number(end-begin)), s.Name.unmarked()) //nolint:gosec // digits
	}
	return s
}

// badges are the remarks on a category.
func (q *request) badges(c *taxonomy.Category, compared *comparison) []badge {
	var list []badge
	if c.Required {
		list = append(list, badge{"required", q.words.Layout.Required})
	}
	if compared != nil {
		if b, ok := q.change(compared.categories[c.ID]); ok {
			list = append(list, b)
		}
	}
	return list
}
