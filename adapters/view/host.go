package view

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// hostOf returns the host of an address as it is sent, in ASCII, and as it is
// shown: in the letters that it is written in, unless these could pass for
// others. It reports whether there can be such a host.
func hostOf(u *url.URL) (sent, shown string, ok bool) {
	name := u.Hostname()
	if isASCII(name) && !strings.Contains(strings.ToLower(name), "xn--") {
		return u.Host, u.Host, true
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return "", "", false
	}
	letters, err := idna.Lookup.ToUnicode(ascii)
	if err != nil || !unmistakable(letters) {
		letters = ascii
	}
	if port := u.Port(); port != "" {
		return ascii + ":" + port, letters + ":" + port, true
	}
	return ascii, letters, true
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// alphabets are the scripts that a label of a host may be shown in, each with
// those that are written along with it.
var alphabets = [][]*unicode.RangeTable{
	{unicode.Latin},
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Han, unicode.Hangul},
	{unicode.Han, unicode.Bopomofo},
	{unicode.Arabic},
	{unicode.Hebrew},
	{unicode.Devanagari},
	{unicode.Bengali},
	{unicode.Gujarati},
	{unicode.Gurmukhi},
	{unicode.Tamil},
	{unicode.Telugu},
	{unicode.Kannada},
	{unicode.Malayalam},
	{unicode.Sinhala},
	{unicode.Thai},
	{unicode.Khmer},
	{unicode.Georgian},
	{unicode.Ethiopic},
}

// twins are scripts with many letters that look like Latin ones. A label in one
// of them is shown so only below a top-level domain that is in it, too.
var twins = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian}

// unmistakable reports whether the letters of a host can't pass for others: each
// label is in one script, and none that looks like another.
func unmistakable(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	top := labels[len(labels)-1]
	for _, label := range labels {
		if !isASCII(label) && !inOneAlphabet(label) && !hasTwin(label, top) {
			return false
		}
	}
	return true
}

func inOneAlphabet(label string) bool {
	for _, alphabet := range alphabets {
		if every(label, func(r rune) bool {
			// The long vowels of Katakana are of no script by themselves.
			return unicode.In(r, alphabet...) && !odd(r) || r == 'ー' && alphabet[0] == unicode.Han
		}) {
			return true
		}
	}
	return false
}

func hasTwin(label, top string) bool {
	for _, script := range twins {
		within := func(r rune) bool { return unicode.Is(script, r) }
		if every(label, within) && every(top, within) {
			return true
		}
	}
	return false
}

// every reports whether the letters of a label are as asked for. Digits and hyphens
// are in every script.
func every(label string, is func(rune) bool) bool {
	for _, r := range label {
		if r != '-' && (r < '0' || r > '9') && !is(r) {
			return false
		}
	}
	return true
}

// odd reports whether a Latin letter is beyond those that the languages of Europe
// are written with, or looks like another: ı, ĸ, ŀ, ŉ.
func odd(r rune) bool {
	return unicode.Is(unicode.Latin, r) && (r > '\u017F' || strings.ContainsRune("ıĸŀŉ", r))
}
