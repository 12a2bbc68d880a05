package core

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/phrases"
)

// Publisher is what the publisher of the register says on every page.
type Publisher struct {
	Name     phrases.Text
	URL      string
	Contacts []contact
	Address  phrases.Text
	Links    []Named // about the register
	// Line is the name, the email address and the telephone number, for the foot of sheets of paper.
	Line string
}

// contact is a way to reach the publisher.
type contact struct {
	Name template.HTML
	URL  template.URL
}

// Publisher returns the publisher of the register, or nil.
func (s *Scope) Publisher() *Publisher {
	q := s.Request
	if q.Register == nil {
		return nil
	}
	settings, w := q.Register.Settings(), q.Words
	to := &settings.Publisher.Contact
	p := &Publisher{Name: q.Text(settings.Publisher.Name), URL: webAddress(settings.Publisher.ID), Address: q.Text(to.Address)}
	line := slices.DeleteFunc([]string{p.Name.Value, to.Email, to.Phone}, func(s string) bool { return s == "" })
	p.Line = strings.Join(line, " · ")
	for _, c := range []struct{ scheme, name string }{{"mailto:", to.Email}, {"tel:", to.Phone}} {
		if c.name != "" {
			name := template.HTML(strings.Replace(template.HTMLEscapeString(c.name), "@", "<wbr>@", 1))                                  //nolint:gosec // escaped
			p.Contacts = append(p.Contacts, contact{name, template.URL(c.scheme + url.PathEscape(strings.ReplaceAll(c.name, " ", "")))}) //nolint:gosec // escaped
		}
	}
	if u := webAddress(to.URL); u != "" {
		p.Links = append(p.Links, Named{Name: q.Own(w.Word("layout.contactpage")), URL: u})
	}
	if text := q.Text(settings.Accessibility); webAddress(text.Value) != "" {
		p.Links = append(p.Links, Named{Name: q.Own(w.Word("register.accessibility")), URL: text.Value})
	} else if !text.Empty() {
		p.Links = append(p.Links, Named{Name: text})
	}
	if name := settings.Licence.Name; name != "" {
		p.Links = append(p.Links, Named{Name: q.Own(w.Word("register.licence") + w.Word("colon") + " " + name), URL: webAddress(settings.Licence.URL), Note: "license"})
	}
	return p
}

// webAddress returns an address of the web, or "" if it is another one.
func webAddress(s string) string {
	if ident.IsURL(s) {
		return s
	}
	return ""
}
