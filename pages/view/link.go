package view

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// link is a link that is safe to follow.
type link struct {
	// URL is its address, or "" if it is only shown as text.
	URL template.URL
	// Host is the host of a web address, as shown.
	Host string
}

// webLink returns a link to an absolute web address with one of the schemes.
func webLink(address string, schemes ...string) link {
	l := weblink.New(address, schemes...)
	return link{template.URL(l.URL), l.Host} //nolint:gosec // the scheme was checked
}

// mailLink and phoneLink return links to an email address and a telephone number.
func mailLink(address string) link { return link{URL: template.URL(weblink.Mail(address))} } //nolint:gosec // escaped
func phoneLink(number string) link { return link{URL: template.URL(weblink.Phone(number))} } //nolint:gosec // digits only

// action is an action of a placement.
type action struct {
	Kind          string // the type, if it is known
	Label, Target template.HTML
	link
}

// actions returns the actions of a placement, which belong to a text in a language.
func (pg *page) actions(list []taxonomy.Action, within string) []action {
	shown := make([]action, len(list))
	for i, a := range list {
		shown[i] = action{Kind: a.Type, Label: pg.label(a.Label, within).HTML(), Target: phrases.Raw(a.Target).HTML()}
		switch a.Type {
		case "email":
			shown[i].link = mailLink(a.Target)
		case "phone":
			shown[i].link = phoneLink(a.Target)
		case "url", "form":
			shown[i].link = webLink(a.Target, "https")
		case "postal":
		default:
			shown[i].Kind = ""
		}
	}
	return shown
}

// source is the source of a statement.
type source struct {
	Title, Citation template.HTML
	// Credit is the attribution and the licence.
	Credit template.HTML
	link
}

// credit joins the attribution and the licence of a source.
func credit(s taxonomy.Source) string {
	if s.Attribution == "" || s.Licence == "" {
		return s.Attribution + s.Licence
	}
	return s.Attribution + " · " + s.Licence
}

func newSources(list []taxonomy.Source) []source {
	shown := make([]source, len(list))
	for i, s := range list {
		shown[i] = source{phrases.Raw(cmp.Or(s.Title, s.URL)).HTML(), phrases.Raw(s.Citation).Block(), phrases.Raw(credit(s)).Block(), webLink(s.URL, "https", "http")}
	}
	return shown
}

// contacts finds what a text contains once, because the description of an element repeats the
// values that are listed.
func (m *markup) contacts(s string) []weblink.Contact {
	found, ok := m.found[s]
	if !ok {
		if m.found == nil {
			m.found = make(map[string][]weblink.Contact)
		}
		found = weblink.Contacts(s)
		m.found[s] = found
	}
	return found
}

// value writes the text of a value, isolated, with links to the email addresses and
// telephone numbers in it.
func (m *markup) value(t phrases.Text) {
	var found []weblink.Contact
	if !m.unlinked {
		found = m.contacts(t.Value)
	}
	if len(found) == 0 {
		m.text(t)
		return
	}
	m.open(t)
	end := 0
	for _, c := range found {
		m.WriteString(template.HTMLEscapeString(t.Value[end:c.From]))
		m.WriteString("<a ")
		if c.From == 0 && c.To == len(t.Value) {
			m.WriteString(`class="alone" `)
		}
		m.WriteString(`dir="ltr" href="` + template.HTMLEscapeString(c.URL) + `" target="_blank" rel="noreferrer noopener">`)
		// A long address continues on the next line from its @ on.
		m.WriteString(strings.Replace(template.HTMLEscapeString(t.Value[c.From:c.To]), "@", "<wbr>@", 1) + "</a>")
		end = c.To
	}
	m.WriteString(template.HTMLEscapeString(t.Value[end:]))
	m.close(t)
}

// reach returns how to reach someone by a text. If it has nothing but addresses and numbers, each of
// them is apart.
func (pg *page) reach(t phrases.Text) *contactView {
	found := weblink.Contacts(t.Value)
	rest, end := "", 0
	for _, c := range found {
		rest += t.Value[end:c.From]
		end = c.To
	}
	if rest += t.Value[end:]; len(found) == 0 || strings.Trim(rest, " ,;/|·،") != "" {
		return &contactView{Text: func(m *markup) { m.value(t) }}
	}
	v := new(contactView)
	for i, c := range found {
		one, space := t, ""
		if i > 0 {
			space = " "
		}
		if one.Value = t.Value[c.From:c.To]; i < len(found)-1 {
			one.Mark = ""
		}
		v.Each = append(v.Each, eachView{space, func(m *markup) { m.value(one) }})
	}
	return v
}

// normalize escapes the characters of a URL that have a meaning where URLs are written, as
// html/template does, and those that URLs can't have. It leaves escapes as they are.
func normalize(address string) string {
	var b strings.Builder
	b.Grow(len(address))
	for i := range len(address) {
		c := address[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("!#$&*+,/:;=?@[]-._~", c) >= 0,
			c == '%' && i+2 < len(address) && isHex(address[i+1]) && isHex(address[i+2]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
