package explorer

import (
	"maps"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
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
	// canonical returns the address of a page for search engines and for paper, or ""
	// if it is not known.
	canonical(path string, state url.Values) string
	// picture returns the absolute address of a picture.
	picture(path string) string
	// live reports whether a server answers forms.
	live() bool
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

func (l *serverLinks) api(path string) string { return l.explorer.base + l.explorer.API + path }

func (l *serverLinks) canonical(path string, state url.Values) string {
	return l.explorer.BaseURL + path + encoded(state)
}

func (l *serverLinks) picture(path string) string { return l.canonical(path, nil) }

func (l *serverLinks) live() bool { return true }

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

// hidden returns the fields that keep the language when a form is sent. Static files have
// it in their path.
func (q *request) hidden() []hidden {
	if q.asked == "" || !q.links.live() {
		return nil
	}
	return []hidden{{"lang", q.asked}}
}

// The paths of pages.

const (
	catalogPattern  = "/t/{version}"
	categoryPattern = catalogPattern + "/c/{id}"
	elementPattern  = catalogPattern + "/e/{id}"
)

func catalogPath(v taxonomy.Version) string { return "/t/" + url.PathEscape(v.String()) }

func categoryPath(v taxonomy.Version, id string) string {
	return catalogPath(v) + "/c/" + url.PathEscape(id)
}

func elementPath(v taxonomy.Version, id string) string {
	return catalogPath(v) + "/e/" + url.PathEscape(id)
}

// apiPath is the path of a version below that of the API.
func apiPath(v taxonomy.Version) string { return "/schemas/" + url.PathEscape(v.String()) }

// languages are the languages of a page, each with the address of the page in it.
func (q *request) languages(c *content) []choice {
	list := make([]choice, 0, len(q.locales))
	for _, locale := range q.locales {
		list = append(list, choice{
			Name: tongueOf(locale), Lang: locale, URL: q.links.page(c.Path, c.State, locale), Current: locale == q.locale,
		})
	}
	return list
}

// tongueOf returns the name of a language in itself, with its code if it is one of
// several of a language, such as pt-BR.
func tongueOf(locale string) string {
	name := texts.Tongue(locale)
	if strings.Contains(locale, "-") && name != locale {
		return name + " (" + locale + ")"
	}
	return name
}
