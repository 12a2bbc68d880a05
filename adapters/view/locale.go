package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/direction"
	"github.com/datachain-go/datachain/taxonomy"
)

// validLocale reports whether a locale looks like a language tag: groups of one to eight
// letters and digits, separated by hyphens, the first one of letters.
func validLocale(locale string) bool { return len(locale) <= 64 && languageTag.MatchString(locale) }

var languageTag = regexp.MustCompile(`^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$`)

// locales chooses among the languages of texts.
type locales struct {
	page   string
	wanted []string // the locales to try, in order
}

// newLocales chooses the language of a page: the best match for the requested one among the
// languages of the datachain, or else the first of those.
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

// maxLanguages is the maximum number of languages of a text that are considered.
const maxLanguages = 64

// written lists the languages of a datachain, the fallback first: those of the release, of
// the name of the datachain type and of the title.
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
		if asked != "" && strings.EqualFold(language(locale), language(asked)) {
			return locale, true
		}
	}
	return "", false
}

// shorter lists a locale and the more general ones.
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

// pick returns the text in the language of the page, or else in another.
func (l *locales) pick(t taxonomy.Localized) text {
	for _, want := range l.wanted {
		if value, ok := t.Get(want); ok && strings.TrimSpace(value) != "" {
			return l.text(value, want)
		}
	}
	for _, sameLanguage := range []bool{true, false} {
		for _, other := range t {
			if strings.TrimSpace(other.Value) != "" && (!sameLanguage || strings.EqualFold(language(other.Locale), language(l.page))) {
				return l.text(other.Value, other.Locale)
			}
		}
	}
	return text{}
}

// text returns a text with its language, if that is not the language of the page.
func (l *locales) text(value, locale string) text {
	t := plain(value)
	t.rtl = direction.Of(locale) == "rtl"
	if !strings.EqualFold(locale, l.page) && validLocale(locale) {
		t.lang = locale
	}
	return t
}
