package core

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Wildcards are the values of the wildcards of a pattern.
type Wildcards struct{ Version, ID, Edition string }

// newRoutes returns the pages by path, for an [http.ServeMux] to find. Patterns are its own, but a
// wildcard can be the beginning of the last segment: what follows it, such as .json, chooses among the
// pages with a pattern.
func newRoutes(pages []*Page) *http.ServeMux {
	mux, routes := http.NewServeMux(), make(map[string]*route)
	for _, p := range pages {
		pattern, suffix := p.Pattern, ""
		if end := strings.LastIndexByte(pattern, '}') + 1; end > 0 && !strings.Contains(pattern[end:], "/") {
			pattern, suffix = pattern[:end], pattern[end:]
		}
		if pattern == "/" {
			pattern = "/{$}"
		}
		if routes[pattern] == nil {
			routes[pattern] = new(route)
			mux.Handle(pattern, routes[pattern])
		}
		*routes[pattern] = append(*routes[pattern], suffixed{p, suffix})
	}
	return mux
}

// route is the pages with a pattern. The first one that the path fits is found.
type route []suffixed

// suffixed is a page with what follows the last wildcard of its pattern.
type suffixed struct {
	page   *Page
	suffix string
}

// ServeHTTP finds a page, which it leaves in a *match.
func (t *route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m, ok := w.(*match)
	if !ok {
		return
	}
	of := Wildcards{Version: r.PathValue("version"), ID: r.PathValue("id"), Edition: r.PathValue("edition")}
	for _, s := range *t {
		id, fits := strings.CutSuffix(of.ID, s.suffix)
		if fits && (m.registered || !s.page.Register) && (s.page.Pattern != "/" || s.page.Register == m.registered) {
			m.page, m.of = s.page, of
			m.of.ID = id
			return
		}
	}
}

// match takes what a ServeMux answers: a page, or nothing. Redirects to another path and failures are
// nothing, too.
type match struct {
	registered bool
	page       *Page
	of         Wildcards
}

func (*match) Header() http.Header            { return make(http.Header) }
func (*match) WriteHeader(int)                {}
func (*match) Write(text []byte) (int, error) { return len(text), nil }

// Find returns the page of a path, and the values of its wildcards. With documents, the
// start page is the register, and the taxonomies have a page of their own.
func (s *Site) Find(u *url.URL) (*Page, Wildcards) {
	if path, ok := strings.CutSuffix(u.Path, "/"); ok && strings.HasPrefix(path, DocumentPrefix) {
		u = &url.URL{Path: path} // printed codes end with a slash, for static hosts
	}
	m := &match{registered: s.State() != nil}
	s.routes.ServeHTTP(m, &http.Request{Method: http.MethodGet, URL: u})
	for _, value := range []string{m.of.Version, m.of.ID, m.of.Edition} {
		if value == "." || value == ".." {
			return nil, Wildcards{}
		}
	}
	return m.page, m.of
}

// UnknownPath is the error for a path that no page has. It suggests pages whose paths are similar.
func (s *Site) UnknownPath(path string) error {
	registered := s.State() != nil
	known := func(yield func(string) bool) {
		for _, p := range s.Pages {
			fixed := !p.File && !strings.Contains(p.Pattern, "{")
			short := len(p.Pattern) <= len(RegisterPath) // every other short path is similar
			if fixed && !short && (registered || !p.Register) && !yield(p.Pattern) {
				return
			}
		}
	}
	none := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no page at this address."},
		Kind:  datachain.KindUnknown, Param: "path", Known: similar.AllNearest(path, known, maxNear), Err: taxonomy.ErrNotFound,
	}
	if len(none.Known) > 0 {
		none.Issue.FixHint = "use " + s.Base + none.Known[0]
	}
	return none
}

// maxNear is how many pages a failure suggests.
const maxNear = 3
