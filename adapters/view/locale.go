package view

import (
	_ "embed" // of the table of words
	"html/template"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// locales chooses among the languages of texts.
type locales struct {
	texts.Chooser
	rtl bool // the language of the page is written from right to left
}

// newLocales chooses the language of a page: the best match for the requested one among the
// languages of the datachain, or else the first of those.
func newLocales(p *datachain.Presentation, asked string) locales {
	chooser := texts.NewChooser(p.Locales(), asked)
	return locales{chooser, texts.Direction(chooser.Locale) == "rtl"}
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
	if locale == l.Locale {
		t.rtl = l.rtl
		return t
	}
	t.rtl = texts.Direction(locale) == "rtl"
	if !strings.EqualFold(locale, l.Locale) && prose.IsLocale(locale) {
		t.lang = locale
	}
	return t
}

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the whole page is in that language.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || t.lang == pg.foreign || texts.Same(t.lang, pg.Lang) {
		return t
	}
	if pg.marks[t.lang] == "" {
		// A bdi does not affect the direction of the element around it.
		name := template.HTMLEscapeString(pg.messages.Language + pg.messages.Colon + " " + texts.Endonym(t.lang))
		code := template.HTMLEscapeString(strings.ToUpper(texts.Language(t.lang)))
		pg.marks[t.lang] = ` <bdi class="language-tag" role="img" lang="` + pg.messages.Lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
	}
	t.mark = pg.marks[t.lang]
	return t
}

// findForeign checks whether all texts are in the language of the first one, and that is not
// the language of the page: a taxonomy may declare a language without having texts in it.
func (pg *page) findForeign(first string) {
	if first == "" || texts.Same(first, pg.Lang) {
		return
	}
	for _, s := range pg.Sections {
		if s.name.lang != first {
			return
		}
		for _, c := range s.Cards {
			if pg.locales.pick(c.element.Title).lang != first {
				return
			}
		}
	}
	pg.foreign = first
}

// words are the fixed texts of a page in one language. They are written unescaped, so they
// must not contain HTML.
type words struct {
	Lang                               string // the language
	InShort, Contents, Means           string // headings of the summary, of the contents and of explanations
	Letter, Report                     string // names of links to letters
	LetterText, ReportText             string // the letters: title and id of the document, and the right
	Flow, StartsFrom                   string // of subchains
	Suggested, NotGiven                string // of elements and values
	Why, Confidence, Quotes, WhyValues string // of the provenance of an element
	High, Medium, Low                  string
	Generated, Model                   string // of documents written by an AI system
	Sources, Given, Related            string // Given are the sources of the taxonomy
	Created, Updated, Version          string
	Language                           string
	Document, Taxonomy, Hash           string // of the footer
	Retired, Verify, Proof             string

	Colon string // between a name and its value
	Comma string
}

//go:embed words.csv
var table string

// dictionary has the words in all languages.
var dictionary = texts.Words[words](table)
