package explorer

import (
	"cmp"
	"encoding/json"
	"html/template"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/style"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The paths of the register.
const (
	registerPath   = "/d"
	documentPrefix = registerPath + "/"
	taxonomiesPath = "/t"
)

// registerCaching is the Cache-Control of what the register shows, and editionCaching that of
// editions, which can be erased.
const (
	registerCaching = "public, max-age=60"
	editionCaching  = "public, max-age=3600"
)

// registerParams are the parameters that choose and order documents.
var registerParams = func() []string {
	list := []string{"q", "sort"}
	for _, f := range register.Fields() {
		list = append(list, string(f))
	}
	return list
}()

// registerPages are the list of documents, which is also the start page, and its formats.
func registerPages() []*page {
	list := func(pattern string) *page {
		return &page{name: "register", pattern: pattern, params: append([]string{"page", selectParam, boardParam}, registerParams...), parts: []string{"results", "palette"}, register: true, build: buildRegister}
	}
	pages := []*page{list("/"), list(registerPath), {name: "raw", pattern: logoPath, extension: ".svg", register: true, mute: true, root: true, build: buildLogo}}
	for _, f := range export.Formats() {
		pages = append(pages, &page{
			name: "raw", pattern: formatPath(f), params: registerParams, register: true, root: f == export.JSONLD, mute: f == export.JSONLD, extension: "." + string(f),
			build: func(q *request) (*content, error) { return q.registerAs(f) },
		})
	}
	return pages
}

// selectParam shows boxes to choose documents with, those of [boardParam] checked.
const selectParam = "select"

// state returns what the register publishes, or nil if there is nothing.
func (e *Explorer) state() *register.State {
	if e.register == nil {
		return nil
	}
	if s := e.register.State(); len(s.Documents()) > 0 {
		return s
	}
	return nil
}

// openRegister finds the document of a page of the register, and chooses its languages:
// those of the document, or of the whole register. If the document is gone, its signs and
// other forms are, too: people get its page instead, and programs a failure.
func (q *request) openRegister() error {
	if q.id == "" {
		q.locales = q.state.Languages()
		return nil
	}
	d, ok := q.state.Document(q.id)
	if !ok {
		return q.noDocument(q.id)
	}
	q.document = d
	if d.Gone() && (q.page.name == "raw" || q.page.name == "sign") { // what is made of the current edition
		extension := q.page.extension
		q.page = &goneFile
		if extension == "" || extension == ".html" { // for people
			i := slices.IndexFunc(q.explorer.pages, func(p *page) bool { return p.pattern == documentPattern })
			q.page = q.explorer.pages[i]
		}
	}
	q.locales = q.state.LanguagesOf(d)
	return nil
}

// noDocument is the error for a slug that no document has. It names near ones: what was
// written may be only the begin of one.
func (q *request) noDocument(slug string) error {
	slugs := make(map[string][]string) // by their beginnings
	for _, d := range q.state.Documents() {
		if d.Gone() {
			continue
		}
		for i := range len(d.Slug) + 1 {
			if i == len(d.Slug) || d.Slug[i] == '-' && i >= minBegin {
				slugs[d.Slug[:i]] = append(slugs[d.Slug[:i]], d.Slug)
			}
		}
	}
	var near []string
	for _, begin := range similar.AllNearest(slug, maps.Keys(slugs), maxNear) {
		near = append(near, slugs[begin]...)
	}
	slices.Sort(near)
	near = slices.Compact(near)
	near = near[:min(len(near), maxNear)]
	none := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no document at this address."},
		Kind:  datachain.KindUnknown, Param: "slug", Known: near, Err: &absentError{slug},
	}
	if len(near) > 0 {
		none.Issue.FixHint = "use " + wording.Or(near)
	}
	return none
}

// absentError is the cause of a failure because no document has a slug.
type absentError struct{ slug string }

func (e *absentError) Error() string { return e.slug + ": " + taxonomy.ErrNotFound.Error() }

func (e *absentError) Unwrap() error { return taxonomy.ErrNotFound }

// maxNear is how many documents a page that is not there suggests, and minBegin the shortest
// beginning of a slug that is compared.
const maxNear, minBegin = 3, 4

// registerList is the data of the list.
type registerList struct {
	Query string
	Sorts []named
	// Keep are the filters, which the form sends again.
	Keep []hidden
	// Facets are what documents can be filtered by, but Places. MoreFilters and MoreChosen
	// report whether some of them are folded, and whether one of those is chosen.
	Facets                  []*facet
	Places                  *facet
	MoreFilters, MoreChosen bool
	// Chosen are the filters that are set.
	Chosen []choice
	Notice string
	// Found are all documents that the address asks for, and Documents those of one page.
	Found     *register.Result
	Documents []*register.Document
	Pages     *pager
	Stats     *registerStats
	// Selecting shows boxes to choose documents with. Chosen before were Compared, and those
	// of them that have no box on this page are Elsewhere.
	Selecting           bool
	Compared, Elsewhere []string
	// StatusNames, Counts and CompareCounts are words for the script, as JSON.
	StatusNames, Counts, CompareCounts string
}

// Compares reports whether the box of a document is checked.
func (d *registerList) Compares(slug string) bool { return slices.Contains(d.Compared, slug) }

// facet is what the documents found can be filtered by.
type facet struct {
	Name, Param string
	More        bool // it is folded
	// Options are for the script of a static site.
	Options []facetOption
	// Links are the options as list items. A template takes ten times as long, and
	// there can be hundreds.
	Links template.HTML
}

type facetOption struct {
	Name        text
	Value, Note string
}

// level is the highest value of a point of the summary, or that nothing is said about it.
type level struct {
	Name  string
	Value template.HTML
}

// maxRows is the number of documents on a page of the list.
const maxRows = 25

func buildRegister(q *request) (*content, error) {
	w := q.words
	d := &registerList{Query: q.params.Get("q"), Stats: q.explorer.registerStats(q.state)}
	c := &content{
		Title: q.siteName().Plain, Description: w.Word("register.lead"), Path: registerPath, Section: registerPath, Data: d, Part: q.params.Get("part"),
		Scripts: []string{"register.js"}, Caching: registerCaching, Expires: midnight(),
	}
	if c.Part == "palette" {
		c.Data = q.palette(d.Query)
		return c, nil
	}
	var err error
	if d.Found, err = q.found(); err != nil {
		return nil, err
	}
	c.State = q.registerState()
	c.Unlisted = len(c.State) > 0
	last := max(1, (d.Found.Len()+maxRows-1)/maxRows)
	page, notice := q.turnTo(last)
	d.Pages, d.Notice = q.pager(registerPath, paged(c.State), page, last), notice
	for i := (page - 1) * maxRows; i < min(page*maxRows, d.Found.Len()); i++ {
		d.Documents = append(d.Documents, d.Found.At(i))
	}
	if d.Selecting = q.params.Has(selectParam) && q.links.live(); d.Selecting {
		d.Compared = strings.FieldsFunc(q.params.Get(boardParam), func(r rune) bool { return r == ',' })
		d.Elsewhere = slices.DeleteFunc(slices.Clone(d.Compared), func(slug string) bool {
			return slices.ContainsFunc(d.Documents, func(shown *register.Document) bool { return shown.Slug == slug })
		})
		d.Notice = cmp.Or(d.Notice, w.Word("register.boardchoose", w.Number(export.MaxBoard)))
	}
	q.facets(d, c.State)
	for _, f := range export.Formats() {
		media, _, _ := strings.Cut(f.ContentType(), ";") // links have no parameters
		c.Feeds = append(c.Feeds, choice{Name: formatNames[f], Note: media, URL: q.to(formatPath(f), c.State)})
	}
	d.StatusNames, d.Counts, d.CompareCounts = wordsJSON(w.Below("register.statuses")), wordsJSON(w.Below("register.documents")), wordsJSON(w.Below("register.board"))
	return c, nil
}

// wordsJSON writes words for a script.
func wordsJSON(list map[string]string) string {
	text, _ := json.Marshal(list) // of strings
	return string(text)
}

// midnight returns when the next day begins: pages say what is overdue.
func midnight() time.Time { return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1) }

// found returns the documents that the address asks for.
func (q *request) found() (*register.Result, error) {
	query, err := register.ParseQuery(q.params)
	if err != nil {
		return nil, err
	}
	query.Locale = q.locale
	return q.state.Find(query)
}

// registerState is the part of the address that chooses documents.
func (q *request) registerState() url.Values {
	state := make(url.Values)
	for _, name := range registerParams {
		if v := q.params.Get(name); v != "" {
			state.Set(name, v)
		}
	}
	return state
}

// with returns a state with another value, or without one.
func with(state url.Values, name, value string) url.Values {
	other := make(url.Values, len(state)+1)
	maps.Copy(other, state)
	if other.Del(name); value != "" {
		other.Set(name, value)
	}
	return other
}

// label returns a text that an author wrote.
func (q *request) label(l taxonomy.Label) text {
	if l.Text != nil {
		return q.text(l.Text)
	}
	return q.raw(l.Plain)
}

// purposes say what a document is about: all of them or, if they are too long, the first and
// how many more there are.
func (q *request) purposes(d *register.Document) []text {
	p, ok := d.Summary.Point(codes.RolePurpose)
	if !ok || len(p.Entries) == 0 {
		return []text{q.text(shortened(d.Description, maxAbout))}
	}
	entries, said := p.Entries, phrases.NewPoint(p, q.chooser())
	if !said.Fits(maxAbout) {
		entries = entries[:1]
	}
	list := make([]text, len(entries))
	for i, e := range entries {
		for _, l := range []taxonomy.Localized{e.Words, e.Name, e.Element.Title} {
			if list[i] = q.text(shortened(l, maxAbout)); !list[i].Empty() {
				break
			}
		}
	}
	if len(entries) < len(p.Entries) {
		list = append(list, q.own(said.More))
	}
	return list
}

// dataLevel returns the highest value of the data that a system uses, or nil if the taxonomy has
// no such point.
func (q *request) dataLevel(d *register.Document) *level {
	p, ok := d.Summary.Point(codes.RoleData)
	if !ok {
		return nil
	}
	words := phrases.In(q.words.Lang)
	l := &level{Name: words.Headings[codes.RoleData]}
	switch {
	case len(p.Entries) == 0:
		l.Value = template.HTML(template.HTMLEscapeString(words.NotSaid)) //nolint:gosec // escaped
	case p.Context != nil:
		l.Value = template.HTML(style.Tag(&p.Category.Context, p.Context, string(q.name(p.Context.Label, p.Context.ID).HTML()), words.Level)) //nolint:gosec // escaped
	default:
		l.Value = q.name(p.Entries[0].Element.Title, p.Entries[0].Element.ID).HTML()
	}
	return l
}

// documentIcon draws the icon of what a document is for, or else of its first element. It is
// empty if the version of its taxonomy can't be read.
func (q *request) documentIcon(d *register.Document) template.HTML {
	id := ""
	if p, ok := d.Summary.Point(codes.RolePurpose); ok && len(p.Entries) > 0 {
		id = p.Entries[0].Element.ID
	} else if len(d.Elements) > 0 {
		id = d.Elements[0].ID
	}
	schema, err := q.explorer.service.Open(q.ctx, d.Version.String())
	if err != nil {
		return ""
	}
	e, err := schema.Element(id)
	if err != nil {
		return ""
	}
	return q.icon(schema, e)
}

// facets fills in what the documents can be filtered and sorted by. Most documents differ in data,
// status and theme; the other filters are folded.
func (q *request) facets(d *registerList, state url.Values) {
	w := q.words
	names := map[register.Field]string{
		register.ByType: w.Word("register.type"), register.ByStatus: w.Word("register.status"), register.ByOrganisation: w.Word("register.organisation"), register.ByTheme: w.Word("register.theme"),
		register.ByData: phrases.In(q.words.Lang).Highest[codes.RoleData], register.ByRisk: phrases.In(q.words.Lang).Highest[codes.RoleRisk],
		register.ByElement: w.Word("register.element"), register.ByPlace: w.Word("register.place"),
	}
	first := []register.Field{register.ByData, register.ByStatus, register.ByTheme}
	all := slices.Clone(d.Found.Facets())
	slices.SortStableFunc(all, func(a, b register.Facet) int {
		place := func(f register.Field) int { return (slices.Index(first, f) + len(first) + 1) % (len(first) + 1) }
		return cmp.Compare(place(a.Field), place(b.Field))
	})
	for _, f := range all {
		list := &facet{Name: names[f.Field], Param: string(f.Field), More: !slices.Contains(first, f.Field)}
		if !q.links.live() && f.Field == register.ByElement {
			continue // the list that the script filters does not have them
		}
		q.facetValues(list, &f, state)
		switch {
		case f.Field == register.ByPlace:
			if d.Places = list; q.links.live() {
				list.Name = "" // the heading says it
			}
			continue
		case list.More:
			d.MoreFilters, d.MoreChosen = true, d.MoreChosen || state.Has(list.Param)
		}
		d.Facets = append(d.Facets, list)
	}
	for _, name := range registerParams {
		v := state.Get(name)
		if v == "" || name == "q" {
			continue
		}
		d.Keep = append(d.Keep, hidden{name, v})
		if name != "sort" {
			value := q.valueName(register.Field(name), v, d.Found)
			d.Chosen = append(d.Chosen, choice{Name: value.Plain, Note: w.Word("register.remove", value.Plain), URL: q.to(registerPath, with(state, name, ""))})
		}
	}
	if d.Selecting {
		d.Keep = append(d.Keep, hidden{selectParam, "1"})
	}
	sorted := cmp.Or(register.Sort(state.Get("sort")), register.ByRelevance)
	if sorted == register.ByRelevance && d.Query == "" {
		sorted = register.ByChange
	}
	for _, s := range []struct {
		value register.Sort
		name  string
	}{{register.ByRelevance, w.Word("register.relevance")}, {register.ByChange, w.Word("register.change")}, {register.ByTitle, w.Word("register.bytitle")}} {
		if s.value != register.ByRelevance || d.Query != "" {
			d.Sorts = append(d.Sorts, named{Name: q.own(s.name), URL: q.to(registerPath, with(state, "sort", string(s.value))), Current: s.value == sorted})
		}
	}
}

// facetValues fills in the values of a filter, with how many documents have each.
func (q *request) facetValues(list *facet, f *register.Facet, state url.Values) {
	// The addresses of all values differ in this value only. Its name with an equals
	// sign occurs once: values are escaped.
	before, after, key := "", "", list.Param+"="
	var links strings.Builder
	if q.links.live() {
		before, after, _ = strings.Cut(q.to(registerPath, with(state, list.Param, "v")), key+"v")
		links.Grow(len(f.Values) * (len(before) + len(after) + 160))
	}
	swatches := q.explorer.registerStats(q.state).swatches
	for i, v := range f.Values {
		name := q.facetName(f, i)
		if !q.links.live() {
			if v.Value != string(register.Retired) { // they are not in the list that the script filters
				list.Options = append(list.Options, facetOption{Name: name, Value: v.Value, Note: q.words.Number(v.Count)})
			}
			continue
		}
		address, current := before+key+url.QueryEscape(v.Value)+after, ""
		if v.Selected {
			address, current = q.to(registerPath, with(state, list.Param, "")), ` aria-current="true"`
		}
		swatch := ""
		if f.Field == register.ByData || f.Field == register.ByRisk {
			swatch = swatches[v.Value]
		}
		for _, part := range [...]string{
			`<li><a href="`, template.HTMLEscapeString(address), `"`, current, `><span class="row">`, swatch, string(name.unmarked()),
			"</span> <small>", template.HTMLEscapeString(q.words.Number(v.Count)), "</small></a></li>\n",
		} {
			links.WriteString(part)
		}
	}
	list.Links = template.HTML(links.String()) //nolint:gosec // escaped above
}

// facetName names a value of a filter.
func (q *request) facetName(f *register.Facet, i int) text {
	v := f.Values[i]
	switch name := q.words.Word("register.statuses." + string(register.Status(v.Value))); {
	case f.Field == register.ByStatus && name != "":
		return q.own(name)
	case f.Field == register.ByType:
		return q.typeName(v.Value)
	}
	return q.in(f.Locales[i], v.Title)
}

// valueName names a value that documents are filtered by, also if none of those found has it.
func (q *request) valueName(field register.Field, value string, found *register.Result) text {
	for _, result := range []*register.Result{found, nil} {
		if result == nil {
			all, err := q.state.Find(register.Query{Locale: q.locale})
			if err != nil {
				break
			}
			result = all
		}
		for _, f := range result.Facets() {
			if i := slices.IndexFunc(f.Values, func(v register.FacetValue) bool { return v.Value == value }); f.Field == field && i >= 0 {
				return q.facetName(&f, i)
			}
		}
	}
	return q.raw(value)
}

// typeName returns the name of a datachain type in its latest version, or its id.
func (q *request) typeName(id string) text {
	for _, t := range q.explorer.overview(q.ctx, q.index).types {
		if t.id == id && t.schema != nil {
			return q.about(t.schema.Release()).name(t.schema.Release().Type().Name, id)
		}
	}
	return q.raw(id)
}

// maxLate is how many overdue reviews are named.
const maxLate = 5

// registerStats is what pages say about all documents. It is kept until the register or the day changes.
type registerStats struct {
	state *register.State
	day   string
	// Published is the number of documents, Retired that of retired systems, and Rights that of
	// documents that name rights.
	Published, Retired, Rights int
	// Overdue is the number of reviews that are overdue, and Late the first of their documents.
	Overdue  int
	Late     []*register.Document
	swatches map[string]string // of data and risk, by context value
}

func (e *Explorer) registerStats(state *register.State) *registerStats {
	today := time.Now().UTC().Format(time.DateOnly)
	if kept := e.stats.Load(); kept != nil && kept.state == state && kept.day == today {
		return kept
	}
	s := &registerStats{state: state, day: today, swatches: make(map[string]string)}
	for _, d := range state.Documents() {
		if d.Gone() {
			continue
		}
		s.Published++
		if d.Details.Status == register.Retired {
			s.Retired++
		}
		if overdue(d, today) {
			if s.Overdue++; len(s.Late) < maxLate {
				s.Late = append(s.Late, d)
			}
		}
		if p, ok := d.Summary.Point(codes.RoleRights); ok && len(p.Entries) > 0 {
			s.Rights++
		}
		for i := range d.Summary.Points {
			p := &d.Summary.Points[i]
			if p.Context != nil && s.swatches[p.Context.ID] == "" {
				s.swatches[p.Context.ID] = style.Swatch(&p.Category.Context, p.Context)
			}
		}
	}
	e.stats.Store(s)
	return s
}

// overdue reports whether a review of a system that is not retired was due before a day.
func overdue(d *register.Document, day string) bool {
	return d.Details.ReviewBy != "" && d.Details.ReviewBy < day && d.Details.Status != register.Retired
}

// registerAs answers with the documents that the address chooses, all of them.
func (q *request) registerAs(f export.Format) (*content, error) {
	found, err := q.found()
	if err != nil {
		return nil, err
	}
	write := func(w io.Writer) error { return export.NewList(q.state, found, q.explorer.baseURL()).Write(w, f) }
	return &content{Path: formatPath(f), Type: f.ContentType(), Write: write, Caching: registerCaching}, nil
}

// formatPath is the path of the list in a format.
func formatPath(f export.Format) string { return registerPath + "." + string(f) }

// formatNames are the names of formats, which are the same in all languages.
var formatNames = map[export.Format]string{
	export.JSON: "JSON", export.CSV: "CSV", export.GeoJSON: "GeoJSON", export.Atom: "Atom", export.JSONLD: "JSON-LD",
}
