package core

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Scope is the dot of a template.
type Scope struct {
	*Content
	*Request
	// Dir is the direction of the page, which is that of its texts.
	Dir string
	// D is the data of the page.
	D any
}

// Scope returns the dot for the templates of a page.
func (q *Request) Scope(c *Content) *Scope {
	return &Scope{Content: c, Request: q, Dir: i18n.Direction(q.Locale), D: c.Data}
}

// Canonical returns the address of the page without a language, as search engines want
// it.
func (s *Scope) Canonical() string {
	return s.Links.Canonical(s.Path, s.State, "")
}

// Comma separates the items of a list.
func (s *Scope) Comma() string { return phrases.In(s.Lang).Comma }

// Before returns a name with a colon, for a text that follows it. A question has none.
func (s *Scope) Before(name phrases.Text) template.HTML {
	switch {
	case name.Empty():
		return ""
	case strings.HasSuffix(name.Value, "?"), strings.HasSuffix(name.Value, "؟"):
		return name.HTML() + " "
	}
	return name.HTML() + template.HTML(s.Word("colon")+" ") //nolint:gosec // our own
}

// UI returns the attributes of the words of the page inside a text in another language.
func (s *Scope) UI() template.HTMLAttr {
	return template.HTMLAttr(` lang="` + s.Lang + `" dir="` + i18n.Direction(s.Lang) + `"`) //nolint:gosec // our own
}

// OGLocale returns the language of the page as Open Graph writes it.
func (s *Scope) OGLocale() string { return strings.ReplaceAll(s.Locale, "-", "_") }

// To returns the address of another page, with pairs of the names and values of its state.
func (s *Scope) To(path string, state ...string) string {
	values := make(url.Values, len(state)/2)
	for i := 0; i+1 < len(state); i += 2 {
		values.Set(state[i], state[i+1])
	}
	return s.Request.To(path, values)
}

// VersionURL returns the address of a version.
func (s *Scope) VersionURL(v taxonomy.Version) string { return s.To(CatalogPath(v)) }

// SeverityName names the severity of a finding.
func (s *Scope) SeverityName(of issue.Severity) string {
	if of == issue.SeverityWarning {
		return s.Word("codes.warning")
	}
	return s.Word("codes.error")
}

// Link returns an address of the taxonomy, if it is safe to follow.
func (s *Scope) Link(address string) weblink.Link { return weblink.New(address, "https", "http") }

// Asset returns the address of a style sheet or script.
func (s *Scope) Asset(name string) string { return s.Links.Asset(name) }

// MCP returns the address of the MCP server, or "".
func (s *Scope) MCP() string {
	if s.Site.MCP != "" {
		return s.Site.Base + s.Site.MCP
	}
	return ""
}

// Below returns the scope for a part of the data.
func (s *Scope) Below(data any) *Scope {
	part := *s
	part.D = data
	return &part
}

// Live reports whether a server answers forms and fetches parts of pages.
func (s *Scope) Live() bool { return s.Links.Live() }

// Forms reports whether a server or a script answers forms.
func (s *Scope) Forms() bool { return s.Links.Forms() }

// Script returns what the script needs to search the page without a server, as JSON, or "".
func (s *Scope) Script() string { return s.Links.Search(s) }

// Searches reports whether the page can be searched: by a server, or by the script.
func (s *Scope) Searches() bool { return s.Live() || s.Script() != "" }

// Here returns the address that a form of the page itself is sent to.
func (s *Scope) Here() string { return s.FormURL(s.Path) }

// Hidden returns the fields that keep the language when a form is sent. Static files have it
// in their path.
func (s *Scope) Hidden() []Hidden {
	if s.Asked == "" || !s.Live() {
		return nil
	}
	return []Hidden{{"lang", s.Asked}}
}

// Languages are the languages in which the page can be shown, each with its address, and a note if it
// lacks texts.
func (s *Scope) Languages() []Choice {
	q, state := s.Request, s.State
	if s.Sign != "" {
		state = With(state, "s", s.Sign)
	}
	var list []Choice
	for _, locale := range q.Site.Offered(q.Locales) {
		choice := Choice{Name: Endonym(locale), Lang: locale, URL: q.Links.Page(s.Path, state, locale), Current: locale == q.Locale}
		if slices.Contains(s.Missing, locale) {
			choice.Note = s.Word("layout.partly")
		}
		list = append(list, choice)
	}
	return list
}

// Language is the name of the current language, in its own words.
func (s *Scope) Language() string { return Endonym(s.Locale) }

// LanguageCode is the code of the current language.
func (s *Scope) LanguageCode() string {
	language, _, _ := strings.Cut(s.Locale, "-")
	return strings.ToUpper(language)
}

// Citizen reports whether the page is for those whom documents are about, not a tool for authors.
func (s *Scope) Citizen() bool { return s.Register != nil && s.Section == RegisterPath }

// Tabs are the entries of the navigation, which only tools have.
func (s *Scope) Tabs() []Choice {
	return s.choices([]Choice{
		{URL: ComposePath, Name: s.Word("compose.title")},
		{URL: PlayPath, Name: s.Word("layout.check")},
		{URL: s.Taxonomies(), Name: s.Word("layout.taxonomies")},
		{URL: ComparePath, Name: s.Word("compare.title")},
		{URL: DocsPath, Name: s.Word("layout.docs")},
	})
}

// Authors are the tools that the foot of every page leads to.
func (s *Scope) Authors() []Choice {
	return s.choices([]Choice{
		{URL: ComposePath, Name: s.Word("compose.title")}, {URL: PlayPath, Name: s.Word("layout.check")}, {URL: s.Taxonomies(), Name: s.Word("layout.taxonomies")},
	})
}

// choices turns the patterns of pages into addresses, and leaves out pages that there are not.
func (s *Scope) choices(list []Choice) []Choice {
	list = slices.DeleteFunc(list, func(c Choice) bool { return !s.Has(c.URL) })
	for i := range list {
		c := &list[i]
		c.Current = c.URL == s.Section
		if c.URL == ComparePath && s.Register != nil && s.Live() {
			first, second := s.FirstPair() // without versions it compares documents
			c.URL = s.Request.To(ComparePath, url.Values{"old": {first}, "new": {second}})
			continue
		}
		c.URL = s.To(c.URL)
	}
	return list
}

// Brand is the name in the header, and Above what is written above it: the publisher above the
// register, or the register above its tools. On the first page of a register the name is that of
// the publisher, because the title follows.
func (s *Scope) Brand() phrases.Text {
	switch publisher := s.publisher(); {
	case s.Register == nil:
		return s.SiteName()
	case !s.Citizen():
		return s.Own(s.Word("layout.tools"))
	case s.Path == RegisterPath && !publisher.Empty():
		return publisher
	default:
		return s.SiteName()
	}
}

// Above is what stands above the name of the site, or nothing.
func (s *Scope) Above() phrases.Text {
	switch {
	case s.Register == nil || s.Citizen() && s.Path == RegisterPath:
		return phrases.Text{}
	case s.Citizen():
		return s.publisher()
	default:
		return s.SiteName()
	}
}

func (s *Scope) publisher() phrases.Text {
	if s.Register == nil {
		return phrases.Text{}
	}
	return s.Text(s.Register.Settings().Publisher.Name)
}

// Logo is the address of the publisher's logo, or "".
func (s *Scope) Logo() string {
	if s.Register == nil || s.Register.Settings().Publisher.Logo == nil {
		return ""
	}
	return s.To(LogoPath)
}

// Alternates are the absolute addresses of the page in its languages, for search engines.
func (s *Scope) Alternates() []Choice {
	q := s.Request
	if !q.Page.Register || s.Unlisted || !q.Site.Absolute() {
		return nil
	}
	var list []Choice
	for _, locale := range q.Site.Offered(q.Locales) {
		list = append(list, Choice{Lang: locale, URL: q.Links.Canonical(s.Path, s.State, locale)})
	}
	return list
}
