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
		return &page{name: "register", pattern: pattern, params: append([]string{"page"}, registerParams...), parts: []string{"results", "palette"}, register: true, build: buildRegister}
	}
	pages := []*page{list("/"), list(registerPath)}
	for _, f := range export.Formats() {
		pages = append(pages, &page{
			name: "raw", pattern: formatPath(f), params: registerParams, register: true, root: f == export.JSONLD, mute: f == export.JSONLD, extension: "." + string(f),
			build: func(q *request) (*content, error) { return q.registerAs(f) },
		})
	}
	return pages
}

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
		return q.noDocument()
	}
	q.document = d
	if d.Gone() && q.page.name == "raw" { // what is made of the current edition
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
func (q *request) noDocument() error {
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
	for _, begin := range similar.AllNearest(q.id, maps.Keys(slugs), maxNear) {
		near = append(near, slugs[begin]...)
	}
	slices.Sort(near)
	near = slices.Compact(near)
	if len(near) == 0 {
		return noPage()
	}
	near = near[:min(len(near), maxNear)]
	return &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no document at this address.", FixHint: "use " + wording.Or(near)},
		Kind:  datachain.KindUnknown, Param: "slug", Known: near, Err: taxonomy.ErrNotFound,
	}
}

// maxNear is how many documents a page that is not there suggests, and minBegin the shortest
// beginning of a slug that is compared.
const maxNear, minBegin = 3, 4

// registerList is the data of the list.
type registerList struct {
	Title       text
	Query, Lead string
	Sorts       []named
	// Keep are the filters, which the form sends again.
	Keep    []hidden
	Facets  []*facet
	Chosen  []choice
	Clear   string
	Summary string
	Notice  string
	Rows    []*row
	Pages   *pager
	Formats []choice
	GeoJSON string
	JSON    string
	// Document is the address of a document for the script, with %s for its slug, and
	// StatusNames the names of states, and Counts the forms of a number of documents,
	// both as JSON.
	Document, StatusNames, Counts string
	Retired                       *choice
	Compare                       string // where documents are compared, or ""
	Foot                          *registerFoot
}

// facet is what the documents found can be filtered by.
type facet struct {
	Name, Param string
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

// row is a document in the list.
type row struct {
	Icon              template.HTML
	Title             text
	URL, Slug         string
	Purposes          []text
	Organisation      text
	Place             text
	Data              *level
	Status            register.Status
	StatusName, Dated string
	Old               string // what is wrong with its schema version
}

// level is the highest value of a point of the summary, or Nothing.
type level struct {
	Swatch  template.HTML
	AtMost  template.HTML
	Nothing string
}

// maxRows is the number of documents on a page of the list.
const maxRows = 25

func buildRegister(q *request) (*content, error) {
	settings := q.state.Settings()
	w := &q.words.Register
	d := &registerList{Query: q.params.Get("q"), Title: q.text(settings.Title), Lead: w.Lead}
	if d.Title.Empty() {
		d.Title = q.own(w.Title)
	}
	c := &content{
		Title: d.Title.Plain, Description: w.Lead, Path: registerPath, Section: registerPath, Data: d, Part: q.params.Get("part"),
		Scripts: []string{"register.js"}, Caching: registerCaching, Expires: midnight(),
	}
	if c.Part == "palette" {
		c.Data = q.palette(d.Query)
		return c, nil
	}
	found, err := q.found()
	if err != nil {
		return nil, err
	}
	state := q.registerState()
	c.State, c.Unlisted = state, len(state) > 0
	last := max(1, (found.Len()+maxRows-1)/maxRows)
	page, notice := q.turnTo(last)
	d.Pages, d.Notice = q.pager(registerPath, paged(state), page, last), notice
	for i := (page - 1) * maxRows; i < min(page*maxRows, found.Len()); i++ {
		d.Rows = append(d.Rows, q.row(found.At(i)))
	}
	d.Summary = q.words.Count(w.Documents, found.Len())
	q.facets(d, found, state)
	for _, f := range export.Formats() {
		media, _, _ := strings.Cut(f.ContentType(), ";") // links have no parameters
		d.Formats = append(d.Formats, choice{Name: formatNames[f], Note: media, URL: q.to(formatPath(f), state)})
	}
	c.Feeds = d.Formats
	d.JSON, d.GeoJSON = q.to(formatPath(export.JSON), state), q.to(formatPath(export.GeoJSON), state)
	d.Document = "d/%s.html"
	if q.links.live() {
		if found.Len() > 1 {
			d.Compare = q.formTo(comparePath)
		}
		d.Document = strings.Replace(q.to(documentPrefix+"slug", nil), "/slug", "/%s", 1)
	}
	names, _ := json.Marshal(w.Statuses) // of strings
	counts, _ := json.Marshal(w.Documents)
	d.StatusNames, d.Counts = string(names), string(counts)
	if n := q.explorer.registerStats(q.state).statuses[register.Retired]; n > 0 && len(state) == 0 {
		d.Retired = &choice{Name: q.words.Count(w.Retired, n), URL: q.to(registerPath, url.Values{"status": {string(register.Retired)}})}
	}
	d.Foot = q.registerFoot()
	return c, nil
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

// row describes a document.
func (q *request) row(d *register.Document) *row {
	r := &row{
		Title: q.name(d.Title, d.ID), Slug: d.Slug, URL: q.to(documentPrefix+d.Slug, nil), Status: d.Details.Status, StatusName: q.words.Register.Statuses[d.Details.Status],
		Purposes: q.purposes(d), Organisation: q.label(d.Organisation().Name), Data: q.level(d, codes.RoleData), Icon: q.documentIcon(d),
		Dated: q.words.Fill(q.words.Register.Updated, q.day(d.Changed())), Old: q.versionNote(d),
	}
	if len(d.Details.Places) > 0 {
		if place := q.label(d.Details.Places[0].Name); place.Plain != r.Organisation.Plain {
			r.Place = place
		}
	}
	return r
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

// level returns the highest value of a point, or nil if the taxonomy has no such point.
func (q *request) level(d *register.Document, role taxonomy.Role) *level {
	p, ok := d.Summary.Point(role)
	if !ok {
		return nil
	}
	face := phrases.In(q.words.Lang)
	if len(p.Entries) == 0 {
		return &level{Nothing: face.Nothing[role]}
	}
	l := new(level)
	name := q.name(p.Entries[0].Element.Title, p.Entries[0].Element.ID)
	if p.Context != nil {
		name = q.name(p.Context.Label, p.Context.ID)
		if p.Context.Color != "" {
			l.Swatch = template.HTML(`<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="` + template.HTMLEscapeString(p.Context.Color) + `"/></svg>`) //nolint:gosec // escaped
		}
	}
	if l.AtMost = name.HTML(); p.AtMost {
		l.AtMost = q.words.FillHTML(face.AtMost, l.AtMost)
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

// facets fills in what the documents can be filtered and sorted by.
func (q *request) facets(d *registerList, found *register.Result, state url.Values) {
	w := &q.words.Register
	names := map[register.Field]string{
		register.ByType: w.Type, register.ByStatus: w.Status, register.ByOrganisation: w.Organisation, register.ByTheme: w.Theme,
		register.ByData: w.Data, register.ByRisk: w.Risk, register.ByElement: w.Element, register.ByPlace: w.Place,
	}
	for _, f := range found.Facets() {
		list := &facet{Name: names[f.Field], Param: string(f.Field)}
		// The addresses of all values differ in this value only. Its name with an equals
		// sign occurs once: values are escaped.
		before, after, key := "", "", list.Param+"="
		var links strings.Builder
		if q.links.live() {
			before, after, _ = strings.Cut(q.to(registerPath, with(state, list.Param, "v")), key+"v")
			links.Grow(len(f.Values) * (len(before) + len(after) + 160))
		}
		for i, v := range f.Values {
			if !q.links.live() && v.Value == string(register.Retired) {
				continue // they are not in the list that the script filters
			}
			o := facetOption{Name: q.in(f.Locales[i], v.Title), Value: v.Value, Note: q.words.Number(v.Count)}
			if name := w.Statuses[register.Status(v.Value)]; f.Field == register.ByStatus && name != "" {
				o.Name = q.own(name)
			}
			if f.Field == register.ByType {
				o.Name = q.typeName(v.Value)
			}
			if !q.links.live() {
				list.Options = append(list.Options, o)
				continue
			}
			address, current := before+key+url.QueryEscape(v.Value)+after, ""
			if v.Selected {
				address, current = q.to(registerPath, with(state, list.Param, "")), ` aria-current="true"`
				d.Chosen = append(d.Chosen, choice{Name: o.Name.Plain, Note: q.words.Fill(w.Remove, o.Name.Plain), URL: address})
			}
			for _, part := range [...]string{
				`<li><a href="`, template.HTMLEscapeString(address), `"`, current, ">", string(o.Name.unmarked()),
				" <small>", template.HTMLEscapeString(o.Note), "</small></a></li>\n",
			} {
				links.WriteString(part)
			}
		}
		list.Links = template.HTML(links.String()) //nolint:gosec // escaped above
		d.Facets = append(d.Facets, list)
	}
	for _, name := range registerParams {
		if v := state.Get(name); v != "" && name != "sort" && name != "q" {
			d.Keep = append(d.Keep, hidden{name, v})
		}
	}
	if len(d.Keep) > 0 {
		d.Clear = q.to(registerPath, nil)
	}
	for _, s := range []struct {
		value register.Sort
		name  string
	}{{register.ByRelevance, w.Relevance}, {register.ByChange, w.Change}, {register.ByTitle, w.ByTitle}} {
		d.Sorts = append(d.Sorts, named{Name: q.own(s.name), Note: string(s.value), Current: state.Get("sort") == string(s.value)})
	}
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

// registerFoot says what the register has as a whole.
type registerFoot struct {
	Counts  []string
	Overdue string
	Late    []named
	Unsaid  []string
}

// What the foot names at most.
const (
	maxLate   = 5
	maxUnsaid = 3
)

// registerStats is what the foot counts. It is kept until the register or the day changes.
type registerStats struct {
	state          *register.State
	day            string
	published      int
	statuses       map[register.Status]int
	unsaid         map[taxonomy.Role]int
	late           []*register.Document // the first of them
	reviewsOverdue int
}

func (e *Explorer) registerStats(state *register.State) *registerStats {
	today := time.Now().UTC().Format(time.DateOnly)
	if kept := e.stats.Load(); kept != nil && kept.state == state && kept.day == today {
		return kept
	}
	s := &registerStats{state: state, day: today, statuses: make(map[register.Status]int), unsaid: make(map[taxonomy.Role]int)}
	for _, d := range state.Documents() {
		if d.Gone() {
			continue
		}
		s.published++
		s.statuses[d.Details.Status]++
		if overdue(d, today) {
			if s.reviewsOverdue++; len(s.late) < maxLate {
				s.late = append(s.late, d)
			}
		}
		for _, p := range d.Summary.Points {
			if p.Role != "" && len(p.Entries) == 0 {
				s.unsaid[p.Role]++
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

func (q *request) registerFoot() *registerFoot {
	w, stats := &q.words.Register, q.explorer.registerStats(q.state)
	f := &registerFoot{Counts: []string{q.words.Count(w.Documents, stats.published)}}
	for _, s := range register.Statuses() {
		if n := stats.statuses[s]; n > 0 {
			f.Counts = append(f.Counts, w.Statuses[s]+q.words.Colon+" "+q.words.Number(n))
		}
	}
	for _, d := range stats.late {
		f.Late = append(f.Late, named{Name: q.name(d.Title, d.ID), URL: q.to(documentPrefix+d.Slug, nil)})
	}
	if stats.reviewsOverdue > 0 {
		f.Overdue = q.words.Count(w.Overdue, stats.reviewsOverdue)
	}
	roles := slices.SortedFunc(maps.Keys(stats.unsaid), func(a, b taxonomy.Role) int {
		return cmp.Or(cmp.Compare(stats.unsaid[b], stats.unsaid[a]), strings.Compare(string(a), string(b)))
	})
	face := phrases.In(q.words.Lang)
	for _, r := range roles[:min(len(roles), maxUnsaid)] {
		f.Unsaid = append(f.Unsaid, face.Headings[r]+q.words.Colon+" "+q.words.Fill(w.UnsaidOf, q.words.Number(stats.unsaid[r]), q.words.Number(stats.published)))
	}
	return f
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
