package pages

import (
	"html/template"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
)

// publisher is what the publisher of the register says on every page.
type publisher struct {
	Name     text
	URL      string
	Contacts []contact
	Address  text
	Links    []named // about the register
}

// contact is a way to reach the publisher.
type contact struct {
	Name template.HTML
	URL  template.URL
}

// Publisher returns the publisher of the register, or nil.
func (s *scope) Publisher() *publisher {
	q := s.request
	if q.state == nil {
		return nil
	}
	settings, w := q.state.Settings(), q.words
	to := &settings.Publisher.Contact
	p := &publisher{Name: q.text(settings.Publisher.Name), URL: webAddress(settings.Publisher.ID), Address: q.text(to.Address)}
	for _, c := range []struct{ scheme, name string }{{"mailto:", to.Email}, {"tel:", to.Phone}} {
		if c.name != "" {
			name := template.HTML(strings.Replace(template.HTMLEscapeString(c.name), "@", "<wbr>@", 1))                                  //nolint:gosec // escaped
			p.Contacts = append(p.Contacts, contact{name, template.URL(c.scheme + url.PathEscape(strings.ReplaceAll(c.name, " ", "")))}) //nolint:gosec // escaped
		}
	}
	if u := webAddress(to.URL); u != "" {
		p.Links = append(p.Links, named{Name: q.own(w.Word("layout.contactpage")), URL: u})
	}
	if text := q.text(settings.Accessibility); webAddress(text.Plain) != "" {
		p.Links = append(p.Links, named{Name: q.own(w.Word("register.accessibility")), URL: text.Plain})
	} else if !text.Empty() {
		p.Links = append(p.Links, named{Name: text})
	}
	if name := settings.Licence.Name; name != "" {
		p.Links = append(p.Links, named{Name: q.own(w.Word("register.licence") + w.Word("colon") + " " + name), URL: webAddress(settings.Licence.URL), Note: "license"})
	}
	return p
}

// logoPath is the path of the publisher's logo.
const logoPath = "/logo.svg"

// buildLogo sends the publisher's logo.
func buildLogo(q *request) (*content, error) {
	logo := q.state.Settings().Publisher.Logo
	if logo == nil {
		return nil, noPage()
	}
	return &content{Path: logoPath, Type: typeSVG, Body: logo, Caching: registerCaching}, nil
}

// webAddress returns an address of the web, or "" if it is another one.
func webAddress(s string) string {
	if ident.IsURL(s) {
		return s
	}
	return ""
}
