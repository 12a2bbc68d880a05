package pages

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// scope is the dot of a template.
type scope struct {
	*content
	words // Lang is their language
	// Dir is the direction of the page, which is that of its texts.
	Dir string
	// D is the data of the page.
	D any

	request *request
}

// scope returns the dot for the templates of a page.
func (q *request) scope(c *content) *scope {
	return &scope{content: c, words: q.words, Dir: i18n.Direction(q.locale), D: c.Data, request: q}
}

// Canonical returns the address of the page without a language, as search engines want
// it.
func (s *scope) Canonical() string {
	return s.request.links.canonical(s.Path, s.State, "")
}

// Highest explains the names of the highest values of some roles in summaries.
func (s *scope) Highest(roles []taxonomy.Role) string {
	notes := make([]string, len(roles))
	for i, role := range roles {
		notes[i] = phrases.In(s.Lang).HighestNotes[role]
	}
	return strings.Join(notes, " ")
}

// Comma separates the items of a list.
func (s *scope) Comma() string { return phrases.In(s.Lang).Comma }

// Before returns a name with a colon, for a text that follows it. A question has none.
func (s *scope) Before(name text) template.HTML {
	switch {
	case name.Empty():
		return ""
	case strings.HasSuffix(name.Plain, "?"), strings.HasSuffix(name.Plain, "؟"):
		return name.HTML() + " "
	}
	return name.HTML() + template.HTML(s.Word("colon")+" ") //nolint:gosec // our own
}

// UI returns the attributes of the words of the page inside a text in another language.
func (s *scope) UI() template.HTMLAttr {
	return template.HTMLAttr(` lang="` + s.Lang + `" dir="` + i18n.Direction(s.Lang) + `"`) //nolint:gosec // our own
}

// OGLocale returns the language of the page as Open Graph writes it.
func (s *scope) OGLocale() string { return strings.ReplaceAll(s.request.locale, "-", "_") }

// To returns the address of another page, with pairs of the names and values of its state.
func (s *scope) To(path string, state ...string) string {
	values := make(url.Values, len(state)/2)
	for i := 0; i+1 < len(state); i += 2 {
		values.Set(state[i], state[i+1])
	}
	return s.request.to(path, values)
}

// Release returns the version of the page, and TaxonomyTitle the title of its taxonomy.
func (s *scope) Release() *taxonomy.Release { return s.request.release() }
func (s *scope) TaxonomyTitle() text        { return s.request.title() }

// Versions returns all versions of the taxonomy, newest first, and Stable the newest stable one,
// or nil. Latest reports whether a version is the latest one.
func (s *scope) Versions() []taxonomy.Entry { return s.request.siblings() }

func (s *scope) Stable() *taxonomy.Entry {
	for _, e := range s.request.siblings() {
		if e.ID.Status() == taxonomy.Stable {
			return &e
		}
	}
	return nil
}

func (s *scope) Latest(e taxonomy.Entry) bool { return isLatest(e) }

// StatusName and StatusNote name the status of a version, without and with its deprecation.
// Released returns its date, ReleaseNote says it, and Ending explains a deprecation.
func (s *scope) StatusName(v taxonomy.Version) string  { return s.request.status(v.Status()) }
func (s *scope) StatusNote(e taxonomy.Entry) string    { return s.request.statusNote(e) }
func (s *scope) Released(v taxonomy.Version) string    { return s.request.released(v) }
func (s *scope) ReleaseNote(v taxonomy.Version) string { return s.request.releaseNote(v) }
func (s *scope) Ending() *ending                       { return s.request.ending(s.request.release().Version()) }

// Category and Element return a part of the version, or nil, Elements the number of elements of
// a category, and Scheme a scheme, which has only an id if the version does not describe it.
func (s *scope) Category(id string) *taxonomy.Category {
	c, _ := s.request.release().Category(id)
	return c
}

func (s *scope) Element(id string) *taxonomy.Element {
	e, _ := s.request.release().Element(id)
	return e
}

func (s *scope) Elements(categoryID string) int {
	begin, end := s.request.release().CategoryRange(categoryID)
	return end - begin
}

func (s *scope) Scheme(id string) *taxonomy.Scheme {
	if scheme, ok := s.request.release().Manifest().Scheme(id); ok {
		return scheme
	}
	return &taxonomy.Scheme{ID: id}
}

// VersionURL returns the address of a version. CategoryURL, ElementURL and SchemeURL return
// those of pages of the version of the page.
func (s *scope) VersionURL(v taxonomy.Version) string { return s.To(catalogPath(v)) }

func (s *scope) CategoryURL(id string) string {
	return s.To(categoryPath(s.request.release().Version(), id))
}

func (s *scope) ElementURL(id string) string {
	return s.To(elementPath(s.request.release().Version(), id))
}

func (s *scope) SchemeURL(id string) string {
	return s.To(schemePath(s.request.release().Version(), id))
}

// Text, Name and Raw return a text of the taxonomy, a name or else its id, and a text in no
// language.
func (s *scope) Text(l taxonomy.Localized) text            { return s.request.text(l) }
func (s *scope) Name(l taxonomy.Localized, id string) text { return s.request.name(l, id) }
func (s *scope) Raw(t string) text                         { return s.request.raw(t) }

// Link returns an address of the taxonomy, if it is safe to follow.
func (s *scope) Link(address string) weblink.Link { return weblink.New(address, "https", "http") }

// Titled returns the title of an element, with its variables as blanks.
func (s *scope) Titled(e *taxonomy.Element) text { return s.request.titled(e, nil) }

// Icon draws an element, for light and for dark pages. Shape and Swatch draw a category, also in
// the colours of a context value; Contrast is that of its symbol.
func (s *scope) Icon(e *taxonomy.Element) template.HTML               { return s.request.icon(s.request.schema, e) }
func (s *scope) Shape(of taxonomy.Shape) template.HTML                { return shape(of) }
func (s *scope) Swatch(c *taxonomy.Category, id string) template.HTML { return swatch(c, id) }
func (s *scope) Contrast(color string) string {
	fill, _ := icons.ParseColor(color)
	colors := icons.FilledColors(fill)
	return fmt.Sprintf("%.1f", colors.Ink.Contrast(colors.Fill))
}

// Asset returns the address of a style sheet or script.
func (s *scope) Asset(name string) string { return s.request.links.asset(name) }

// API returns the address of a resource of the API.
func (s *scope) API(path string) string { return s.request.api(path) }

// MCP returns the address of the MCP server, or "".
func (s *scope) MCP() string {
	if e := s.request.handler; e.options.MCP != "" {
		return e.base + e.options.MCP
	}
	return ""
}

// Below returns the scope for a part of the data.
func (s *scope) Below(data any) *scope {
	part := *s
	part.D = data
	return &part
}

// Live reports whether a server answers forms and fetches parts of pages.
func (s *scope) Live() bool { return s.request.links.live() }

// Forms reports whether a server or a script answers forms.
func (s *scope) Forms() bool { return s.request.links.forms() }

// Site returns what the script needs to search the page without a server, as JSON, or "".
func (s *scope) Site() string { return s.request.links.search(s) }

// Searches reports whether the page can be searched: by a server, or by the script.
func (s *scope) Searches() bool { return s.Live() || s.Site() != "" }

// FormURL returns the address that a form is sent to, and Here that of the page itself.
func (s *scope) FormURL(path string) string { return s.request.formTo(path) }
func (s *scope) Here() string               { return s.FormURL(s.Path) }

// Hidden returns the fields that keep the language when a form is sent. Static files have it
// in their path.
func (s *scope) Hidden() []hidden {
	if s.request.asked == "" || !s.Live() {
		return nil
	}
	return []hidden{{"lang", s.request.asked}}
}

// hidden is a hidden field of a form.
type hidden struct{ Name, Value string }

// choice is one of several versions or languages.
type choice struct {
	Name, Note string
	URL        string
	Lang       string // the language of the name
	Current    bool
}

// named is something of a taxonomy to choose from, such as a category.
type named struct {
	Name      text
	Note, URL string
	Current   bool
}

// Languages are the languages in which the page can be shown, each with its address.
func (s *scope) Languages() []choice {
	q, state := s.request, s.State
	if s.Sign != "" {
		state = with(state, "s", s.Sign)
	}
	var list []choice
	for _, locale := range q.handler.offered(q.locales) {
		list = append(list, choice{
			Name: endonym(locale), Lang: locale, URL: q.links.page(s.Path, state, locale), Current: locale == q.locale,
		})
	}
	return list
}

// Locale is the current language.
func (s *scope) Locale() string { return s.request.locale }

// Language is the name of the current language, in its own words, and LanguageCode its code.
func (s *scope) Language() string { return endonym(s.request.locale) }

func (s *scope) LanguageCode() string {
	language, _, _ := strings.Cut(s.request.locale, "-")
	return strings.ToUpper(language)
}

// Citizen reports whether the page is for those whom documents are about, not a tool for authors.
func (s *scope) Citizen() bool { return s.request.state != nil && s.Section == registerPath }

// Tabs are the entries of the navigation, which only tools have.
func (s *scope) Tabs() []choice {
	return s.choices([]choice{
		{URL: composePath, Name: s.Word("compose.title")},
		{URL: playPath, Name: s.Word("layout.check")},
		{URL: s.request.taxonomies(), Name: s.Word("layout.taxonomies")},
		{URL: comparePath, Name: s.Word("compare.title")},
		{URL: docsPath, Name: s.Word("layout.docs")},
	})
}

// Authors are the tools that the foot of every page leads to.
func (s *scope) Authors() []choice {
	return s.choices([]choice{
		{URL: composePath, Name: s.Word("compose.title")}, {URL: playPath, Name: s.Word("layout.check")}, {URL: s.request.taxonomies(), Name: s.Word("layout.taxonomies")},
	})
}

// choices turns the patterns of pages into addresses, and leaves out pages that there are not.
func (s *scope) choices(list []choice) []choice {
	list = slices.DeleteFunc(list, func(c choice) bool { return !s.Has(c.URL) })
	for i := range list {
		c := &list[i]
		c.Current = c.URL == s.Section
		if c.URL == comparePath && s.request.state != nil && s.Live() {
			first, second := s.request.firstPair() // without versions it compares documents
			c.URL = s.request.to(comparePath, url.Values{"old": {first}, "new": {second}})
			continue
		}
		c.URL = s.To(c.URL)
	}
	return list
}

// Has reports whether there is a page with a pattern.
func (s *scope) Has(pattern string) bool { return s.request.has(pattern) }

func (q *request) has(pattern string) bool {
	return slices.ContainsFunc(q.handler.pages, func(p *page) bool {
		return p.pattern == pattern && (!p.live || q.links.live()) && (!p.register || q.state != nil)
	})
}

// taxonomies is the path of the list of taxonomies: with documents, the start page is the
// register.
func (q *request) taxonomies() string {
	if q.state != nil {
		return taxonomiesPath
	}
	return "/"
}

// SiteName is the title of the register, or that of the pages.
func (s *scope) SiteName() text { return s.request.siteName() }

func (q *request) siteName() text {
	if q.state != nil {
		if title := q.text(q.state.Settings().Title); !title.Empty() {
			return title
		}
		return q.own(q.words.Word("register.title"))
	}
	return q.own(q.words.Word("layout.site"))
}

// Heading is the title of the register above its list. A long one is smaller, so that results
// begin on the first screen.
func (s *scope) Heading() template.HTML {
	const long = 40 // letters
	if title := s.SiteName(); i18n.Letters(title.Plain) > long {
		return title.As("h1", "long")
	}
	return s.SiteName().As("h1")
}

// Brand is the name in the header, and Above what is written above it: the publisher above the
// register, or the register above its tools. On the first page of a register the name is that of
// the publisher, because the title follows.
func (s *scope) Brand() text {
	switch publisher := s.publisher(); {
	case s.request.state == nil:
		return s.SiteName()
	case !s.Citizen():
		return s.request.own(s.Word("layout.tools"))
	case s.request.page.name == "register" && !publisher.Empty():
		return publisher
	default:
		return s.SiteName()
	}
}

func (s *scope) Above() text {
	switch {
	case s.request.state == nil || s.Citizen() && s.request.page.name == "register":
		return text{}
	case s.Citizen():
		return s.publisher()
	default:
		return s.SiteName()
	}
}

func (s *scope) publisher() text {
	if s.request.state == nil {
		return text{}
	}
	return s.request.text(s.request.state.Settings().Publisher.Name)
}

// Logo is the address of the publisher's logo, or "".
func (s *scope) Logo() string {
	if s.request.state == nil || s.request.state.Settings().Publisher.Logo == nil {
		return ""
	}
	return s.To(logoPath)
}

// Alternates are the absolute addresses of the page in its languages, for search engines.
func (s *scope) Alternates() []choice {
	q := s.request
	if !q.page.register || s.Unlisted || !q.handler.absolute() {
		return nil
	}
	var list []choice
	for _, locale := range q.handler.offered(q.locales) {
		list = append(list, choice{Lang: locale, URL: q.links.canonical(s.Path, s.State, locale)})
	}
	return list
}
