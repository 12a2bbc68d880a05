package pages

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
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
	Badges []badge
	Facts  []string
}

// Sizes of lists. A catalog with few elements shows all; in a larger one, each category
// shows some, and has a list of its own in pages.
const (
	showAll  = 150
	showSome = 240
	pageSize = 60
)

func buildCatalog(q *request) (*content, error) {
	r := q.release()
	v := r.Version()
	compared, err := q.sinceStable()
	if err != nil {
		return nil, err
	}
	d := &catalog{
		Since: q.since(compared),
		Query: q.params.Get("q"), Category: q.params.Get("category"), Dense: q.dense(),
	}
	if _, ok := r.Category(d.Category); !ok {
		d.Category = ""
	}
	c := &content{
		Title: q.title().Plain, Description: short(q.text(r.Manifest().Description).Plain, maxDescription), Path: catalogPath(v), JSON: apiPath(v) + "/release",
		Section: q.taxonomies(), Data: d, Part: q.params.Get("part"), Linked: q.versionData(),
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
		c.JSON = apiPath(v) + "/elements" + encoded(d.Results.apiState(q.locale))
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

func (q *request) dense() bool { return q.params.Get(viewParam) == viewIcons }

// maxDescription is the length of a description for search engines.
const maxDescription = 200

// section describes a category with its elements, or some of them.
func (q *request) section(c *taxonomy.Category, compared *comparison) *section {
	r, w := q.release(), q.words
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
	Rows []*elementRow
	// More leads to all elements, if there are others.
	More     string
	MoreName template.HTML
}

func (q *request) elementList(c *taxonomy.Category, begin, end int, compared *comparison) (l elementList) {
	r, w := q.release(), q.words
	for _, e := range r.Elements()[begin:end] {
		l.Rows = append(l.Rows, q.elementRow(q.schema, e, nil, search.Query{}, compared))
	}
	if first, last := r.CategoryRange(c.ID); end < last {
		l.More = q.to(catalogPath(r.Version()), url.Values{"category": {c.ID}})
		l.MoreName = w.WordHTML("catalog.all", template.HTML(w.Number(last-first)), q.name(c.Name, c.ID).unmarked().HTML()) //nolint:gosec // digits
	}
	return l
}

// badges are the remarks on a category.
func (q *request) badges(c *taxonomy.Category, compared *comparison) []badge {
	var list []badge
	if c.Required {
		list = append(list, badge{"required", q.words.Word("layout.required")})
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
	Meant *choice
	Rows  []*elementRow
	Page  int
	Pages *pager
	// Clear leads back to the whole catalog.
	Clear string

	query, category string
	dense           bool
}

// pager leads to the pages of a list. A link without a name is a gap.
type pager struct {
	Label string
	Links []choice
}

// maxQueryText is how much of a query is searched for, and repeated in links.
const maxQueryText = 200

// queryText returns the text that is searched for.
func queryText(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	for utf8.RuneCountInString(text) > maxQueryText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// search returns a page of results, the best first, or the elements of a category. If
// there is no such page, that is the last one.
func (q *request) search(text, category string, compared *comparison) (*results, error) {
	w := q.words
	res := &results{query: text, category: category, dense: q.dense()}
	res.Clear = q.to(catalogPath(q.release().Version()), (&results{dense: res.dense}).state(1))
	res.Page, _ = q.turnTo(1 << 20) // there may be fewer
	total, err := q.fill(res, compared)
	if err != nil {
		return nil, err
	}
	last, asked := max(1, (total+pageSize-1)/pageSize), res.Page
	if total > 0 {
		res.Page, res.Notice = q.turnTo(last)
	}
	if res.Page != asked {
		if _, err := q.fill(res, compared); err != nil {
			return nil, err
		}
	}
	res.Summary = w.Count("layout.found", total)
	res.Pages = q.pager(catalogPath(q.release().Version()), res.state, res.Page, last)
	return res, nil
}

// fill adds the cards of a page of results, and returns how many results there are.
func (q *request) fill(res *results, compared *comparison) (int, error) {
	r := q.release()
	query := search.Query{Text: res.query, Offset: (res.Page - 1) * pageSize, Limit: pageSize}
	if res.query == "" {
		begin, end := r.CategoryRange(res.category)
		for _, e := range r.Elements()[min(begin+query.Offset, end):min(begin+query.Offset+pageSize, end)] {
			res.Rows = append(res.Rows, q.elementRow(q.schema, e, nil, query, compared))
		}
		return end - begin, nil
	}
	if res.category != "" {
		if _, ok := r.Category(res.category); !ok {
			return 0, nil
		}
		query.Categories = []string{res.category}
	}
	found, index, err := q.schema.Search(q.ctx, q.locale, query)
	if err != nil {
		return 0, err
	}
	res.Meant = meant(found.DidYouMean, q.to(catalogPath(r.Version()), with(res.state(1), "q", found.DidYouMean)))
	for _, hit := range found.Hits {
		c := q.elementRow(q.schema, hit.Element, index, query, compared)
		if cat, ok := r.Category(hit.Element.CategoryID); ok {
			c.Category = q.name(cat.Name, cat.ID)
		}
		res.Rows = append(res.Rows, c)
	}
	return found.Total, nil
}

// meant links to a search with its misspelt words corrected; it is nil if there are none.
func meant(query, url string) *choice {
	if query == "" {
		return nil
	}
	return &choice{Name: query, URL: url}
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

// paged adds the number of a page to the query of a list. The first page has none.
func paged(state url.Values) func(page int) url.Values {
	return func(page int) url.Values {
		if page == 1 {
			return state
		}
		return with(state, "page", strconv.Itoa(page))
	}
}

// turnTo returns the page of a list that the request names. If the list has none like it, that
// is the nearest one, with a notice.
func (q *request) turnTo(last int) (page int, notice string) {
	asked := q.params.Get("page")
	if asked == "" {
		return 1, ""
	}
	n, err := strconv.Atoi(asked) // a number that is too large for an int is the largest int
	if page = min(max(n, 1), last); err != nil || n != page {
		notice = q.words.Word("layout.nopage", q.repeated(asked), q.words.Number(page), q.words.Number(last))
	}
	return page, notice
}

// pager leads to the first, the last and the nearest pages of a list, which have the queries
// that state returns. It is nil for a single page.
func (q *request) pager(path string, state func(page int) url.Values, current, last int) *pager {
	if last < 2 {
		return nil
	}
	const near = 2
	var list []choice
	for n := 1; n <= last; n++ {
		if n > 1 && n < last && (n < current-near || n > current+near) {
			if list[len(list)-1].Name != "" {
				list = append(list, choice{})
			}
			continue
		}
		list = append(list, choice{Name: q.words.Number(n), URL: q.to(path, state(n)), Current: n == current})
	}
	return &pager{q.words.Word("layout.pages"), list}
}

// elementRow is an element in a list.
type elementRow struct {
	ID, URL      string
	Title, About text
	Icon         template.HTML
	// Category is its category, if the list has several.
	Category text
	Marks    []badge
}

// badge is a short remark.
type badge struct{ Class, Name string }

// maxAbout is how much of a description a row shows.
const maxAbout = 240

// elementRow describes an element in a list. The index and the query are those of a search, or
// zero.
func (q *request) elementRow(schema *datachain.Schema, e *taxonomy.Element, x *search.Index, query search.Query, compared *comparison) *elementRow {
	var title, about []span
	if x != nil {
		for _, p := range x.Places(e, query) {
			switch p.Field {
			case search.Title:
				title = append(title, span{p.Start, p.End})
			case search.Description:
				about = append(about, span{p.Start, p.End})
			}
		}
	}
	return &elementRow{
		ID: e.ID, URL: q.to(elementPath(schema.Release().Version(), e.ID), nil), Icon: q.icon(schema, e),
		Title: q.titled(e, title), About: q.blanks(shortened(e.Description, maxAbout), e.Variables, about), Marks: q.elementBadges(e, compared),
	}
}

// titled returns the title of an element, or its id if it has none.
func (q *request) titled(e *taxonomy.Element, found []span) text {
	if t := q.blanks(e.Title, e.Variables, found); !t.Empty() {
		return t
	}
	return q.raw(e.ID)
}

// shortened cuts the texts of a description. The places of matches in what is left stay
// the same.
func shortened(l taxonomy.Localized, most int) taxonomy.Localized {
	cut := make(taxonomy.Localized, len(l))
	for i, t := range l {
		cut[i] = taxonomy.Text{Locale: t.Locale, Value: short(t.Value, most)}
	}
	return cut
}

// change returns the remark on how a part has changed, if it has.
func (q *request) change(k diff.Kind) []badge {
	switch k {
	case diff.Added:
		return []badge{{"added", q.words.Word("layout.new")}}
	case diff.Changed:
		return []badge{{"changed", q.words.Word("layout.changed")}}
	}
	return nil
}

// ending says that a version is deprecated.
type ending struct {
	// Version is set if the page is about several.
	Version               string
	Since, Sunset, Reason string
	// Next is the version to upgrade to, and Compare leads to what changes with it; both
	// may be empty.
	Next    *choice
	Compare string
}

// ending returns what readers of a version should know if it is deprecated, or nil.
func (q *request) ending(v taxonomy.Version) *ending {
	e, _ := q.index.Lookup(v.Ref())
	if e.Deprecated == "" {
		return nil
	}
	w := q.words
	end := &ending{Since: w.Word("catalog.deprecated", w.Day(e.Deprecated)), Reason: e.Reason}
	if e.Sunset != "" {
		end.Sunset = w.Word("catalog.sunset", w.Day(e.Sunset))
	}
	if next, known := q.index.Successor(v); known {
		end.Next = &choice{Name: next.String(), URL: q.to(catalogPath(next), nil)}
		if q.has(comparePath) {
			end.Compare = q.to(comparePath, url.Values{"old": {v.String()}, "new": {next.String()}})
		}
	}
	return end
}

// statusNote returns the status of a version, and whether it is deprecated.
func (q *request) statusNote(e taxonomy.Entry) string {
	status := q.status(e.ID.Status())
	if e.Deprecated != "" {
		status += ", " + q.words.Word("layout.deprecated")
	}
	return status
}

// title returns the title of the taxonomy.
func (q *request) title() text {
	return q.name(q.release().Manifest().Title, q.release().Version().Type())
}

// releaseNote says when a version was released. Betas only have a date.
func (q *request) releaseNote(v taxonomy.Version) string {
	if v.Status() == taxonomy.Beta {
		return q.words.Day(q.released(v))
	}
	return q.releasedOn(v)
}

func (q *request) releasedOn(v taxonomy.Version) string {
	return q.words.Word("home.released", q.words.Day(q.released(v)))
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
	w := q.words
	s := &since{Text: w.Word("catalog.since", w.Day(q.released(c.before)), w.Number(c.added), w.Number(c.changed), w.Number(c.removed))}
	if q.has("/compare") {
		s.CompareURL = q.to("/compare", url.Values{"old": {c.before.String()}, "new": {q.release().Version().String()}})
	}
	return s
}
