package documents

import (
	"encoding/json"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// registerParams are the parameters that choose and order documents.
var registerParams = func() []string {
	list := []string{"q", "sort"}
	for _, f := range register.Fields() {
		list = append(list, string(f))
	}
	return list
}()

// listPages are the list of documents, which is also the start page, and its formats.
func (d *Documents) listPages() []*core.Page {
	params := append([]string{"page", selectParam, core.BoardParam}, registerParams...)
	var pages []*core.Page
	for _, pattern := range []string{"/", core.RegisterPath} {
		pages = append(pages, &core.Page{Pattern: pattern, Params: params, Parts: []string{"results"}, Register: true, Build: d.page(buildList)})
	}
	pages = append(pages, &core.Page{Pattern: core.LogoPath, File: true, Extension: ".svg", Register: true, Unlocalized: true, Build: d.page(buildLogo)})
	for _, f := range lists.Formats() {
		pages = append(pages, &core.Page{
			Pattern: core.FormatPath(string(f)), Params: registerParams, File: true, Extension: "." + string(f), Register: true, Unlocalized: f == lists.JSONLD, Heavy: true,
			Build: d.page(func(q *request) (*core.Content, error) { return q.listAs(f) }),
		})
	}
	return pages
}

// noDocument is the error for a slug that no document has. It suggests similar slugs, also those
// that only begin like the one that was asked for.
func noDocument(state *register.State, slug string) error {
	documents := state.Documents() // by slug, so that those with a common beginning are neighbours
	beginnings := func(yield func(string) bool) {
		before := ""
		for _, d := range documents {
			if d.Removed() {
				continue
			}
			for i := range len(d.Slug) + 1 {
				if ends := i == len(d.Slug) || d.Slug[i] == '-' && i >= minBegin; ends && !beginsWith(before, d.Slug[:i]) && !yield(d.Slug[:i]) {
					return
				}
			}
			before = d.Slug
		}
	}
	nearest := similar.AllNearest(slug, beginnings, maxNear)
	var near []string
	for i := 0; i < len(documents) && len(near) < maxNear; i++ {
		d := documents[i]
		if !d.Removed() && slices.ContainsFunc(nearest, func(begin string) bool { return beginsWith(d.Slug, begin) }) {
			near = append(near, d.Slug)
		}
	}
	none := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no document at this address."},
		Kind:  datachain.KindUnknown, Param: "slug", Known: near, Err: &absentError{slug, near},
	}
	if len(near) > 0 {
		none.Issue.FixHint = "use " + wording.Or(near)
	}
	return none
}

// beginsWith reports whether a slug is a beginning, or goes on with a hyphen after it.
func beginsWith(slug, begin string) bool {
	rest, ok := strings.CutPrefix(slug, begin)
	return ok && (rest == "" || rest[0] == '-')
}

// absentError is the cause of a failure because no document has a slug.
type absentError struct {
	slug string
	near []string // similar ones that there are
}

func (e *absentError) Error() string { return e.slug + ": " + taxonomy.ErrNotFound.Error() }

func (e *absentError) Unwrap() error { return taxonomy.ErrNotFound }

// Explain names the address, and lists documents with similar ones, for citizens.
func (e *absentError) Explain(q *core.Request, f *core.Failure) {
	if f.Address == "" {
		return
	}
	f.Address, f.Near = i18n.Clean(core.DocumentPrefix+e.slug), nil
	own := &request{Request: q}
	for _, slug := range e.near {
		if d, ok := q.Register.Document(slug); ok {
			var b strings.Builder
			if listTemplate.Execute(&b, "record", &dot{q.Scope(new(core.Content)).Below(&listRow{Document: d}), own}) == nil {
				f.Rows = append(f.Rows, template.HTML(b.String())) //nolint:gosec // made by a template
			}
		}
	}
}

// maxNear is how many documents the page of a failure suggests, and minBegin the length of the
// shortest beginning of a slug that is compared.
const maxNear, minBegin = 3, 4

// registerList is the data of the list.
type registerList struct {
	Query string
	Sorts []core.Named
	// Keep are the filters, which the form sends again.
	Keep []core.Hidden
	// Facets are what documents can be filtered by, but Places. MoreFilters and MoreChosen
	// report whether some of them are folded, and whether one of those is chosen.
	Facets                  []*facet
	Places                  *facet
	MoreFilters, MoreChosen bool
	// Chosen are the filters that are set.
	Chosen []core.Choice
	Notice string
	// Meant is what is searched for with its misspelt words corrected, if that found something.
	Meant *core.Choice
	// Found are all documents that the address asks for, and Rows those of one page.
	Found *register.Result
	Rows  []*listRow
	Pages *core.Pager
	// Retired is how many retired systems match besides, if this is the last page, and RetiredURL
	// the list of them.
	Retired    int
	RetiredURL string
	Stats      *registerStats
	// Selection is what is chosen to compare, nil if one can't choose, and Everything the list without
	// words and filters.
	Selection  *selection
	Everything string
	// Counts are words for the script, as JSON.
	Counts string
}

// listRow is a document in a list.
type listRow struct {
	*register.Document
	// MatchedBy are the elements by which a search found it, if its own words do not have them all.
	MatchedBy []phrases.Text
	// Answered is what happened when people asked, if the list is sorted by that.
	Answered phrases.Text
}

// maxRows is the number of documents on a page of the list. In a static site, the list is one page.
const maxRows = 25

func buildList(q *request) (*core.Content, error) {
	w := q.Words
	d := &registerList{Query: q.Params.Get("q"), Stats: q.room.statsOf(q.Register)}
	c := &core.Content{
		Title: q.SiteName().Value, Description: w.Word("register.lead"), Path: core.RegisterPath, Section: core.RegisterPath, Template: listTemplate, Data: d, Part: q.Params.Get("part"),
		Scripts: []string{"register.js"}, Caching: caching, Expires: midnight(),
	}
	var err error
	if d.Found, err = q.found(); err != nil {
		return nil, err
	}
	c.State = q.registerState()
	for _, f := range lists.Formats() {
		media, _, _ := strings.Cut(f.ContentType(), ";") // links have no parameters
		c.Feeds = append(c.Feeds, core.Choice{Name: formatNames[f], Note: media, URL: q.To(core.FormatPath(string(f)), c.State)})
	}
	d.Selection = q.selection(c.State)
	d.Everything = d.Selection.everything(q)
	c.Unlisted = len(c.State) > 0
	d.Meant = core.Meant(d.Found.DidYouMean, q.To(core.RegisterPath, core.With(c.State, "q", d.Found.DidYouMean)))
	q.rows(d, c.State)
	q.facets(d, c.State)
	d.Counts = wordsJSON(w.Below("register.documents"))
	return c, nil
}

// rows fills in the documents of one page of the list.
func (q *request) rows(d *registerList, state url.Values) {
	rows := maxRows
	if !q.Links.Live() {
		rows = max(1, d.Found.Len()) // all, for the script to filter
	}
	last := max(1, (d.Found.Len()+rows-1)/rows)
	page, notice := q.TurnTo(last)
	d.Pages, d.Notice = q.Pager(core.RegisterPath, core.Paged(state), page, last), notice
	for i := (page - 1) * rows; i < min(page*rows, d.Found.Len()); i++ {
		row := &listRow{Document: d.Found.At(i)}
		for _, e := range d.Found.MatchedBy(i) {
			row.MatchedBy = append(row.MatchedBy, q.Name(e.Title, e.ID))
		}
		if a := row.Details.Answered; a != nil && d.Found.Query.Sort == register.ByAnswered {
			row.Answered = q.Own(a.In(q.Lang))
		}
		d.Rows = append(d.Rows, row)
	}
	if page == last {
		d.Retired, d.RetiredURL = d.Found.Retired(), q.To(core.RegisterPath, core.With(state, string(register.ByStatus), string(register.Retired)))
	}
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
	query, err := register.ParseQuery(q.Params)
	if err != nil {
		return nil, err
	}
	query.Locale = q.Locale
	return q.Register.Find(query)
}

// registerState is the part of the address that chooses documents.
func (q *request) registerState() url.Values {
	state := make(url.Values)
	for _, name := range registerParams {
		if v := q.Params.Get(name); v != "" {
			state.Set(name, v)
		}
	}
	return state
}

// registerAs answers with the documents that the address chooses, all of them.
func (q *request) listAs(f lists.Format) (*core.Content, error) {
	found, err := q.found()
	if err != nil {
		return nil, err
	}
	write := func(w io.Writer) error { return lists.New(q.Register, found, q.Site.PublicURL()).Write(w, f) }
	return &core.Content{Path: core.FormatPath(string(f)), Type: f.ContentType(), Write: write, Caching: caching, Expires: midnight()}, nil
}

// formatNames are the names of formats, which are the same in all languages.
var formatNames = map[lists.Format]string{
	lists.JSON: "JSON", lists.CSV: "CSV", lists.GeoJSON: "GeoJSON", lists.Atom: "Atom", lists.JSONLD: "JSON-LD",
}

// buildLogo sends the publisher's logo.
func buildLogo(q *request) (*core.Content, error) {
	logo := q.Register.Settings().Publisher.Logo
	if logo == nil {
		return nil, core.NoPage()
	}
	return &core.Content{Path: core.LogoPath, Type: core.TypeSVG, Body: logo, Caching: caching}, nil
}
