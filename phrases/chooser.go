// Package phrases writes the summary of a document in a language, for pages, plain texts, signs,
// lists and boards, and chooses among the languages of texts.
//
// # Experimental
//
// This package may change in a minor version.
package phrases

import (
	"cmp"
	"html"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// OfLabel returns a label as a localized text. The locale of a plain one is "".
func OfLabel(l taxonomy.Label) taxonomy.Localized {
	if l.Text == nil && l.Plain != "" {
		return taxonomy.Localized{{Value: l.Plain}}
	}
	return l.Text
}

// Chooser chooses among the languages of texts.
type Chooser struct {
	// Locale is the language of the page.
	Locale string

	wanted  []string // the locales to try, in order
	foreign map[string]string
}

// Noting returns a chooser that notes which texts it chose in other languages than that of the
// page, for [Chooser.HTML]. It is not safe for concurrent use.
func (c Chooser) Noting() Chooser {
	c.foreign = make(map[string]string)
	return c
}

// Note notes that a text is in a language, if the page is in another one, and returns the text.
func (c *Chooser) Note(text, locale string) string {
	if c.foreign == nil || locale == "" || i18n.Same(locale, c.Locale) {
		return text
	}
	for _, shown := range []string{i18n.Clean(text), i18n.OneLine(text)} {
		if shown != "" {
			c.foreign[shown] = locale
		}
	}
	return text
}

// HTML returns a text that is made of chosen ones, escaped, with those in other languages in a
// bdi that names the language.
func (c *Chooser) HTML(text string) string {
	known := slices.SortedFunc(maps.Keys(c.foreign), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	isWord := func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }
	var b strings.Builder
	for at, done := 0, 0; ; {
		found := slices.IndexFunc(known, func(k string) bool {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[min(len(text), at+len(k)):])
			return strings.HasPrefix(text[at:], k) && !isWord(before) && !isWord(after)
		})
		if found >= 0 {
			k := known[found]
			b.WriteString(html.EscapeString(text[done:at]) + `<bdi lang="` + html.EscapeString(c.foreign[k]) + `">` + html.EscapeString(k) + "</bdi>")
			at += len(k)
			done = at
		}
		if at == len(text) {
			b.WriteString(html.EscapeString(text[done:]))
			return b.String()
		}
		if found < 0 {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
	}
}

// NewChooser chooses the language of a page: the best match for the requested one among
// those that there are, or else the first of them. There must be one.
func NewChooser(there []string, asked string) Chooser {
	page := there[0]
	if found, _ := search.Match(there, asked); found != "" { // also if it is no language tag
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

// shorter lists a locale and the more general ones.
func shorter(locale string) []string {
	if !ident.IsLocale(locale) {
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
			return c.Note(value, want), want
		}
	}
	for _, sameLanguage := range []bool{true, false} {
		for _, other := range t {
			if strings.TrimSpace(other.Value) != "" && (!sameLanguage || i18n.Same(other.Locale, c.Locale)) {
				return c.Note(other.Value, other.Locale), other.Locale
			}
		}
	}
	return "", ""
}
