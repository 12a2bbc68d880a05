package view

import (
	"html/template"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
)

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the whole page is in that language.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || t.lang == pg.foreign || texts.Same(t.lang, pg.Lang) {
		return t
	}
	if pg.marks[t.lang] == "" {
		// A bdi does not affect the direction of the element around it.
		name := template.HTMLEscapeString(pg.edition.Language + pg.edition.Colon + " " + texts.Tongue(t.lang))
		code := template.HTMLEscapeString(strings.ToUpper(texts.Language(t.lang)))
		pg.marks[t.lang] = ` <bdi class="tongue" role="img" lang="` + pg.edition.Lang + `" title="` + name + `" aria-label="` + name + `">` + code + `</bdi>`
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
