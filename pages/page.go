package pages

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/httpcache"
)

// page is a kind of page.
type page struct {
	// name is that of its template, which is templates/<name>.html.
	name string
	// pattern is its path. The wildcards {version} and {edition} are whole segments, and
	// {id} is the beginning of one.
	pattern string
	// params are the query parameters that it depends on, besides lang and part.
	params []string
	// parts are the templates that can be asked for with part, instead of the whole page.
	parts []string
	// heavy means that the page takes long to make, so it waits for a place as documents do.
	heavy bool
	// build makes the content of the page.
	build func(*request) (*content, error)
	// unlocalized means that the page is the same in all languages. Its file in a static site
	// lies beside the directories of languages.
	unlocalized bool
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
	// post answers a form, if the page has one that is sent. A form can be times as large as its
	// document.
	post  func(*request, *form) (*httpcache.Answer, error)
	times int64
}

// pages lists the kinds of pages. The first one whose pattern matches a path is used.
func pages() []*page {
	lists := []string{"results"}
	return slices.Concat(registerPages(), documentPages(), signPages(), []*page{
		{name: "home", pattern: "/", params: []string{"q"}, parts: lists, build: buildHome},
		{name: "home", pattern: taxonomiesPath, params: []string{"q"}, parts: lists, register: true, build: buildHome},
		{name: "raw", pattern: sitemapPattern, live: true, build: buildSitemap},
		{name: "raw", pattern: sitemapPartPattern, live: true, build: buildSitemap},
		{name: "raw", pattern: "/robots.txt", live: true, build: buildRobots},
		{name: "catalog", pattern: catalogPattern, params: []string{"q", "category", "page", viewParam}, parts: lists, build: buildCatalog},
		{name: "category", pattern: categoryPattern, build: buildCategory},
		{name: "element", pattern: elementPattern, build: buildElement},
		{name: "scheme", pattern: schemePattern, params: []string{"page"}, build: buildScheme},
		{name: "compare", pattern: comparePath, params: []string{"old", "new", "category", "severity", "page", boardParam}, heavy: true, build: buildCompare},
		{name: "compare", pattern: comparePath + ".json", extension: ".json", params: []string{"old", "new", boardParam}, heavy: true, build: buildCompareJSON},
		{name: "compare", pattern: comparePath + ".md", extension: ".md", params: []string{"old", "new"}, heavy: true, build: buildCompareMarkdown},
		{name: "play", pattern: playPath, params: []string{"sample", "new"}, build: buildPlay, post: (*request).answerForm, times: 1, live: true},
		{name: "compose", pattern: composePath, params: []string{"q", "new", changeParam}, build: buildCompose, post: (*request).compose, times: formTimes, scripted: true},
		{name: "codes", pattern: codesPath, params: []string{"q"}, parts: lists, build: buildCodes},
		{name: "code", pattern: codesPath + "/{id}", build: buildCode},
		{name: "docs", pattern: docsPath, build: buildDocs},
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
	// JSON is the path below the API of what the page shows, which a static site requests
	// there, too; or "".
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
	// Article is the main element, if it is not that of the template. The page needs no
	// scripts then.
	Article template.HTML
}

// templates returns those of one kind of page. It parses them when they are first used: a
// server that is never asked for pages does not need the memory.
type templates func() (*template.Template, error)

//go:embed templates
var templateFiles embed.FS

// newTemplates returns the templates of each kind of page: the layout and its own ones.
func newTemplates(list []*page) map[*page]templates {
	shared := sync.OnceValues(func() (*template.Template, error) {
		return template.New("layout").ParseFS(templateFiles, "templates/layout.html", "templates/shared.html", "templates/version.html")
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
func (t templates) execute(w io.Writer, name string, data any) error {
	set, err := t()
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	return set.ExecuteTemplate(w, name, data)
}

// timedWriter writes until a context ends, so that what is written step by step stops then.
type timedWriter struct {
	io.Writer
	ctx context.Context //nolint:containedctx // of one page
}

func (t timedWriter) Write(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.Writer.Write(p)
}

// render makes the HTML of a page.
func (q *request) render(c *content) ([]byte, error) {
	b, _ := rendering.Get().(*bytes.Buffer)
	if b == nil {
		b = new(bytes.Buffer)
	}
	defer rendering.Put(b)
	b.Reset()
	if err := q.handler.templates[q.page].execute(timedWriter{b, q.ctx}, cmp.Or(c.Part, "layout"), q.scope(c)); err != nil {
		return nil, err // not the part that was written
	}
	return bytes.Clone(b.Bytes()), nil // pages are cached
}

// renderPart makes the HTML of a template of a page.
func (q *request) renderPart(c *content, name string) (string, error) {
	var b bytes.Buffer
	err := q.handler.templates[q.page].execute(timedWriter{&b, q.ctx}, name, q.scope(c))
	return b.String(), err
}

var rendering sync.Pool // of *bytes.Buffer

const (
	typeHTML = "text/html; charset=utf-8"
	typeSVG  = "image/svg+xml"
)

// answer builds a page and makes the answer with it.
func (q *request) answer() (*httpcache.Answer, error) {
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
	} else if ans, err = httpcache.WriteAnswer(contentType, caching, func(w io.Writer) error { return c.Write(timedWriter{w, q.ctx}) }); err != nil {
		return nil, err
	}
	ans.Status, ans.Expires = c.Status, c.Expires
	q.describe(ans)
	if contentType == typeSVG {
		c.Policy = httpcache.SVGPolicy
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
	if !q.page.unlocalized {
		ans.Varying("Accept-Language").With("Content-Language", q.locale)
	}
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
