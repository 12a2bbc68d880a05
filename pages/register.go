package pages

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/register/lists"
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
		return &page{name: "register", pattern: pattern, params: append([]string{"page", selectParam, boardParam}, registerParams...), parts: []string{"results"}, register: true, build: buildRegister}
	}
	pages := []*page{list("/"), list(registerPath), {name: "raw", pattern: logoPath, extension: ".svg", register: true, unlocalized: true, build: buildLogo}}
	for _, f := range lists.Formats() {
		pages = append(pages, &page{
			name: "raw", pattern: formatPath(f), params: registerParams, register: true, unlocalized: f == lists.JSONLD, extension: "." + string(f), heavy: true,
			build: func(q *request) (*content, error) { return q.registerAs(f) },
		})
	}
	return pages
}

// selectParam shows boxes to choose documents with, those of [boardParam] checked.
const selectParam = "select"

// state returns what the register publishes, or nil if there is nothing.
func (e *Handler) state() *register.State {
	if e.register == nil {
		return nil
	}
	if s := e.register.State(); len(s.Documents()) > 0 {
		return s
	}
	return nil
}

// openRegister finds the document of a page of the register, and chooses its languages:
// those of the document, or of the whole register. The signs and files of a document that is
// gone lead people to its page, and give programs a failure.
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
			i := slices.IndexFunc(q.handler.pages, func(p *page) bool { return p.pattern == documentPattern })
			q.page = q.handler.pages[i]
		}
	}
	q.locales = q.state.LanguagesOf(d)
	return nil
}

// noDocument is the error for a slug that no document has. It suggests similar slugs, also those
// that only begin like the one that was asked for.
func (q *request) noDocument(slug string) error {
	documents := q.state.Documents() // by slug, so that those with a common beginning are neighbours
	beginnings := func(yield func(string) bool) {
		before := ""
		for _, d := range documents {
			if d.Gone() {
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
		if !d.Gone() && slices.ContainsFunc(nearest, func(begin string) bool { return beginsWith(d.Slug, begin) }) {
			near = append(near, d.Slug)
		}
	}
	none := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no document at this address."},
		Kind:  datachain.KindUnknown, Param: "slug", Known: near, Err: &absentError{slug},
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
type absentError struct{ slug string }

func (e *absentError) Error() string { return e.slug + ": " + taxonomy.ErrNotFound.Error() }

func (e *absentError) Unwrap() error { return taxonomy.ErrNotFound }

// maxNear is how many documents the page of a failure suggests, and minBegin the length of the
// shortest beginning of a slug that is compared.
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
	// Meant is what is searched for with its misspelt words corrected, if that found something.
	Meant *choice
	// Found are all documents that the address asks for, and Documents those of one page.
	Found     *register.Result
	Documents []*register.Document
	Pages     *pager
	Stats     *registerStats
	// Selecting shows boxes to choose documents with. Chosen before were Compared, and those
	// of them that have no box on this page are Elsewhere.
	Selecting           bool
	Compared, Elsewhere []string
	// Counts and CompareCounts are words for the script, as JSON.
	Counts, CompareCounts string
}

// Compares reports whether the box of a document is checked.
func (r *registerList) Compares(slug string) bool { return slices.Contains(r.Compared, slug) }

// maxRows is the number of documents on a page of the list. In a static site, the list is one page.
const maxRows = 25

func buildRegister(q *request) (*content, error) {
	w := q.words
	d := &registerList{Query: q.params.Get("q"), Stats: q.handler.registerStats(q.state)}
	c := &content{
		Title: q.siteName().Plain, Description: w.Word("register.lead"), Path: registerPath, Section: registerPath, Data: d, Part: q.params.Get("part"),
		Scripts: []string{"register.js"}, Caching: registerCaching, Expires: midnight(),
	}
	var err error
	if d.Found, err = q.found(); err != nil {
		return nil, err
	}
	c.State = q.registerState()
	c.Unlisted = len(c.State) > 0
	d.Meant = meant(d.Found.DidYouMean, q.to(registerPath, with(c.State, "q", d.Found.DidYouMean)))
	rows := maxRows
	if !q.links.live() {
		rows = max(1, d.Found.Len()) // all, for the script to filter
	}
	last := max(1, (d.Found.Len()+rows-1)/rows)
	page, notice := q.turnTo(last)
	d.Pages, d.Notice = q.pager(registerPath, paged(c.State), page, last), notice
	for i := (page - 1) * rows; i < min(page*rows, d.Found.Len()); i++ {
		d.Documents = append(d.Documents, d.Found.At(i))
	}
	if d.Selecting = q.params.Has(selectParam) && q.links.live(); d.Selecting {
		d.Compared = strings.FieldsFunc(q.params.Get(boardParam), func(r rune) bool { return r == ',' })
		d.Elsewhere = slices.DeleteFunc(slices.Clone(d.Compared), func(slug string) bool {
			return slices.ContainsFunc(d.Documents, func(shown *register.Document) bool { return shown.Slug == slug })
		})
		d.Notice = cmp.Or(d.Notice, w.Word("register.boardchoose", w.Number(board.Max)))
	}
	q.facets(d, c.State)
	for _, f := range lists.Formats() {
		media, _, _ := strings.Cut(f.ContentType(), ";") // links have no parameters
		c.Feeds = append(c.Feeds, choice{Name: formatNames[f], Note: media, URL: q.to(formatPath(f), c.State)})
	}
	d.Counts, d.CompareCounts = wordsJSON(w.Below("register.documents")), wordsJSON(w.Below("register.board"))
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

// registerAs answers with the documents that the address chooses, all of them.
func (q *request) registerAs(f lists.Format) (*content, error) {
	found, err := q.found()
	if err != nil {
		return nil, err
	}
	write := func(w io.Writer) error { return lists.New(q.state, found, q.handler.baseURL()).Write(w, f) }
	return &content{Path: formatPath(f), Type: f.ContentType(), Write: write, Caching: registerCaching}, nil
}

// formatPath is the path of the list in a format.
func formatPath(f lists.Format) string { return registerPath + "." + string(f) }

// formatNames are the names of formats, which are the same in all languages.
var formatNames = map[lists.Format]string{
	lists.JSON: "JSON", lists.CSV: "CSV", lists.GeoJSON: "GeoJSON", lists.Atom: "Atom", lists.JSONLD: "JSON-LD",
}
