package static

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
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/register/lists"
)

// Static writes the pages of a site as files.
type Static struct {
	// MaxSitemap is how many addresses a file of the sitemap has.
	MaxSitemap int
}

// New returns what writes sites.
func New() *Static { return &Static{maxSitemap} }

// Write writes all pages of a site, and everything that they link to.
func (s *Static) Write(ctx context.Context, of *core.Site, api http.Handler, write func(name string, body []byte) error) error {
	w := &writing{site: of, api: api, seen: make(map[string]bool), write: write}
	var err error
	if w.finder, err = w.writeModule(); err != nil {
		return err
	}
	index, err := of.Service.Versions(ctx)
	if err != nil {
		return err
	}
	locales := of.Overview(ctx, index).Translated
	if state := of.State(); state != nil {
		locales = state.Languages()
	}
	for _, want := range of.Languages {
		if core.Matching(locales, want) == "" {
			return fmt.Errorf("pages: no text is in the language %s: use %s", want, wording.Or(locales))
		}
	}
	locales = of.Offered(locales)
	next := w.unseen(first(of, locales))
	for len(next) > 0 {
		if next, err = w.pages(ctx, next); err != nil {
			return err
		}
	}
	if err := w.root(locales); err != nil || !of.Absolute() {
		return err
	}
	for _, f := range sitemap(of.PublicURL(), w.listed(), s.MaxSitemap) {
		if err := w.write(f.name, f.body); err != nil {
			return err
		}
	}
	return nil
}

// first returns the pages that lead to all others.
func first(of *core.Site, locales []string) (next []target) {
	if state := of.State(); state != nil {
		for _, f := range lists.Formats() {
			next = append(next, target{path: core.FormatPath(string(f)), root: true})
		}
		for _, d := range state.Documents() {
			lang := cmp.Or(core.Matching(locales, state.LanguagesOf(d)[0]), locales[0])
			for _, slug := range append([]string{d.Slug}, d.Slugs...) {
				next = append(next, target{path: core.DocumentPrefix + slug, lang: lang, printed: true})
			}
		}
	}
	for _, locale := range locales {
		next = append(next, target{path: "/", lang: locale})
	}
	return next
}

// writing is a site that is being written.
type writing struct {
	site   *core.Site
	api    http.Handler
	seen   map[string]bool // by file name
	finder *siteModule

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
func (w *writing) pages(ctx context.Context, list []target) ([]target, error) {
	found := make([][]target, len(list))
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(list), func(_, i int) error {
		var body []byte
		var err error
		switch t := list[i]; {
		case t.lang != "" || t.root || t.printed:
			body, found[i], err = w.page(ctx, t)
		default:
			body, err = w.fetch(ctx, t.path)
		}
		if err != nil {
			return fmt.Errorf("pages: %s: %w", list[i].path, err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		found[i] = slices.Clone(w.unseen(found[i])) // a few of hundreds
		return w.write(list[i].file(), body)
	})
	return slices.Concat(found...), err
}

// unseen returns the targets that were not seen before, each once.
func (w *writing) unseen(list []target) []target {
	return slices.DeleteFunc(list, func(t target) bool {
		name := t.file()
		known := w.seen[name]
		w.seen[name] = true
		return known
	})
}

// page renders a page and returns what it links to.
func (w *writing) page(ctx context.Context, t target) ([]byte, []target, error) {
	u, err := url.Parse(t.path)
	if err != nil {
		return nil, nil, err
	}
	q, err := open(ctx, w.site, u, t.state, t.lang)
	if err != nil {
		return nil, nil, err
	}
	links := &links{site: w.site, from: t.file(), lang: q.Asked, finder: w.finder}
	q.Links = links
	c, err := q.Page.Build(q)
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
		body, err = q.Render(c)
	}
	if err == nil {
		err = w.assets(links.used)
	}
	return body, links.found, err
}

// open opens a page of a site, in a language.
func open(ctx context.Context, of *core.Site, path *url.URL, query, lang string) (*core.Request, error) {
	p, wildcards := of.Find(path)
	if p == nil {
		return nil, core.NoPage()
	}
	q, err := of.Open(ctx, p, wildcards, query)
	if err != nil {
		return nil, err
	}
	if q.Schema == nil && !p.Register {
		q.Locales = of.Overview(ctx, q.Index).Translated // each language is a copy of the site
	}
	locale := cmp.Or(core.Matching(q.Locales, lang), q.Locales[0])
	q.Speak(locale, cmp.Or(lang, locale))
	return q, nil
}

// assets writes the style sheets and scripts that a page uses.
func (w *writing) assets(names []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		file := core.AssetPrefix[1:] + w.site.Assets().Names[name]
		if w.seen[file] {
			continue
		}
		w.seen[file] = true
		if err := w.write(file, w.site.Assets().Answers[w.site.Assets().Names[name]].Body()); err != nil {
			return err
		}
	}
	return nil
}

// fetch returns a resource of the API.
func (w *writing) fetch(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.site.API+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	res := &fetched{header: make(http.Header), status: http.StatusOK}
	w.api.ServeHTTP(res, r)
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

func (f *fetched) Header() http.Header { return f.header }

func (f *fetched) WriteHeader(status int) { f.status = status }

func (f *fetched) Write(p []byte) (int, error) { return f.body.Write(p) }

// root writes the first page of the site, which leads to the languages.
func (w *writing) root(locales []string) error {
	links := &links{site: w.site, from: "index.html", lang: locales[0]}
	var list []core.Choice
	for _, locale := range locales {
		list = append(list, core.Choice{Name: core.Endonym(locale), Lang: locale, URL: links.Page("/", nil, locale)})
	}
	var b bytes.Buffer
	err := rootTemplate.Execute(&b, "root", map[string]any{
		"Title": words.Languages().In("en").Word("layout.site"), "Style": links.Asset("explorer.css"), "Languages": list,
	})
	if err != nil {
		return err
	}
	return w.write("index.html", b.Bytes())
}

// listed returns the addresses of the pages of the site, but none of documents that are gone.
func (w *writing) listed() []string {
	base := w.site.PublicURL()
	addresses := []string{base + "/index.html"}
	state := w.site.State()
	gone := func(name string) bool {
		_, below, found := strings.Cut(name, core.DocumentPrefix)
		if state == nil || !found {
			return false
		}
		slug, _, _ := strings.Cut(strings.TrimSuffix(below, ".html"), "/")
		d, ok := state.Document(slug)
		return ok && d.Removed()
	}
	for _, name := range slices.Sorted(maps.Keys(w.seen)) {
		if strings.HasSuffix(name, ".html") && !strings.HasPrefix(name, core.DocumentPrefix[1:]) && !gone(name) {
			addresses = append(addresses, base+"/"+name)
		}
	}
	return addresses
}

// siteLinks are the links between static files. They are relative, and remember what
// they lead to.
type links struct {
	site   *core.Site
	from   string // the file that has the links
	lang   string
	finder *siteModule // nil if the site can't be searched
	// states means that states are in queries, which a script reads, not in files. If form is
	// the path of a page, the script stays on it, whatever its language is: home is that of
	// the file.
	states     bool
	form, home string
	found      []target
	used       []string // assets
}

func (l *links) Page(path string, state url.Values, lang string) string {
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
			state = core.With(state, "lang", lang)
		}
		return l.to(l.from) + core.Encoded(state)
	case l.states || t.scripted:
		if !l.states {
			l.found = append(l.found, t)
		}
		return l.to(t.file()) + core.Encoded(state)
	}
	t.state = state.Encode()
	l.found = append(l.found, t)
	return l.to(t.file())
}

// target returns a page in a language.
func (l *links) target(path, lang string) target {
	t := target{path: path, lang: lang}
	if p, _ := l.site.Find(&url.URL{Path: path}); p != nil {
		t.scripted = p.Scripted
		if t.extension, t.root = p.Extension, p.Unlocalized; t.root {
			t.lang = ""
		}
	}
	return t
}

func (l *links) Asset(name string) string {
	l.used = append(l.used, name)
	return l.to(core.AssetPrefix[1:] + l.site.Assets().Names[name])
}

func (l *links) API(path string) string {
	t := target{path: path}
	l.found = append(l.found, t)
	return l.to(t.file())
}

func (l *links) Canonical(path string, state url.Values, lang string) string {
	base := l.site.PublicURL()
	if base == "" {
		return ""
	}
	t := l.target(path, cmp.Or(lang, l.lang))
	t.state = state.Encode()
	return base + "/" + t.file()
}

// Editor returns "", since checking documents needs a server.
func (l *links) Editor() string { return "" }

func (l *links) Live() bool { return false }

func (l *links) Forms() bool { return l.finder != nil || l.form != "" }

// to returns the relative address of a file.
func (l *links) to(file string) string {
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
