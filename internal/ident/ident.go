package ident

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// IsLocale reports whether a locale looks like a language tag: groups of one to eight
// letters and digits, separated by hyphens, the first one of letters.
func IsLocale(locale string) bool {
	if len(locale) > 64 {
		return false
	}
	first := true
	for group := range strings.SplitSeq(locale, "-") {
		if len(group) < 1 || len(group) > 8 {
			return false
		}
		for _, c := range []byte(group) {
			if !('a' <= c|0x20 && c|0x20 <= 'z') && (first || c < '0' || c > '9') {
				return false
			}
		}
		first = false
	}
	return true
}

// IndexLocale returns the position of a locale, whose case does not matter, or -1.
func IndexLocale(locales []string, locale string) int {
	return slices.IndexFunc(locales, func(l string) bool { return strings.EqualFold(l, locale) })
}

// IsDate reports whether a text is a day of the calendar in the form YYYY-MM-DD.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// IsURL reports whether a text is the URL of a web page that others can link to: absolute, with
// http or https and a host, without user name and password, white space, control characters
// and those that a URL must escape.
func IsURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\\\"<>`", r)
		})
}
