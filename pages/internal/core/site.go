// Package core is what all pages have in common: the table of pages, the request that a page is made
// of, its languages, texts and links, lists, forms, the layout and its style sheet. It is handed the
// pages by rooms, the packages beside it with one subject each, and knows none of them. What asks for
// pages lies beside it, too: package live serves them, package static writes them.
package core

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/register"
)

// Options are what all pages depend on. They have been completed: there are no defaults here.
type Options struct {
	// BaseURL is where people reach the pages, or only its path, without a slash at its end.
	BaseURL string
	// API is the path of the REST API below BaseURL, and MCP that of the MCP server, or "".
	API, MCP string
	// Register is the register whose documents have pages, or nil.
	Register *register.Register
	// Languages are those that pages offer; nil means all that their texts have.
	Languages []string
	// MaxBody is the size of the largest document that a form takes.
	MaxBody int64
	// Built has the files of the editor, or is nil.
	Built fs.FS
}

// Room is the pages about one subject, with the style sheets and scripts that only they use, by name.
type Room struct {
	Pages  []*Page
	Assets func() map[string][]byte
}

// Site is all pages of a service.
type Site struct {
	Options

	Service *datachain.Service
	// Base is the path of BaseURL.
	Base   string
	Pages  []*Page
	Assets func() *Assets // read when the first page is made
	Editor Editor

	routes    *http.ServeMux
	overviews atomic.Pointer[Overview]
}

//go:embed *.html *.css *.js *.svg
var files embed.FS

// New returns the site that some rooms have.
func New(service *datachain.Service, o Options, rooms ...Room) (*Site, error) {
	base, err := httpcache.BasePath(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	s := &Site{Options: o, Service: service, Base: base, Editor: newEditor(o.Built)}
	own := Room{Assets: func() map[string][]byte {
		list := Files(files)()
		list[mainStyle] = append([]byte(style.CSS), list[mainStyle]...)
		return list
	}}
	rooms = append(rooms, own)
	for _, r := range rooms {
		s.Pages = append(s.Pages, r.Pages...)
	}
	s.routes = newRoutes(s.Pages)
	s.Assets = sync.OnceValue(func() *Assets { return newAssets(rooms) })
	return s, nil
}

// State returns what the register publishes, or nil if there is nothing.
func (s *Site) State() *register.State {
	if s.Register == nil {
		return nil
	}
	if state := s.Register.State(); len(state.Documents()) > 0 {
		return state
	}
	return nil
}

// Offered returns the languages of a list that pages offer.
func (s *Site) Offered(locales []string) []string {
	if s.Languages == nil {
		return locales
	}
	return slices.DeleteFunc(slices.Clone(locales), func(locale string) bool {
		return !slices.ContainsFunc(s.Languages, func(want string) bool { return Matching([]string{locale}, want) != "" })
	})
}

// PublicURL returns the public base URL: that of the options, or else of the register. It may
// be only a path.
func (s *Site) PublicURL() string {
	if state := s.State(); state != nil && !strings.HasPrefix(s.BaseURL, "http") && state.Settings().URL != "" {
		return state.Settings().URL
	}
	return s.BaseURL
}

// Absolute reports whether the public base URL has a host.
func (s *Site) Absolute() bool { return strings.HasPrefix(s.PublicURL(), "http") }
