package pages

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register/lists"
)

// WriteSite writes the pages as static files, for any web host or bucket. Links are
// relative, and the language is in the path: en/index.html, en/t/{version}.html,
// en/t/{version}/e/{id}.html, en/d/{slug}.html. Documents also have d/{slug}/index.html,
// without a language, for printed codes. Everything that a page links to is written, too, and
// checking documents as text is left out, since it needs a server. A script filters the list of
// documents by the words that it shows. If [Options.Assets] has site.wasm, another one searches
// taxonomies and answers the form of /compose as the server does, and loads it when a visitor
// does.
//
// The names that write gets are relative and separated by slashes. The files and their
// content depend only on what is published; write is called by one goroutine at a time. The
// API answers requests for what pages link to besides other pages: JSON and pictures.
func (e *Handler) WriteSite(ctx context.Context, api http.Handler, write func(name string, body []byte) error) error {
	s := &site{handler: e, api: api, seen: make(map[string]bool), write: write}
	var err error
	if s.finder, err = s.writeModule(); err != nil {
		return err
	}
	index, err := e.service.Versions(ctx)
	if err != nil {
		return err
	}
	locales := e.overview(ctx, index).translated
	if state := e.state(); state != nil {
		locales = state.Languages()
	}
	for _, want := range e.options.Languages {
		if matching(locales, want) == "" {
			return fmt.Errorf("pages: no text is in the language %s: use %s", want, wording.Or(locales))
		}
	}
	locales = e.offered(locales)
	var next []target
	if state := e.state(); state != nil {
		for _, f := range lists.Formats() {
			next = append(next, target{path: formatPath(f), root: true})
		}
		for _, d := range state.Documents() {
			lang := cmp.Or(matching(locales, state.LanguagesOf(d)[0]), locales[0])
			for _, slug := range append([]string{d.Slug}, d.Slugs...) {
				next = append(next, target{path: documentPrefix + slug, lang: lang, printed: true})
			}
		}
	}
	for _, locale := range locales {
		next = append(next, target{path: "/", lang: locale})
	}
	next = s.unseen(next)
	for len(next) > 0 {
		if next, err = s.pages(ctx, next); err != nil {
			return err
		}
	}
	if err := s.root(locales); err != nil || !e.absolute() {
		return err
	}
	for _, f := range e.sitemap(s.listed()) {
		if err := s.write(f.name, f.body); err != nil {
			return err
		}
	}
	return nil
}

// offered returns the languages of a list that pages offer.
func (e *Handler) offered(locales []string) []string {
	if e.options.Languages == nil {
		return locales
	}
	return slices.DeleteFunc(slices.Clone(locales), func(locale string) bool {
		return !slices.ContainsFunc(e.options.Languages, func(want string) bool { return matching([]string{locale}, want) != "" })
	})
}

// site is a site that is being written.
type site struct {
	handler *Handler
	api     http.Handler
	seen    map[string]bool // by file name
	finder  *siteModule

	mu    sync.Mutex
	write func(name string, body []byte) error
}

// target is something that a page links to: another page, or a resource of the API if it
// has no language.
type target struct {
	path  string
	state string // encoded
	lang  string
	// extension is that of a page which is not HTML.
	extension string
	// root means a page that is the same in all languages, and printed the page of a
	// document that printed codes lead to.
	root, printed bool
	scripted      bool
}

// pages writes pages and returns what they link to and has not been written.
func (s *site) pages(ctx context.Context, list []target) ([]target, error) {
	found := make([][]target, len(list))
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(list), func(_, i int) error {
		var body []byte
		var err error
		switch t := list[i]; {
		case t.lang != "" || t.root || t.printed:
			body, found[i], err = s.page(ctx, t)
		default:
			body, err = s.fetch(ctx, t.path)
		}
		if err != nil {
			return fmt.Errorf("pages: %s: %w", list[i].path, err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		found[i] = slices.Clone(s.unseen(found[i])) // a few of hundreds
		return s.write(list[i].file(), body)
	})
	return slices.Concat(found...), err
}

// unseen returns the targets that were not seen before, each once.
func (s *site) unseen(list []target) []target {
	return slices.DeleteFunc(list, func(t target) bool {
		name := t.file()
		known := s.seen[name]
		s.seen[name] = true
		return known
	})
}

// page renders a page and returns what it links to.
func (s *site) page(ctx context.Context, t target) ([]byte, []target, error) {
	u, err := url.Parse(t.path)
	if err != nil {
		return nil, nil, err
	}
	q, err := s.handler.sitePage(ctx, u, t.lang)
	if err != nil {
		return nil, nil, err
	}
	q.params, _ = url.ParseQuery(t.state) // it was encoded by us
	links := &siteLinks{handler: s.handler, from: t.file(), lang: q.asked, finder: s.finder}
	q.links = links
	c, err := q.page.build(q)
	if err != nil {
		return nil, nil, err
	}
	if strings.Contains(c.JSON, "?") {
		c.JSON = "" // only a server can answer that
	}
	body := c.Body
	if c.Write != nil {
		var b bytes.Buffer
		err = c.Write(&b)
		body = b.Bytes()
	} else if body == nil {
		body, err = q.render(c)
	}
	if err == nil {
		err = s.assets(links.used)
	}
	return body, links.found, err
}

// sitePage opens the version of a page of a site, in a language.
func (e *Handler) sitePage(ctx context.Context, path *url.URL, lang string) (*request, error) {
	p, of := e.find(path)
	if p == nil {
		return nil, noPage()
	}
	q, err := e.prepare(ctx, p, of)
	if err != nil {
		return nil, err
	}
	if q.schema == nil && !p.register {
		q.locales = e.overview(ctx, q.index).translated // each language is a copy of the site
	}
	q.locale = cmp.Or(matching(q.locales, lang), q.locales[0])
	q.asked = cmp.Or(lang, q.locale)
	q.texts, q.words = phrases.NewChooser(q.locales, q.locale), wordsIn(q.locale)
	return q, nil
}

// assets writes the style sheets and scripts that a page uses.
func (s *site) assets(names []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		file := assetPrefix[1:] + s.handler.assets().names[name]
		if s.seen[file] {
			continue
		}
		s.seen[file] = true
		if err := s.write(file, s.handler.assets().answers[s.handler.assets().names[name]].Body()); err != nil {
			return err
		}
	}
	return nil
}

// fetch returns a resource of the API.
func (s *site) fetch(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.handler.options.API+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	res := &fetched{header: make(http.Header), status: http.StatusOK}
	s.api.ServeHTTP(res, r)
	if res.status != http.StatusOK {
		return nil, fmt.Errorf("the API answered %d %s", res.status, http.StatusText(res.status))
	}
	return res.body.Bytes(), nil
}

// fetched is an [http.ResponseWriter] that keeps the response.
type fetched struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (f *fetched) Header() http.Header         { return f.header }
func (f *fetched) WriteHeader(status int)      { f.status = status }
func (f *fetched) Write(p []byte) (int, error) { return f.body.Write(p) }

// root writes the first page of the site, which leads to the languages.
func (s *site) root(locales []string) error {
	links := &siteLinks{handler: s.handler, from: "index.html", lang: locales[0]}
	var list []choice
	for _, locale := range locales {
		list = append(list, choice{Name: endonym(locale), Lang: locale, URL: links.page("/", nil, locale)})
	}
	var b bytes.Buffer
	err := s.handler.templates[&rootPage].execute(&b, "root", map[string]any{
		"Title": dictionary().In("en").Word("layout.site"), "Style": links.asset("explorer.css"), "Languages": list,
	})
	if err != nil {
		return err
	}
	return s.write("index.html", b.Bytes())
}

// listed returns the addresses of the pages of the site, but none of documents that are gone.
func (s *site) listed() []string {
	base := s.handler.baseURL()
	addresses := []string{base + "/index.html"}
	state := s.handler.state()
	gone := func(name string) bool {
		_, below, found := strings.Cut(name, documentPrefix)
		if state == nil || !found {
			return false
		}
		slug, _, _ := strings.Cut(strings.TrimSuffix(below, ".html"), "/")
		d, ok := state.Document(slug)
		return ok && d.Gone()
	}
	for _, name := range slices.Sorted(maps.Keys(s.seen)) {
		if strings.HasSuffix(name, ".html") && !strings.HasPrefix(name, documentPrefix[1:]) && !gone(name) {
			addresses = append(addresses, base+"/"+name)
		}
	}
	return addresses
}

// rootPage has the template of the first page of a site.
var rootPage = page{name: "root"}

// siteLinks are the links between static files. They are relative, and remember what
// they lead to.
type siteLinks struct {
	handler *Handler
	from    string // the file that has the links
	lang    string
	finder  *siteModule // nil if the site can't be searched
	// states means that states are in queries, which a script reads, not in files. If form is
	// the path of a page, the script stays on it, whatever its language is: home is that of
	// the file.
	states     bool
	form, home string
	found      []target
	used       []string // assets
}

func (l *siteLinks) page(path string, state url.Values, lang string) string {
	if lang == "" {
		lang = l.lang
	}
	t := l.target(path, lang)
	if t.root {
		state = nil
	}
	switch {
	case l.form == path && path != "":
		if lang != l.home {
			state = with(state, "lang", lang)
		}
		return l.to(l.from) + encoded(state)
	case l.states || t.scripted:
		if !l.states {
			l.found = append(l.found, t)
		}
		return l.to(t.file()) + encoded(state)
	}
	t.state = state.Encode()
	l.found = append(l.found, t)
	return l.to(t.file())
}

// target returns a page in a language.
func (l *siteLinks) target(path, lang string) target {
	t := target{path: path, lang: lang}
	if p, _ := l.handler.find(&url.URL{Path: path}); p != nil {
		t.scripted = p.scripted
		if t.extension, t.root = p.extension, p.unlocalized; t.root {
			t.lang = ""
		}
	}
	return t
}

func (l *siteLinks) asset(name string) string {
	l.used = append(l.used, name)
	return l.to(assetPrefix[1:] + l.handler.assets().names[name])
}

func (l *siteLinks) api(path string) string {
	t := target{path: path}
	l.found = append(l.found, t)
	return l.to(t.file())
}

func (l *siteLinks) canonical(path string, state url.Values, lang string) string {
	base := l.handler.baseURL()
	if base == "" {
		return ""
	}
	t := l.target(path, cmp.Or(lang, l.lang))
	t.state = state.Encode()
	return base + "/" + t.file()
}

// editor returns "", since checking documents needs a server.
func (l *siteLinks) editor() string { return "" }

func (l *siteLinks) live() bool { return false }

func (l *siteLinks) forms() bool { return l.finder != nil || l.form != "" }

// to returns the relative address of a file.
func (l *siteLinks) to(file string) string {
	from, segments := strings.Split(l.from, "/"), strings.Split(file, "/")
	same := 0
	for same < min(len(from), len(segments))-1 && from[same] == segments[same] {
		same++
	}
	up := strings.Repeat("../", len(from)-1-same)
	return (&url.URL{Path: up + strings.Join(segments[same:], "/")}).String()
}

// file returns the name of the file of a target. Windows can't create files and directories
// with the names of its devices, whatever their extension: the first letter is escaped.
func (t target) file() string {
	name := t.name()
	if t.printed || t.root {
		return name // the address is known elsewhere
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if stem, _, _ := strings.Cut(part, "."); ident.IsDevice(stem) {
			parts[i] = fmt.Sprintf("+%02x", part[0]) + part[1:]
		}
	}
	return strings.Join(parts, "/")
}

// name returns the name of the file for other systems.
func (t target) name() string {
	if t.printed {
		return t.path[1:] + "/index.html"
	}
	if t.root {
		return t.path[1:]
	}
	if t.lang == "" {
		return "api" + apiFile(t.path)
	}
	parts := []string{cmp.Or(strings.TrimSuffix(strings.Trim(t.path, "/"), t.extension), "index")}
	state, _ := url.ParseQuery(t.state) // it was encoded by us
	for _, key := range slices.Sorted(maps.Keys(state)) {
		parts = append(parts, fileName(key)+"="+fileName(strings.Join(state[key], ",")))
	}
	return fileName(t.lang) + "/" + strings.Join(parts, "~") + cmp.Or(t.extension, ".html")
}

// apiFile returns the name of the file of a resource of the API. An element has a file and
// a directory of its icons, whatever its id ends with.
func apiFile(path string) string {
	parts := strings.Split(path, "/") // "", "schemas", version, "elements", id, icon
	if len(parts) > 4 && parts[3] == "elements" {
		if stem, ok := strings.CutSuffix(parts[4], ".json"); ok {
			parts[4] = stem + "+2ejson"
		}
		path = strings.Join(parts, "/")
	}
	if len(parts) == 6 || strings.HasSuffix(path, ".json") {
		return path
	}
	return path + ".json"
}

// fileName returns a text with nothing that file systems and web servers treat
// differently.
func fileName(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '@', c == ',':
			b.WriteByte(c)
		default:
			const hex = "0123456789abcdef"
			b.Write([]byte{'+', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
