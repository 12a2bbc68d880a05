package core

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// Request is what a page is made of. A room embeds it in a type of its own.
type Request struct {
	words.Words // in the language of the page

	Site *Site
	Ctx  context.Context //nolint:containedctx // a request is one call of Build
	Page *Page
	Wildcards
	Params url.Values
	Links  Links

	// Index is what is published, and Schema the version in the path, or nil.
	Index  *taxonomy.Index
	Schema *datachain.Schema
	// Register is what the register publishes, nil if there is none.
	Register *register.State
	// Alone means that no other version is opened to compare with.
	Alone bool
	Host  string // of a form, or ""

	// Locales are the languages in which the page can be shown, Locale is the one
	// that was chosen, and Asked is it if the address names it.
	Locales       []string
	Locale, Asked string

	texts phrases.Chooser // see Chooser
	shown phrases.Chooser // see In
	icons *int            // how many are drawn, for their ids
}

// NewRequest returns a request for a page that depends on nothing that could fail.
func (s *Site) NewRequest(ctx context.Context, p *Page) *Request {
	return &Request{Site: s, Ctx: ctx, Page: p, Register: s.State(), Index: new(taxonomy.Index), icons: new(int)}
}

// Open reads what a page with a query string is made of. Its links and its language are still to be
// chosen.
func (s *Site) Open(ctx context.Context, p *Page, of Wildcards, query string) (*Request, error) {
	q := s.NewRequest(ctx, p)
	q.Wildcards, q.Params = of, p.parameters(query)
	if p.Register && q.Register == nil {
		return nil, NoPage() // the last document was just removed
	}
	var err error
	if q.Index, err = s.Service.Versions(ctx); err != nil {
		return nil, err
	}
	if of.Version != "" {
		if q.Schema, err = s.Service.Open(ctx, of.Version); err != nil {
			return nil, err
		}
	}
	if p.Languages != nil {
		if q.Locales, err = p.Languages(q); err != nil {
			return nil, err
		}
	}
	switch {
	case len(q.Locales) > 0:
	case q.Schema != nil:
		q.Locales = q.Release().Locales()
	case p.Register:
		q.Locales = q.Register.Languages()
	default:
		q.Locales = s.Overview(ctx, q.Index).Locales
	}
	return q, nil
}

// Release returns the release of the version in the path.
func (q *Request) Release() *taxonomy.Release { return q.Schema.Release() }

// To returns the address of a page.
func (q *Request) To(path string, state url.Values) string { return q.Links.Page(path, state, "") }

// API returns the address of a resource of the API.
func (q *Request) API(path string) string { return q.Links.API(path) }

// FormURL returns the address that a form is sent to. Its fields are the state, so the
// address has none.
func (q *Request) FormURL(path string) string {
	address, _, _ := strings.Cut(q.Links.Page(path, nil, ""), "?")
	return address
}

// Has reports whether there is a page with a pattern.
func (q *Request) Has(pattern string) bool {
	return slices.ContainsFunc(q.Site.Pages, func(p *Page) bool {
		return p.Pattern == pattern && (!p.Live || q.Links.Live()) && (!p.Register || q.Register != nil)
	})
}

// Taxonomies is the path of the list of taxonomies: with documents, the start page is the
// register.
func (q *Request) Taxonomies() string {
	if q.Register != nil {
		return TaxonomiesPath
	}
	return "/"
}

// SiteName is the title of the register, or that of the pages.
func (q *Request) SiteName() phrases.Text {
	if q.Register != nil {
		if title := q.Text(q.Register.Settings().Title); !title.Empty() {
			return title
		}
		return q.Own(q.Word("register.title"))
	}
	return q.Own(q.Word("layout.site"))
}
