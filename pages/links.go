package pages

import (
	"maps"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy"
)

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
	handler *Handler
	lang    string // the one that was asked for, or ""
}

func (s *serverLinks) page(path string, state url.Values, lang string) string {
	if lang == "" {
		lang = s.lang
	}
	query := state
	if lang != "" {
		query = url.Values{"lang": {lang}}
		maps.Copy(query, state)
	}
	return s.handler.base + path + encoded(query)
}

func (s *serverLinks) asset(name string) string {
	return s.handler.base + assetPrefix + s.handler.assets().names[name]
}

func (s *serverLinks) editor() string {
	if s.handler.built == nil {
		return ""
	}
	return s.handler.base + assetPrefix + builtPrefix + editorFile
}

func (s *serverLinks) api(path string) string { return s.handler.base + s.handler.options.API + path }

func (s *serverLinks) canonical(path string, state url.Values, lang string) string {
	if lang != "" {
		state = with(state, "lang", lang)
	}
	return s.handler.baseURL() + path + encoded(state)
}

func (s *serverLinks) live() bool { return true }

func (s *serverLinks) forms() bool { return true }

func (s *serverLinks) search(*scope) string { return "" }

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

// encoded returns the query string of a state.
func encoded(state url.Values) string {
	if len(state) == 0 {
		return ""
	}
	return "?" + state.Encode()
}
