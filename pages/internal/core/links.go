package core

import (
	"net/url"
)

// Links makes all addresses on pages. A server has one form, files on a web host
// another, with relative links and the language in the path.
type Links interface {
	// Page returns the address of a page with its state, in a language; "" is that
	// of the current page.
	Page(path string, state url.Values, lang string) string
	// Asset returns the address of a style sheet or script.
	Asset(name string) string
	// Editor returns the address of the editor's script, or "" if it was not built.
	Editor() string
	// API returns the address of a resource of the API.
	API(path string) string
	// Canonical returns the address of a page for search engines and for paper, in a
	// language if one is given, or "" if it is not known.
	Canonical(path string, state url.Values, lang string) string
	// Live reports whether a server answers forms, and Forms whether it or a script does.
	Live() bool
	Forms() bool
	// Search returns what the script needs to search the page without a server, as
	// JSON, or "".
	Search(s *Scope) string
}

// Encoded returns the query string of a state.
func Encoded(state url.Values) string {
	if len(state) == 0 {
		return ""
	}
	return "?" + state.Encode()
}
