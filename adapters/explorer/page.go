package explorer

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/internal/httpcache"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// page is a kind of page.
type page struct {
	// name is that of its template, which is templates/<name>.html.
	name string
	// pattern is its path. The wildcards {version} and {edition} are whole segments, and
	// {id} is the beginning of one.
	pattern string
	// params are the query parameters that it depends on, besides lang and part. One
	// that ends in a period stands for all that begin with it.
	params []string
	// parts are the templates that can be asked for with part, instead of the whole page.
	parts []string
	// heavy means that the page takes long to make, so it waits for a place as documents do.
	heavy bool
	// build makes the content of the page.
	build func(*request) (*content, error)
	// mute means that the page has no texts, so it is the same in all languages, and
	// depends on nothing but its version.
	mute bool
	// extension is that of its path, which its file in a static site keeps; "" is a
	// page of HTML.
	extension string
	// live means that the page needs a server, so it is not part of a static site.
	live bool
	// scripted means that a script answers the forms of the page in a static site, which
	// reads its state from the query: there is one file for all states.
	scripted bool
	// register means that the page exists only if there are documents.
	register bool
	// root means that the page is the same in all languages, and its file in a static
	// site lies beside the directories of languages.
	root bool
	// post answers a form, if the page has one that is sent. The form is at most times as
	// large as its document.
	post  func(*request, *form) (*httpcache.Answer, error)
	times int64
}

// pages lists the kinds of pages. The first one whose pattern matches a path is used.
func pages() []*page {
	lists := []string{"results", "palette"}
	return slices.Concat(registerPages(), documentPages(), signPages(), []*page{
		{name: "home", pattern: "/", params: []string{"q"}, parts: lists, build: buildHome},
		{name: "home", pattern: taxonomiesPath, params: []string{"q"}, parts: lists, register: true, build: buildHome},
		{name: "print", pattern: catalogPattern + "/print", params: []string{"paper", "category"}, build: buildPrint},
		{name: "raw", pattern: catalogPattern + bibPath, extension: ".bib", build: buildBib},
		{name: "raw", pattern: catalogPattern + cslPath, extension: ".json", build: buildCSL},
		{name: "raw", pattern: sitemapPattern, live: true, build: buildSitemap},
		{name: "raw", pattern: sitemapPartPattern, live: true, build: buildSitemap},
		{name: "raw", pattern: "/robots.txt", live: true, build: buildRobots},
		{name: "raw", pattern: feedPath("{id}"), extension: feedExtension, build: buildFeed},
		{name: "catalog", pattern: catalogPattern, params: []string{"q", "category", "page", viewParam}, parts: lists, build: buildCatalog},
		{name: "category", pattern: categoryPattern, build: buildCategory},
		{name: "element", pattern: elementPattern, params: []string{"context", "v."}, parts: []string{"tryout"}, build: buildElement},
		{name: "scheme", pattern: schemePattern, params: []string{"page"}, build: buildScheme},
		{name: "compare", pattern: comparePath, params: []string{"old", "new", "category", "severity", "page", boardParam}, heavy: true, build: buildCompare},
		{name: "compare", pattern: comparePath + ".json", extension: ".json", params: []string{"old", "new", boardParam}, heavy: true, build: buildCompareJSON},
		{name: "compare", pattern: comparePath + ".md", extension: ".md", params: []string{"old", "new", boardParam}, heavy: true, build: buildCompareMarkdown},
		{name: "play", pattern: playPath, params: []string{"sample", "new"}, build: buildPlay, post: (*request).answerForm, times: 1, live: true},
		{name: "compose", pattern: composePath, params: []string{"q", "new", changeParam}, build: buildCompose, post: (*request).compose, times: formTimes, scripted: true},
		{name: "codes", pattern: codesPath, params: []string{"q"}, parts: []string{"results"}, build: buildCodes},
		{name: "code", pattern: codesPath + "/{id}", build: buildCode},
		{name: "docs", pattern: docsPath, build: buildDocs},
		{name: "verify", pattern: verifyPath, params: []string{verifyParam}, build: buildVerify},
		{name: "raw", pattern: comparePath + ".csv", extension: ".csv", params: []string{boardParam}, heavy: true, register: true, live: true, build: buildBoardCSV},
	})
}

// content is what a page shows.
type content struct {
	// Title is plain text, and Description is what search engines show.
	Title, Description string
	// Path is the canonical path of the page, with the id of a version instead of an
	// alias, and State its query parameters without lang.
	Path  string
	State url.Values
	// Sign is the edition of the sign that led to the page, or "". The language switch
	// keeps it; the canonical address does not have it.
	Sign string
	// JSON is the path below the API of what the page shows, or "".
	JSON string
	// Section is the pattern of the page that is marked in the navigation.
	Section string
	// Data is the dot of the template, below the scope.
	Data any
	// Part is the name of a template that is sent instead of the whole page.
	Part string
	// Unlisted keeps the page out of search engines.
	Unlisted bool
	// Styles and Scripts are those of the page, besides what all pages have.
	Styles, Scripts []string
	// Policy is the Content-Security-Policy, if it is not the usual one.
	Policy string
	// Linked is what machines read on the page.
	Linked linkedData
	// Body is sent instead of a page, with its media Type, or what Write writes, which can
	// be large.
	Body  []byte
	Write func(io.Writer) error
	Type  string
	// Caching is the Cache-Control, if it is not the usual one, and Expires when the page
	// must be made again; zero is never.
	Caching string
	Expires time.Time
	// Status is the status code; 0 means 200.
	Status int
	// Feeds are other forms of the page, with their media types.
	Feeds []choice
	// Exports are files of what the page is about, with their media types.
	Exports []choice
	// Article is the main element, if it is not that of the template. The page needs no
	// scripts then.
	Article template.HTML
}

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

// templates returns those of one kind of page. It parses them when they are first used: a
// server that is never asked for pages does not need the memory.
type templates func() (*template.Template, error)

//go:embed templates
var templateFiles embed.FS

// newTemplates returns the templates of each kind of page: the layout and its own ones.
func newTemplates(list []*page) map[*page]templates {
	shared := sync.OnceValues(func() (*template.Template, error) {
		return template.New("layout").ParseFS(templateFiles, "templates/layout.html", "templates/shared.html", "templates/parts.html")
	})
	all := make(map[*page]templates, len(list)+2)
	for _, p := range append(list, &errorPage, &rootPage) {
		if p.name == "raw" {
			continue
		}
		all[p] = sync.OnceValues(func() (*template.Template, error) {
			own, err := shared()
			if err == nil {
				own, err = own.Clone()
			}
			if err == nil {
				own, err = own.ParseFS(templateFiles, "templates/"+p.name+".html")
			}
			return own, err
		})
	}
	return all
}

// execute writes a template of a page.
func (t templates) execute(b *bytes.Buffer, name string, data any) error {
	set, err := t()
	if err != nil {
		return fmt.Errorf("explorer: %w", err)
	}
	return set.ExecuteTemplate(b, name, data)
}

// render makes the HTML of a page.
func (q *request) render(c *content) ([]byte, error) {
	b, _ := rendering.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	defer rendering.Put(b)
	b.Reset()
	if err := q.explorer.templates[q.page].execute(b, cmp.Or(c.Part, "layout"), q.scope(c)); err != nil {
		return nil, err // not the part that was written
	}
	return bytes.Clone(b.Bytes()), nil // pages are cached
}

// renderPart makes the HTML of a template of a page.
func (q *request) renderPart(c *content, name string) (string, error) {
	var b bytes.Buffer
	err := q.explorer.templates[q.page].execute(&b, name, q.scope(c))
	return b.String(), err
}

var rendering sync.Pool // of *bytes.Buffer

// scope returns the dot for the templates of a page.
func (q *request) scope(c *content) *scope {
	return &scope{content: c, words: q.words, Dir: i18n.Direction(q.locale), D: c.Data, request: q}
}

const typeHTML = "text/html; charset=utf-8"

// answer builds a page and makes the answer with it.
func (q *request) answer() (*httpcache.Answer, error) {
	day := today()
	c, err := q.page.build(q)
	if err != nil {
		return nil, err
	}
	body, contentType := c.Body, c.Type
	if body == nil && c.Write == nil {
		contentType = typeHTML
		if body, err = q.render(c); err != nil {
			return nil, err
		}
	}
	var ans *httpcache.Answer
	// Pages depend on everything that is published, so clients ask each time.
	if caching := cmp.Or(c.Caching, "no-cache"); c.Write == nil {
		ans = httpcache.NewAnswer(contentType, caching, body)
	} else if ans, err = httpcache.WriteAnswer(contentType, caching, c.Write); err != nil {
		return nil, err
	}
	ans.Status, ans.Expires = c.Status, c.Expires
	q.describe(ans)
	if c.Caching == registerCaching && c.Policy == "" && c.JSON == "" && c.Status == 0 { // it has no other headers
		q.explorer.made.Seen(madeKey{q.key(), ans.Tag(), day})
	}
	if c.Policy != "" {
		ans.With("Content-Security-Policy", c.Policy)
	}
	if c.JSON != "" {
		ans.With("Link", `<`+q.api(c.JSON)+`>; rel="alternate"; type="application/json"`)
	}
	return ans, nil
}

// describe says which language an answer has.
func (q *request) describe(ans *httpcache.Answer) {
	if !q.page.mute {
		ans.Varying("Accept-Language").With("Content-Language", q.locale)
	}
}

// Canonical returns the address of the page without a language, as search engines want
// it.
func (s *scope) Canonical() string {
	return s.request.links.canonical(s.Path, s.State, "")
}

// Highest explains the names of the highest values in summaries.
func (s *scope) Highest() string { return phrases.In(s.Lang).HighestNote }

// UI returns the attributes of the words of the page inside a text in another language.
func (s *scope) UI() template.HTMLAttr {
	return template.HTMLAttr(` lang="` + s.Lang + `" dir="` + i18n.Direction(s.Lang) + `"`) //nolint:gosec // our own
}

// OGLocale returns the language of the page as Open Graph writes it.
func (s *scope) OGLocale() string { return strings.ReplaceAll(s.request.locale, "-", "_") }

// encoded returns the query string of a state.
func encoded(state url.Values) string {
	if len(state) == 0 {
		return ""
	}
	return "?" + state.Encode()
}

// To returns the address of another page.
func (s *scope) To(path string) string { return s.request.to(path, nil) }

// Category returns a category of the version, or nil, Elements the number of its elements, and
// Scheme a scheme, which has only an id if the version does not describe it.
func (s *scope) Category(id string) *taxonomy.Category {
	c, _ := s.request.release().Category(id)
	return c
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

// CategoryURL, ElementURL and SchemeURL return the addresses of pages of the version.
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

// Titled and About return the texts of an element, with its variables as blanks.
func (s *scope) Titled(e *taxonomy.Element) text { return s.request.titled(e, nil) }

func (s *scope) About(e *taxonomy.Element) text {
	return s.request.blanks(e.Description, e.Variables, nil)
}

// Icon and Variant draw an element, for light and for dark pages or for light ones. Shape and
// Swatch draw a category, also in the colours of a context value; Contrast is that of its symbol.
func (s *scope) Icon(e *taxonomy.Element) template.HTML { return s.request.icon(s.request.schema, e) }

func (s *scope) Variant(e *taxonomy.Element) template.HTML {
	return s.request.variant(s.request.schema, e, taxonomy.VariantDefault)
}
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
	if e := s.request.explorer; e.options.MCP != "" {
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

// Here returns the address that forms of the page are sent to.
func (s *scope) Here() string { return s.request.formTo(s.Path) }

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
	list := make([]choice, 0, len(q.locales))
	for _, locale := range q.locales {
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
	return slices.ContainsFunc(q.explorer.pages, func(p *page) bool {
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

// SiteName is the title of the register, or that of the explorer.
func (s *scope) SiteName() text {
	q := s.request
	if q.state != nil {
		if title := q.text(q.state.Settings().Title); !title.Empty() {
			return title
		}
		return q.own(q.words.Word("register.title"))
	}
	return q.own(q.words.Word("layout.site"))
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
	if !q.page.register || s.Unlisted || !q.explorer.absolute() {
		return nil
	}
	list := make([]choice, len(q.locales))
	for i, locale := range q.locales {
		list[i] = choice{Lang: locale, URL: q.links.canonical(s.Path, s.State, locale)}
	}
	return list
}

// place is the values of the wildcards of a path.
type place struct{ version, id, edition string }

// match compares the segments of a path with those of a pattern.
func (p *page) match(segments []string) (of place, ok bool) {
	if len(segments) == 0 {
		return of, p.pattern == "/"
	}
	rest := p.pattern[1:]
	for i, segment := range segments {
		var want string
		var more bool
		want, rest, more = strings.Cut(rest, "/")
		switch extension, named := strings.CutPrefix(want, "{id}"); {
		case named:
			of.id, ok = strings.CutSuffix(segment, extension)
			if !ok {
				return place{}, false
			}
		case want == "{version}":
			of.version = segment
		case want == "{edition}":
			of.edition = segment
		case want != segment:
			return place{}, false
		}
		if more == (i == len(segments)-1) {
			return place{}, false
		}
	}
	return of, true
}

// links makes all addresses on pages. A server has one form, files on a web host
// another, with relative links and the language in the path.
type links interface {
	// page returns the address of a page with its state, in a language; "" is that
	// of the current page.
	page(path string, state url.Values, lang string) string
	// asset returns the address of a style sheet or script.
	asset(name string) string
	// editor returns the address of the editor's script, or "" if it was not built.
	editor() string
	// verifier returns the addresses of the module that verifies proofs and of what starts
	// it, or "" if it was not built.
	verifier() (module, loader string)
	// api returns the address of a resource of the API.
	api(path string) string
	// canonical returns the address of a page for search engines and for paper, in a
	// language if one is given, or "" if it is not known.
	canonical(path string, state url.Values, lang string) string
	// live reports whether a server answers forms, and forms whether it or a script does.
	live() bool
	forms() bool
	// search returns what the script needs to search the page without a server, as
	// JSON, or "".
	search(s *scope) string
}

// serverLinks are the links of pages that a server sends. A language that was asked for
// is kept; otherwise the browser chooses on each page.
type serverLinks struct {
	explorer *Explorer
	lang     string // the one that was asked for, or ""
}

func (l *serverLinks) page(path string, state url.Values, lang string) string {
	if lang == "" {
		lang = l.lang
	}
	query := state
	if lang != "" {
		query = url.Values{"lang": {lang}}
		maps.Copy(query, state)
	}
	return l.explorer.base + path + encoded(query)
}

func (l *serverLinks) asset(name string) string {
	return l.explorer.base + assetPrefix + l.explorer.assets().names[name]
}

func (l *serverLinks) editor() string {
	if l.explorer.built == nil {
		return ""
	}
	return l.explorer.base + assetPrefix + builtPrefix + editorFile
}

func (l *serverLinks) verifier() (module, loader string) {
	if l.explorer.verifier == nil {
		return "", ""
	}
	prefix := l.explorer.base + assetPrefix + verifierPrefix
	return prefix + verifierModule, prefix + moduleLoader
}

func (l *serverLinks) api(path string) string { return l.explorer.base + l.explorer.options.API + path }

func (l *serverLinks) canonical(path string, state url.Values, lang string) string {
	if lang != "" {
		state = with(state, "lang", lang)
	}
	return l.explorer.baseURL() + path + encoded(state)
}

func (l *serverLinks) live() bool { return true }

func (l *serverLinks) forms() bool { return true }

func (l *serverLinks) search(*scope) string { return "" }

// to returns the address of a page.
func (q *request) to(path string, state url.Values) string { return q.links.page(path, state, "") }

// api returns the address of a resource of the API.
func (q *request) api(path string) string { return q.links.api(path) }

// formTo returns the address that a form is sent to. Its fields are the state, so the
// address has none.
func (q *request) formTo(path string) string {
	address, _, _ := strings.Cut(q.links.page(path, nil, ""), "?")
	return address
}

// The paths of pages.

const (
	catalogPattern  = "/t/{version}"
	categoryPattern = catalogPattern + "/c/{id}"
	elementPattern  = catalogPattern + "/e/{id}"
	schemePattern   = catalogPattern + "/s/{id}"
)

func catalogPath(v taxonomy.Version) string { return "/t/" + url.PathEscape(v.String()) }

func categoryPath(v taxonomy.Version, id string) string { return partPath(v, "/c/", id) }
func elementPath(v taxonomy.Version, id string) string  { return partPath(v, "/e/", id) }
func schemePath(v taxonomy.Version, id string) string   { return partPath(v, "/s/", id) }

func partPath(v taxonomy.Version, kind, id string) string {
	return catalogPath(v) + kind + url.PathEscape(id)
}

// apiPath is the path of a version below that of the API.
func apiPath(v taxonomy.Version) string { return "/schemas/" + url.PathEscape(v.String()) }

// endonym returns the name of a language in itself, with its code if it is one of
// several of a language, such as pt-BR.
func endonym(locale string) string {
	name := i18n.Endonym(locale)
	if strings.Contains(locale, "-") && name != locale {
		return name + " (" + locale + ")"
	}
	return name
}
