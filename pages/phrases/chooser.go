// Package phrases writes the summary of a document in a language, for pages, plain texts, signs,
// lists and boards, and chooses among the languages of texts.
//
// # Experimental
//
// This package may change in a minor version.
package phrases

import (
	"html"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// Chooser chooses among the languages of texts.
type Chooser struct {
	// Locale is the language of the page.
	Locale string

	wanted []string // the locales to try, in order
	noting bool
	around string // the language of the page's own words
	own    Text   // an empty text in the language of the page
}

// Noting returns a chooser whose texts note their language if it is not that of the page, however
// they are put together. [HTML] shows the languages, and [Plain] removes the notes.
func (c Chooser) Noting() Chooser {
	c.noting = true
	return c
}

// A text with a note is between two characters that texts do not have. After the first one is its
// locale, in tag characters.
const (
	noteBegin, noteEnd = "\uFDD0", "\uFDD1"
	tagBase            = '\U000E0000' // before the tag characters, which are in the order of ASCII
)

// notes removes the characters of notes from a text.
var notes = strings.NewReplacer(noteBegin, "", noteEnd, "")

// Note notes that a text is in a language, if the page is in another one, and returns the text.
func (c *Chooser) Note(text, locale string) string {
	if !c.noting {
		return text
	}
	text = notes.Replace(i18n.CleanFragment(text))
	if text == "" || locale == "" || i18n.Same(locale, c.Locale) {
		return text
	}
	return noteBegin + strings.Map(func(r rune) rune { return tagBase + r }, locale) + text + noteEnd
}

// parts yields the parts of a text that is made of chosen ones, each with its locale or "".
func parts(text string) iter.Seq2[string, string] {
	return func(yield func(part, locale string) bool) {
		for text != "" {
			part, rest, noted := strings.Cut(text, noteBegin)
			if part != "" && !yield(part, "") || !noted {
				return
			}
			unnoted := strings.TrimLeftFunc(rest, func(r rune) bool { return tagBase < r && r < tagBase+utf8.RuneSelf })
			locale := strings.Map(func(r rune) rune { return r - tagBase }, rest[:len(rest)-len(unnoted)])
			part, text, _ = strings.Cut(unnoted, noteEnd)
			if !yield(part, locale) {
				return
			}
		}
	}
}

// Plain returns a text that is made of chosen ones, without notes.
func Plain(text string) string {
	if !strings.Contains(text, noteBegin) {
		return text
	}
	var b strings.Builder
	for part := range parts(text) {
		b.WriteString(part)
	}
	return b.String()
}

// HTML returns a text that is made of chosen ones, escaped, with those in other languages in a
// bdi that names the language.
func HTML(text string) string {
	var b strings.Builder
	for part, locale := range parts(text) {
		if part = html.EscapeString(part); locale != "" {
			part = `<bdi lang="` + html.EscapeString(locale) + `">` + part + "</bdi>"
		}
		b.WriteString(part)
	}
	return b.String()
}

// NewChooser chooses the language of a page: the best match for the requested one among
// those that there are, or else the first of them. There must be one.
func NewChooser(there []string, asked string) Chooser {
	page := there[0]
	if found, _ := taxonomy.MatchLocale(there, asked); found != "" { // also if it is no language tag
		page = found
	}
	c := Chooser{Locale: page}
	for _, want := range append(append(shorter(asked), shorter(page)...), there[0]) {
		if want != "" && !slices.Contains(c.wanted, want) {
			c.wanted = append(c.wanted, want)
		}
	}
	return c.Within(page)
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
			return c.picked(value, want), want
		}
	}
	for _, sameLanguage := range []bool{true, false} {
		for _, other := range t {
			if strings.TrimSpace(other.Value) != "" && (!sameLanguage || i18n.Same(other.Locale, c.Locale)) {
				return c.picked(other.Value, other.Locale), other.Locale
			}
		}
	}
	return "", ""
}

// picked returns a text that was picked. Its note is around what is left without outer space.
func (c *Chooser) picked(text, locale string) string {
	if c.noting {
		text = strings.TrimSpace(text)
	}
	return c.Note(text, locale)
}
