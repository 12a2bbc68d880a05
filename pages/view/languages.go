package view

import (
	"html/template"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// ownTexts are the localized texts that the author of a document wrote, without its title.
func ownTexts(doc *taxonomy.Resolved) []taxonomy.Localized {
	list := []taxonomy.Localized{doc.Description}
	for i := range doc.Elements {
		p := &doc.Elements[i]
		if p.Label != nil {
			list = append(list, p.Label.Text)
		}
		for k := range p.Variables {
			list = append(list, p.Variables[k].Text)
		}
	}
	return slices.DeleteFunc(list, func(l taxonomy.Localized) bool { return len(l) == 0 })
}

// Missing returns those of some languages in which a document lacks a text of its own.
func Missing(doc *taxonomy.Resolved, languages []string) []string {
	texts := append(ownTexts(doc), doc.Title)
	return slices.DeleteFunc(slices.Clone(languages), func(lang string) bool {
		return !slices.ContainsFunc(texts, func(l taxonomy.Localized) bool {
			return len(l) > 0 && !slices.ContainsFunc(l, func(t taxonomy.Text) bool { return i18n.Same(t.Locale, lang) && strings.TrimSpace(t.Value) != "" })
		})
	})
}

// ownLanguage is the line below the title that says in which language the document is, if that is not the
// language of the page: around the names of languages.
type ownLanguage struct {
	Before, After string
	Names         template.HTML
}

// findOwnLanguages finds the languages of the document's own texts that are not in the language of the page.
func (pg *page) findOwnLanguages(title phrases.Text) {
	var there, missing bool
	var found []phrases.Text
	add := func(t phrases.Text) {
		if there = there || !t.Empty() && !t.Foreign(pg.Lang); !t.Foreign(pg.Lang) {
			return
		}
		missing = true
		if !names(found, t.Locale) {
			found = append(found, pg.locales.In(i18n.Endonym(t.Locale), t.Locale))
		}
	}
	for _, l := range ownTexts(pg.doc) {
		add(pg.locales.Text(l))
	}
	titled := !title.Foreign(pg.Lang)
	sentence := "partlyin"
	switch {
	case titled && !there && missing && pg.messages.UI == "":
		sentence = "onlytitle"
	case !titled && !there:
		sentence = "writtenin"
	}
	if add(title); !missing {
		return
	}
	before, after, _ := strings.Cut(pg.messages.Word(sentence), "%s")
	pg.ownLanguage = &ownLanguage{before, after, pg.listed(found)}
	if sentence != "partlyin" {
		pg.ownLanguages = found
	}
}
