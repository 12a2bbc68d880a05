// Package texts chooses among the languages of localized texts and prepares them to be
// shown in HTML. It is what the pages of several adapters have in common.
package texts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/taxonomy"
)

// Valid reports whether a locale looks like a language tag: groups of one to eight
// letters and digits, separated by hyphens, the first one of letters.
func Valid(locale string) bool {
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

// Language returns the language of a locale, such as fr of fr-CA.
func Language(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}

// Same reports whether two locales have the same language.
func Same(a, b string) bool { return strings.EqualFold(Language(a), Language(b)) }

// Chooser chooses among the languages of texts.
type Chooser struct {
	// Locale is the language of the page.
	Locale string

	wanted []string // the locales to try, in order
}

// NewChooser chooses the language of a page: the best match for the requested one among
// those that there are, or else the first of them. There must be one.
func NewChooser(there []string, asked string) Chooser {
	page := there[0]
	if found, ok := match(there, asked); ok {
		page = found
	}
	c := Chooser{Locale: page}
	for _, want := range append(append(shorter(asked), shorter(page)...), there[0]) {
		if want != "" && !slices.Contains(c.wanted, want) {
			c.wanted = append(c.wanted, want)
		}
	}
	return c
}

// match finds the nearest locale: the same, a more general one (fr for fr-CA), or another
// of the same language.
func match(there []string, asked string) (string, bool) {
	for _, want := range shorter(asked) {
		for _, locale := range there {
			if strings.EqualFold(locale, want) {
				return locale, true
			}
		}
	}
	for _, locale := range there {
		if asked != "" && Same(locale, asked) {
			return locale, true
		}
	}
	return "", false
}

// shorter lists a locale and the more general ones.
func shorter(locale string) []string {
	if !Valid(locale) {
		return nil
	}
	var list []string
	for locale != "" {
		list = append(list, locale)
		locale = locale[:max(0, strings.LastIndexByte(locale, '-'))]
	}
	return list
}

// Pick returns the text in the language of the page, or else in another, and its
// language. A text without content is never chosen.
func (c *Chooser) Pick(t taxonomy.Localized) (value, locale string) {
	for _, want := range c.wanted {
		if value, ok := t.Get(want); ok && strings.TrimSpace(value) != "" {
			return value, want
		}
	}
	for _, sameLanguage := range []bool{true, false} {
		for _, other := range t {
			if strings.TrimSpace(other.Value) != "" && (!sameLanguage || Same(other.Locale, c.Locale)) {
				return other.Value, other.Locale
			}
		}
	}
	return "", ""
}

// Clean removes characters that change the direction of the text after them, which can
// disguise a text, replaces control characters, and trims white space.
func Clean(s string) string { return CleanPart(strings.TrimSpace(s)) }

// CleanPart is [Clean] for a part of a text, which may begin or end with a space.
func CleanPart(s string) string {
	if strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2028' || r == '\u2029' || r == '\r':
			return '\n'
		case turns(r):
			return -1
		case unseen(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

func unseen(r rune) bool {
	return turns(r) || r == '\u2028' || r == '\u2029' || r != '\n' && r != '\t' && unicode.IsControl(r)
}

// turns reports whether a character begins or ends an embedding, an override or an isolate.
// Direction marks, which real texts use, affect only themselves.
func turns(r rune) bool {
	return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069'
}
