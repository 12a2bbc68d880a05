package view

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// validLocale reports whether a locale looks like a language tag: runs of one to
// eight letters and digits, separated by hyphens, letters first.
func validLocale(locale string) bool {
	if len(locale) > 64 {
		return false
	}
	for i, part := range strings.Split(locale, "-") {
		if len(part) < 1 || len(part) > 8 {
			return false
		}
		for _, c := range []byte(part) {
			letter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

// locales choose among the languages of texts.
type locales struct {
	page string
	// wanted are the locales to try in turn.
	wanted []string
}

// newLocales chooses the language of a page: the best match of what is asked for
// among the languages that the datachain is written in, or else the first of
// those.
func newLocales(p *datachain.Presentation, asked string) locales {
	there := written(p)
	page := there[0]
	if found, ok := match(there, asked); ok {
		page = found
	}
	l := locales{page: page}
	for _, want := range append(append(shorter(asked), shorter(page)...), there[0]) {
		if want != "" && !slices.Contains(l.wanted, want) {
			l.wanted = append(l.wanted, want)
		}
	}
	return l
}

// maxLanguages is how many languages of a text are looked at.
const maxLanguages = 64

// written lists the languages of a datachain, the fallback first: those of the
// release, or of what names the datachain type and the document.
func written(p *datachain.Presentation) []string {
	var list []string
	add := func(locale string) {
		if validLocale(locale) && !slices.Contains(list, locale) {
			list = append(list, locale)
		}
	}
	if p.Release != nil {
		for _, locale := range p.Release.Locales() {
			add(locale)
		}
	}
	for _, l := range []taxonomy.Localized{p.Datachain.SchemaSnapshot.DatachainType.Name, p.Datachain.Title} {
		for _, t := range l[:min(len(l), maxLanguages)] {
			add(t.Locale)
		}
	}
	if len(list) == 0 {
		list = []string{"en"}
	}
	return list
}

// match finds the locale that is nearest to the one asked for: itself, a wider
// one (fr for fr-CA), or another of the same language.
func match(there []string, asked string) (string, bool) {
	for _, want := range shorter(asked) {
		for _, locale := range there {
			if strings.EqualFold(locale, want) {
				return locale, true
			}
		}
	}
	for _, locale := range there {
		if asked != "" && strings.EqualFold(language(locale), language(asked)) {
			return locale, true
		}
	}
	return "", false
}

// shorter lists a locale and the wider ones that it is part of.
func shorter(locale string) []string {
	if !validLocale(locale) {
		return nil
	}
	var list []string
	for locale != "" {
		list = append(list, locale)
		locale = locale[:max(0, strings.LastIndexByte(locale, '-'))]
	}
	return list
}

func language(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}

// pick chooses the text in the language of the page, or in one that is there.
func (l *locales) pick(t taxonomy.Localized) text {
	for _, want := range l.wanted {
		if value, ok := t.Get(want); ok && strings.TrimSpace(value) != "" {
			return l.text(value, want)
		}
	}
	for _, other := range t {
		if strings.EqualFold(language(other.Locale), language(l.page)) && strings.TrimSpace(other.Value) != "" {
			return l.text(other.Value, other.Locale)
		}
	}
	for _, other := range t {
		if strings.TrimSpace(other.Value) != "" {
			return l.text(other.Value, other.Locale)
		}
	}
	return text{}
}

// text notes the language of a text where it is not the page's.
func (l *locales) text(value, locale string) text {
	t := plain(value)
	if !strings.EqualFold(locale, l.page) && validLocale(locale) {
		t.lang = locale
	}
	return t
}
