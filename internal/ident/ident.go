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

// ParseTimestamp returns the time in an ISO 8601 date and time with a time zone, such as
// 2026-06-01T10:00Z. The seconds and their fraction are optional.
func ParseTimestamp(s string) (time.Time, bool) {
	const minutes, seconds = "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00"
	clock, utc := strings.CutSuffix(s, "Z")
	if !utc {
		n := max(len(s)-len("+02:00"), 0)
		if clock = s[:n]; n == 0 || s[n] != '+' && s[n] != '-' || !isClock(s[n+1:]) {
			return time.Time{}, false
		}
	}
	const date, hours = len("2006-01-02T"), len("2006-01-02T15:04")
	if len(clock) < hours || !isClock(clock[date:hours]) || strings.Contains(clock, ",") {
		return time.Time{}, false
	}
	layout := minutes
	if len(clock) > hours {
		layout = seconds // time.Parse also takes a fraction
	}
	t, err := time.Parse(layout, s)
	return t, err == nil
}

// isClock reports whether a text is hh:mm. time.Parse also takes h:mm.
func isClock(s string) bool {
	_, err := time.Parse("15:04", s)
	return err == nil && len(s) == len("15:04")
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
