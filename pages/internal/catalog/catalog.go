package catalog

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// catalog is the data of a catalog.
type catalog struct {
	Since *since

	Query    string
	Category string

	// Dense shows icons with titles only.
	Dense bool

	// Sections are the categories, and Results what was searched for or filtered by
	// category: one of them is nil.
	Sections []*section
	Results  *results
}

// section is a category in a catalog.
type section struct {
	elementList
	*taxonomy.Category
	Badges []core.Badge
	Facts  []string
}

// Sizes of lists. A catalog with few elements shows all; in a larger one, each category
// shows some, and has a list of its own in pages.
const (
	showAll  = 150
	showSome = 240
	pageSize = 60
)

func buildCatalog(q *request) (*core.Content, error) {
	r := q.Release()
	v := r.Version()
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	d := &catalog{
		Since: q.since(compared),
		Query: q.Params.Get("q"), Category: q.Params.Get("category"), Dense: q.dense(),
	}
	if _, ok := r.Category(d.Category); !ok {
		d.Category = ""
	}
	c := &core.Content{
		Title: taxonomyTitle(q.Request).Value, Description: core.Short(q.Text(r.Manifest().Description).Value, core.MaxDescription), Path: core.CatalogPath(v), JSON: core.APIPath(v) + "/release",
		Section: q.Taxonomies(), Data: d, Part: q.Params.Get("part"), Linked: q.versionData(),
	}
	if d.Dense {
		c.State, c.Unlisted = url.Values{viewParam: {viewIcons}}, true
	}
	switch {
	case d.Query != "" || d.Category != "":
		d.Results, err = q.search(d.Query, d.Category, compared)
		if err != nil {
			return nil, err
		}
		c.State, c.Unlisted = d.Results.state(d.Results.Page), true
		c.JSON = core.APIPath(v) + "/elements" + core.Encoded(d.Results.apiState(q.Locale))
	default:
		for _, cat := range r.Categories() {
			d.Sections = append(d.Sections, q.section(cat, compared))
		}
	}
	return c, nil
}

// The catalog is a list, or a grid of icons.
const (
	viewParam = "view"
	viewIcons = "icons"
)

func (q *request) dense() bool { return q.Params.Get(viewParam) == viewIcons }

// section describes a category with its elements, or some of them.
func (q *request) section(c *taxonomy.Category, compared *comparison) *section {
	r, w := q.Release(), q.Words
	begin, end := r.CategoryRange(c.ID)
	s := &section{Category: c, Badges: q.badges(c, compared), Facts: []string{w.Count("layout.elements", end-begin)}}
	if slices.ContainsFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return v.Color == "" }) {
		s.Facts = append(s.Facts, w.Count("catalog.contexts", len(c.Context.Values)))
	}
	shown := end - begin
	if len(r.ElementIDs()) > showAll {
		shown = min(shown, showSome/len(r.Categories()))
	}
	s.elementList = q.elementList(c, begin, begin+shown, compared)
	return s
}

// elementList is the elements of a category, or some of them.
type elementList struct {
	Rows []*core.ElementRow
	// More leads to all elements, if there are others.
	More     string
	MoreName template.HTML
}

func (q *request) elementList(c *taxonomy.Category, begin, end int, compared *comparison) (l elementList) {
	r, w := q.Release(), q.Words
	for _, e := range r.Elements()[begin:end] {
		l.Rows = append(l.Rows, q.elementRow(q.Schema, e, nil, search.Query{}, compared))
	}
	if first, last := r.CategoryRange(c.ID); end < last {
		l.More = q.To(core.CatalogPath(r.Version()), url.Values{"category": {c.ID}})
		l.MoreName = w.WordHTML("catalog.all", template.HTML(w.Number(last-first)), q.Name(c.Name, c.ID).Unmarked().HTML()) //nolint:gosec // digits
	}
	return l
}

// badges are the remarks on a category.
func (q *request) badges(c *taxonomy.Category, compared *comparison) []core.Badge {
	var list []core.Badge
	if c.Required {
		list = append(list, core.Badge{Class: "required", Name: q.Word("layout.required")})
	}
	if compared != nil {
		list = append(list, q.change(compared.categories[c.ID])...)
	}
	return list
}

// results are a page of what a search or a filter finds.
type results struct {
	Summary string
	// Notice says that there is no such page, and which one is shown instead.
	Notice string
	// Meant is what is searched for with its misspelt words corrected, if that found something.
	Meant *core.Choice
	Rows  []*core.ElementRow
	Page  int
	Pages *core.Pager
	// Clear leads back to the whole catalog.
	Clear string

	query, category string
	dense           bool
}

// search returns a page of results, the best first, or the elements of a category. If
// there is no such page, that is the last one.
func (q *request) search(text, category string, compared *comparison) (*results, error) {
	w := q.Words
	res := &results{query: text, category: category, dense: q.dense()}
	res.Clear = q.To(core.CatalogPath(q.Release().Version()), (&results{dense: res.dense}).state(1))
	res.Page, _ = q.TurnTo(1 << 20) // there may be fewer
	total, err := q.fill(res, compared)
	if err != nil {
		return nil, err
	}
	last, asked := max(1, (total+pageSize-1)/pageSize), res.Page
	if total > 0 {
		res.Page, res.Notice = q.TurnTo(last)
	}
	if res.Page != asked {
		if _, err := q.fill(res, compared); err != nil {
			return nil, err
		}
	}
	res.Summary = w.Count("layout.found", total)
	res.Pages = q.Pager(core.CatalogPath(q.Release().Version()), res.state, res.Page, last)
	return res, nil
}

// fill adds the cards of a page of results, and returns how many results there are.
func (q *request) fill(res *results, compared *comparison) (int, error) {
	r := q.Release()
	query := search.Query{Text: res.query, Offset: (res.Page - 1) * pageSize, Limit: pageSize}
	if res.query == "" {
		begin, end := r.CategoryRange(res.category)
		for _, e := range r.Elements()[min(begin+query.Offset, end):min(begin+query.Offset+pageSize, end)] {
			res.Rows = append(res.Rows, q.elementRow(q.Schema, e, nil, query, compared))
		}
		return end - begin, nil
	}
	if res.category != "" {
		if _, ok := r.Category(res.category); !ok {
			return 0, nil
		}
		query.Categories = []string{res.category}
	}
	found, index, err := q.Schema.Search(q.Ctx, q.Locale, query)
	if err != nil {
		return 0, err
	}
	res.Meant = core.Meant(found.DidYouMean, q.To(core.CatalogPath(r.Version()), core.With(res.state(1), "q", found.DidYouMean)))
	for _, hit := range found.Hits {
		c := q.elementRow(q.Schema, hit.Element, index, query, compared)
		if cat, ok := r.Category(hit.Element.CategoryID); ok {
			c.Category = q.Name(cat.Name, cat.ID)
		}
		res.Rows = append(res.Rows, c)
	}
	return found.Total, nil
}

// state is the query of a page of results.
func (r *results) state(page int) url.Values {
	state := url.Values{}
	if r.query != "" {
		state.Set("q", r.query)
	}
	if r.category != "" {
		state.Set("category", r.category)
	}
	if r.dense {
		state.Set(viewParam, viewIcons)
	}
	if page > 1 {
		state.Set("page", strconv.Itoa(page))
	}
	return state
}

// apiState is the query of the API with the same results.
func (r *results) apiState(locale string) url.Values {
	state := url.Values{}
	if r.query != "" {
		state.Set("query", r.query)
		state.Set("locale", locale)
	}
	if r.category != "" {
		state.Set("category_id", r.category)
	}
	return state
}

// elementRow describes an element in a list, and how it has changed. The index and the query are
// those of a search, or zero.
func (q *request) elementRow(schema *datachain.Schema, e *taxonomy.Element, x *search.Index, query search.Query, compared *comparison) *core.ElementRow {
	row := q.ElementRow(schema, e, x, query)
	if compared != nil {
		row.Marks = append(row.Marks, q.change(compared.elements[e.ID])...)
	}
	return row
}

// change returns the remark on how a part has changed, if it has.
func (q *request) change(k diff.Kind) []core.Badge {
	switch k {
	case diff.Added:
		return []core.Badge{{Class: "added", Name: q.Word("layout.new")}}
	case diff.Changed:
		return []core.Badge{{Class: "changed", Name: q.Word("layout.changed")}}
	}
	return nil
}

// taxonomyTitle returns the title of the taxonomy.
func taxonomyTitle(q *core.Request) phrases.Text {
	return q.Name(q.Release().Manifest().Title, q.Release().Version().Type())
}

// releaseNote says when a version was released. Betas only have a date.
func releaseNote(q *core.Request, v taxonomy.Version) string {
	if v.Status() == taxonomy.Beta {
		return q.Day(q.Released(v))
	}
	return q.Word("home.released", q.Day(q.Released(v)))
}

// since is how a version differs from the last stable one.
type since struct {
	Text       string
	CompareURL string // or ""
}

// since describes a comparison, or returns nil if there is nothing to say.
func (q *request) since(c *comparison) *since {
	if c == nil {
		return nil
	}
	w := q.Words
	s := &since{Text: w.Word("catalog.since", w.Day(q.Released(c.before)), w.Number(c.added), w.Number(c.changed), w.Number(c.removed))}
	if q.Has("/compare") {
		s.CompareURL = q.To("/compare", url.Values{"old": {c.before.String()}, "new": {q.Release().Version().String()}})
	}
	return s
}
