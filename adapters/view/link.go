package view

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/weblink"
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

// mailLink returns a link to an email address. It must not have parameters, such as a
// subject or a body.
func mailLink(address string) link {
	address = strings.TrimSpace(cutScheme(address, "mailto:"))
	name, host, ok := strings.Cut(address, "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(address, " \t\r\n\\\"'<>`?&#%,;:()[]{}|^/") || strings.Contains(host, "@") {
		return link{}
	}
	return link{URL: template.URL("mailto:" + url.PathEscape(name) + "@" + url.PathEscape(host))} //nolint:gosec // escaped
}

// phoneLink returns a link to a telephone number in any common notation.
func phoneLink(number string) link {
	number = cutScheme(strings.TrimSpace(number), "tel:")
	if strings.HasPrefix(number, "+") { // the trunk prefix is dialled only inside the country
		number = strings.Replace(number, "(0)", "", 1)
	}
	var digits strings.Builder
	first := true
	for _, r := range number {
		switch {
		case strings.ContainsRune(" \u00A0\u202F\u2009", r):
			continue
		case '0' <= r && r <= '9', r == '+' && first:
			digits.WriteRune(r)
		case strings.ContainsRune("-./()", r):
		default:
			return link{}
		}
		first = false
	}
	if n := len(strings.TrimPrefix(digits.String(), "+")); n < 2 || n > 20 {
		return link{}
	}
	return link{URL: template.URL("tel:" + digits.String())} //nolint:gosec // digits only
}

func cutScheme(s, scheme string) string {
	if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
		return s[len(scheme):]
	}
	return s
}

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
		shown[i] = action{Kind: a.Type, Label: pg.label(a.Label, within).html(), Target: plain(a.Target).html()}
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
		shown[i] = source{plain(cmp.Or(s.Title, s.URL)).html(), plain(s.Citation).block(), plain(credit(s)).block(), webLink(s.URL, "https", "http")}
	}
	return shown
}
