package view

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/direction"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// locales chooses among the languages of texts.
type locales struct{ texts.Chooser }

// newLocales chooses the language of a page: the best match for the requested one among the
// languages of the datachain, or else the first of those.
func newLocales(p *datachain.Presentation, asked string) locales {
	return locales{texts.NewChooser(written(p), asked)}
}

// maxLanguages is the maximum number of languages of a text that are considered.
const maxLanguages = 64

// written lists the languages of a datachain, the fallback first: those of the release, of
// the name of the datachain type and of the title.
func written(p *datachain.Presentation) []string {
	var list []string
	add := func(locale string) {
		if texts.Valid(locale) && !slices.Contains(list, locale) {
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

// pick returns the text in the language of the page, or else in another.
func (l *locales) pick(t taxonomy.Localized) text {
	value, locale := l.Pick(t)
	if value == "" {
		return text{}
	}
	return l.text(value, locale)
}

// text returns a text with its language, if that is not the language of the page.
func (l *locales) text(value, locale string) text {
	t := plain(value)
	t.rtl = direction.Of(locale) == "rtl"
	if !strings.EqualFold(locale, l.Locale) && texts.Valid(locale) {
		t.lang = locale
	}
	return t
}
