package view

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// contact is an email address or a telephone number in a text.
type contact struct {
	from, to int
	url      template.URL
}

var (
	mailPattern = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]*[A-Za-z0-9])+`)
	// numberPattern matches digits in groups. A separator is one space or sign, or a
	// parenthesis with a space outside it.
	numberPattern = regexp.MustCompile(`\+?\(?[0-9](?:(?:[ \x{A0}\x{2009}\x{202F}]?\(|\)[ \x{A0}\x{2009}\x{202F}-]?|[ \x{A0}\x{2009}\x{202F}./-])?[0-9])+`)
	// groupedPattern matches telephone numbers without a trunk prefix: of North America
	// in groups of 3, 3 and 4 digits, and of countries that use three groups of 3.
	groupedPattern = regexp.MustCompile(`^(?:(?:1[-. ])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. ])[0-9]{3}[-. ][0-9]{4}|[6-9][0-9]{2}[ \x{A0}\x{202F}][0-9]{3}[ \x{A0}\x{202F}][0-9]{3})$`)
	// notPhonePattern matches dates and decimals.
	notPhonePattern = regexp.MustCompile(`[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}|^0\.[0-9]+$`)
	// phoneWordPattern matches what announces a telephone number right after it.
	phoneWordPattern = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:t[eé]l|tlf|tfno|t[eé]l[eéè]phone|tel[eé]fono?|telefone|telefoon|phone|call|appelez|llame|☎|📞)(?: (?:au|al|on))?[.:]?[ \x{A0}]?$`)
)

// maxPhoneWord is more than the bytes of the longest match of phoneWordPattern.
const maxPhoneWord = 32

// contacts finds the email addresses and telephone numbers in a text, in order.
func contacts(s string) []contact {
	found := mails(s)
	digits, first, last := 0, 0, 0
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			if digits++; digits == 1 {
				first = i
			}
			last = i
		}
	}
	if digits < minDigits {
		return found
	}
	mails := len(found)
	first = max(0, first-len("+("))
	for _, at := range numberPattern.FindAllStringIndex(s[first:last+1], -1) {
		from, to := first+at[0], first+at[1]
		if s[from] == '(' && !strings.Contains(s[from:to], ")") {
			from++
		}
		within := slices.ContainsFunc(found[:mails], func(c contact) bool { return from < c.to && c.from < to })
		if within || !alone(s, from, to) || !isPhone(s[from:to], s[:from]) {
			continue
		}
		if l := phoneLink(s[from:to]); l.URL != "" {
			found = append(found, contact{from, to, l.URL})
		}
	}
	slices.SortFunc(found, func(a, b contact) int { return cmp.Compare(a.from, b.from) })
	return found
}

// mails finds the email addresses in a text, in order. It begins at the word with the first @,
// since the pattern takes long to find that there is none.
func mails(s string) (found []contact) {
	before, _, ok := strings.Cut(s, "@")
	if !ok {
		return nil
	}
	first := 1 + strings.LastIndexByte(before, ' ')
	for _, at := range mailPattern.FindAllStringIndex(s[first:], -1) {
		from, to := first+at[0], first+at[1]
		if alone(s, from, to) {
			if l := mailLink(s[from:to]); l.URL != "" {
				found = append(found, contact{from, to, l.URL})
			}
		}
	}
	return found
}

// alone reports whether s[from:to] is not a part of something longer, such as a web address,
// an amount or a file number.
func alone(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[to:], " \u00a0"))
	next, _ := utf8.DecodeRuneInString(s[to:])
	return !inWord(before) && !strings.ContainsRune("/=&?#§+.,-", before) && !unicode.Is(unicode.Sc, before) &&
		!inWord(next) && !unicode.Is(unicode.Sc, after) && after != '%'
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '@')
}

// minDigits is the length of the shortest telephone number.
const minDigits = 3

// isPhone reports whether a number is a telephone number: it is international, begins with a
// trunk prefix and is written in groups, is grouped like one, or follows a word such as Tel.
func isPhone(number, before string) bool {
	digits := 0
	for _, r := range number {
		if '0' <= r && r <= '9' {
			digits++
		}
	}
	switch {
	case digits < minDigits || digits > 15 || notPhonePattern.MatchString(number):
		return false
	case strings.HasPrefix(number, "+"):
		return digits >= 7
	case phoneWordPattern.MatchString(before[max(0, len(before)-maxPhoneWord):]):
		return true
	case strings.HasPrefix(number, "0") || strings.HasPrefix(number, "(0"):
		return digits >= 7 && digits < len(number)
	}
	return groupedPattern.MatchString(number)
}

// contacts finds what a text contains once, because the description of an element repeats the
// values that are listed.
func (m *markup) contacts(s string) []contact {
	found, ok := m.found[s]
	if !ok {
		if m.found == nil {
			m.found = make(map[string][]contact)
		}
		found = contacts(s)
		m.found[s] = found
	}
	return found
}

// value writes the text of a value, isolated, with links to the email addresses and
// telephone numbers in it.
func (m *markup) value(t text) {
	var found []contact
	if !m.unlinked {
		found = m.contacts(t.value)
	}
	if len(found) == 0 {
		m.text(t)
		return
	}
	m.open(t)
	end := 0
	for _, c := range found {
		m.WriteString(template.HTMLEscapeString(t.value[end:c.from]))
		m.WriteString(`<a dir="ltr" href="` + template.HTMLEscapeString(string(c.url)) + `" target="_blank" rel="noreferrer noopener">`)
		// A long address continues on the next line from its @ on.
		m.WriteString(strings.Replace(template.HTMLEscapeString(t.value[c.from:c.to]), "@", "<wbr>@", 1) + "</a>")
		end = c.to
	}
	m.WriteString(template.HTMLEscapeString(t.value[end:]))
	m.close(t)
}

// writeContact writes how to reach someone in a paragraph. If the text has nothing but addresses and
// numbers, each of them is apart, so that it is easy to touch.
func (m *markup) writeContact(t text) {
	found := m.contacts(t.value)
	rest, end := "", 0
	for _, c := range found {
		rest += t.value[end:c.from]
		end = c.to
	}
	if rest += t.value[end:]; len(found) == 0 || strings.Trim(rest, " ,;/|·،") != "" {
		m.all("\n<p>")
		m.value(t)
		m.all("</p>")
		return
	}
	m.all("\n", `<p class="reach">`)
	for i, c := range found {
		if i > 0 {
			m.WriteString(" ")
		}
		one := t
		if one.value = t.value[c.from:c.to]; i < len(found)-1 {
			one.mark = ""
		}
		m.value(one)
	}
	m.all("</p>")
}

// href returns the attributes of a link that opens elsewhere.
func (l link) href() string {
	return `href="` + attribute(normalize(string(l.URL))) + `" target="_blank" rel="noreferrer noopener"`
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
