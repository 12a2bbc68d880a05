// Package weblink makes links of the URLs, addresses and numbers in documents and taxonomies,
// and formats hosts for display.
package weblink

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/datachain-go/datachain/internal/ident"
)

// Link is a link to an absolute web address that comes from a document or a taxonomy, if it
// is safe to follow.
type Link struct {
	// URL is the address, or "" if it is not safe to follow.
	URL string
	// Host is the host for display: in Unicode, unless it could be mistaken for another.
	Host string
}

// New returns a link to a web page with one of the schemes, in lower case. The address must be
// one for [ident.IsURL], and its host one that browsers can look up.
func New(address string, schemes ...string) Link {
	u, err := url.Parse(address)
	if err != nil || !ident.IsURL(address) || !slices.Contains(schemes, u.Scheme) {
		return Link{}
	}
	sent, shown, ok := hostOf(u)
	if !ok {
		return Link{}
	}
	u.Host = sent
	return Link{u.String(), shown}
}

// hostOf returns the host of a URL as it is sent, in ASCII, and as it is shown: in Unicode,
// unless it could be mistaken for another host. It reports whether the host is valid.
func hostOf(u *url.URL) (sent, shown string, ok bool) {
	name := u.Hostname()
	if isASCII(name) && !strings.Contains(strings.ToLower(name), "xn--") {
		return u.Host, u.Host, true
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", "", false
	}
	shown, err = idna.Lookup.ToUnicode(ascii)
	if err != nil || !unmistakable(shown) {
		shown = ascii
	}
	port := u.Port()
	if port != "" {
		port = ":" + port
	}
	return ascii + port, shown + port, true
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// A label of a host may be shown in one of the scripts, or in one of the combinations.
var (
	scripts = []*unicode.RangeTable{
		unicode.Latin, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Bengali, unicode.Gujarati, unicode.Gurmukhi,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Thai, unicode.Khmer,
		unicode.Georgian, unicode.Ethiopic,
	}
	combined = [][]*unicode.RangeTable{
		{unicode.Han, unicode.Hiragana, unicode.Katakana},
		{unicode.Han, unicode.Hangul},
		{unicode.Han, unicode.Bopomofo},
	}
)

// lookalikes are scripts with many letters that look like Latin ones. A label in one of them is
// shown in Unicode only if the top-level domain is in the same script.
var lookalikes = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian}

// unmistakable reports whether a host cannot be mistaken for another: each label is in one
// script that does not look like another.
func unmistakable(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	top := labels[len(labels)-1]
	for _, label := range labels {
		if !isASCII(label) && !inOneAlphabet(label) && !isLookalike(label, top) {
			return false
		}
	}
	return true
}

func inOneAlphabet(label string) bool {
	return slices.ContainsFunc(scripts, func(script *unicode.RangeTable) bool {
		return isEvery(label, func(r rune) bool { return unicode.Is(script, r) && !isUnusual(r) })
	}) || slices.ContainsFunc(combined, func(scripts []*unicode.RangeTable) bool {
		return isEvery(label, func(r rune) bool { return unicode.In(r, scripts...) || r == 'ー' }) // the mark belongs to no script
	})
}

func isLookalike(label, top string) bool {
	return slices.ContainsFunc(lookalikes, func(script *unicode.RangeTable) bool {
		return isEvery(label+top, func(r rune) bool { return unicode.Is(script, r) })
	})
}

// isEvery reports whether a condition holds for all letters of a label. Digits and hyphens
// belong to every script.
func isEvery(label string, is func(rune) bool) bool {
	return !strings.ContainsFunc(label, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && !is(r) })
}

// isUnusual reports whether a Latin letter is not used by European languages, or looks like
// another: ı, ĸ, ŀ, ŉ.
func isUnusual(r rune) bool {
	return unicode.Is(unicode.Latin, r) && (r > '\u017F' || strings.ContainsRune("ıĸŀŉ", r))
}
