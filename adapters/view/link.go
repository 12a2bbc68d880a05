package view

import (
	"cmp"
	"html/template"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// link is an address in the world, as far as it may be followed.
type link struct {
	// URL is where it leads, "" where it leads nowhere and is only shown. Its
	// scheme is one of our own.
	URL template.URL
	// Host is the name of the place that a web address leads to.
	Host string
}

// webLink takes an address of the web: absolute, with a host, without a user and
// what no address holds, and of one of the schemes.
func webLink(address string, schemes ...string) link {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(address, "\\\"<>`") {
		return link{}
	}
	sent, shown, ok := hostOf(u)
	if !ok {
		return link{}
	}
	for _, scheme := range schemes {
		if strings.EqualFold(u.Scheme, scheme) {
			u.Scheme, u.Host = scheme, sent
			return link{template.URL(u.String()), shown} //nolint:gosec // the scheme was checked
		}
	}
	return link{}
}

// mailLink takes an address of electronic mail, without anything that would fill
// in the letter.
func mailLink(address string) link {
	address = strings.TrimSpace(cutScheme(address, "mailto:"))
	name, host, ok := strings.Cut(address, "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(address, " \t\r\n\\\"'<>`?&#%,;:()[]{}|^/") || strings.Contains(host, "@") {
		return link{}
	}
	return link{URL: template.URL("mailto:" + url.PathEscape(name) + "@" + url.PathEscape(host))} //nolint:gosec // it is escaped
}

// phoneLink takes a telephone number, as people write them.
func phoneLink(number string) link {
	number = cutScheme(strings.TrimSpace(number), "tel:")
	var digits strings.Builder
	for i, r := range strings.Map(dropSpace, number) {
		switch {
		case '0' <= r && r <= '9', r == '+' && i == 0:
			digits.WriteRune(r)
		case strings.ContainsRune("-./()", r):
		default:
			return link{}
		}
	}
	if n := len(strings.TrimPrefix(digits.String(), "+")); n < 2 || n > 20 {
		return link{}
	}
	return link{URL: template.URL("tel:" + digits.String())} //nolint:gosec // digits alone
}

func dropSpace(r rune) rune {
	if r == ' ' || r == '\u00A0' || r == '\u202F' || r == '\u2009' {
		return -1
	}
	return r
}

func cutScheme(s, scheme string) string {
	if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
		return s[len(scheme):]
	}
	return s
}

// action is what a reader can do.
type action struct {
	Kind          string // the type, where it is one of those known
	Label, Target template.HTML
	link
}

func newAction(a *taxonomy.Action) action {
	shown := action{Label: plain(a.Label).html(), Target: plain(a.Target).html()}
	switch a.Type {
	case "email":
		shown.link = mailLink(a.Target)
	case "phone":
		shown.link = phoneLink(a.Target)
	case "url", "form":
		shown.link = webLink(a.Target, "https")
	case "postal":
	default:
		return shown
	}
	shown.Kind = a.Type
	return shown
}

// source is where a statement comes from.
type source struct {
	Title, Citation template.HTML
	link
}

func newSources(list []taxonomy.Source) []source {
	shown := make([]source, len(list))
	for i, s := range list {
		shown[i] = source{plain(cmp.Or(s.Title, s.URL)).html(), plain(s.Citation).block(), webLink(s.URL, "https", "http")}
	}
	return shown
}
