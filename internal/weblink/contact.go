package weblink

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Contact is an email address or a telephone number in a text.
type Contact struct {
	From, To int
	URL      string
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

// Contacts finds the email addresses and telephone numbers in a text, in order.
func Contacts(s string) []Contact {
	found := Mails(s)
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
		within := slices.ContainsFunc(found[:mails], func(c Contact) bool { return from < c.To && c.From < to })
		if within || !alone(s, from, to) || !isPhone(s[from:to], s[:from]) {
			continue
		}
		if number := Phone(s[from:to]); number != "" {
			found = append(found, Contact{from, to, number})
		}
	}
	slices.SortFunc(found, func(a, b Contact) int { return cmp.Compare(a.From, b.From) })
	return found
}

// Mails finds the email addresses in a text, in order. It begins at the word with the first @,
// since the pattern takes long to find that there is none.
func Mails(s string) (found []Contact) {
	before, _, ok := strings.Cut(s, "@")
	if !ok {
		return nil
	}
	first := 1 + strings.LastIndexByte(before, ' ')
	for _, at := range mailPattern.FindAllStringIndex(s[first:], -1) {
		from, to := first+at[0], first+at[1]
		if alone(s, from, to) {
			if address := Mail(s[from:to]); address != "" {
				found = append(found, Contact{from, to, address})
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

// Mail returns the URL of an email address, or "" if it is none. It must not have parameters, such as a
// subject or a body.
func Mail(address string) string {
	address = strings.TrimSpace(cutScheme(address, "mailto:"))
	name, host, ok := strings.Cut(address, "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(address, " \t\r\n\\\"'<>`?&#%,;:()[]{}|^/") || strings.Contains(host, "@") {
		return ""
	}
	return "mailto:" + url.PathEscape(name) + "@" + url.PathEscape(host)
}

// Phone returns the URL of a telephone number in any common notation, or "" if it is none.
func Phone(number string) string {
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
			return ""
		}
		first = false
	}
	if n := len(strings.TrimPrefix(digits.String(), "+")); n < 2 || n > 20 {
		return ""
	}
	return "tel:" + digits.String()
}

func cutScheme(s, scheme string) string {
	if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
		return s[len(scheme):]
	}
	return s
}
