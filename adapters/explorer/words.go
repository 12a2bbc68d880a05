package explorer

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
)

// words are the fixed texts of the pages in one language. Each page has its own part, in
// a file of its own.
type words struct {
	Lang  string // the language
	Colon string // between a name and its value

	toolWords

	Layout  layoutWords
	Errors  errorWords
	Home    homeWords
	Catalog catalogWords
	Print   printWords
	Element elementWords
}

// dictionary has the words in all languages, English first.
var dictionary = []words{
	{
		Lang: "en", Colon: ":", toolWords: toolsEN,
		Layout: layoutEN, Errors: errorsEN, Home: homeEN, Catalog: catalogEN, Element: elementEN, Print: printEN,
	},
	{
		Lang: "fr", Colon: "\u00A0:", toolWords: toolsFR,
		Layout: layoutFR, Errors: errorsFR, Home: homeFR, Catalog: catalogFR, Element: elementFR, Print: printFR,
	},
	{
		Lang: "es", Colon: ":", toolWords: toolsES,
		Layout: layoutES, Errors: errorsES, Home: homeES, Catalog: catalogES, Element: elementES, Print: printES,
	},
}

// ownLocales are the languages of the words.
func ownLocales() []string {
	list := make([]string, len(dictionary))
	for i := range dictionary {
		list[i] = dictionary[i].Lang
	}
	return list
}

// wordsFor returns the words for a page in a language, which are English if they are not
// translated.
func wordsFor(locale string) *words {
	for i := range dictionary {
		if texts.Same(dictionary[i].Lang, locale) {
			return &dictionary[i]
		}
	}
	return &dictionary[0]
}

// counted is a noun with its number: the singular and the plural, with %s for the number.
type counted struct{ One, Other string }

// Count writes a number of things.
func (w *words) Count(c counted, n int) string {
	form := c.Other
	if n == 1 || n == 0 && w.Lang == "fr" {
		form = c.One
	}
	return strings.Replace(form, "%s", w.Number(n), 1)
}

// Number writes a number with separators.
func (w *words) Number(n int) string {
	s := strconv.Itoa(n)
	separator := ","
	switch {
	case w.Lang == "fr":
		separator = "\u202F"
	case w.Lang == "es":
		separator = "\u00A0"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + separator + s[i:]
	}
	return s
}

// Size writes a number of bytes.
func (w *words) Size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return w.Count(w.Layout.Mebibytes, int(n>>20))
	case n%(1<<10) == 0:
		return w.Count(w.Layout.Kibibytes, int(n>>10))
	}
	return w.Count(w.Layout.Bytes, int(n))
}

// Day writes a date, or returns it as it is if it is not valid.
func (w *words) Day(date string) string {
	if day, ok := texts.Day(w.Lang, date); ok {
		return day
	}
	return date
}

// FillHTML puts texts in place of each %s of a sentence.
func (w *words) FillHTML(sentence string, values ...template.HTML) template.HTML {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return template.HTML(w.Fill(template.HTMLEscapeString(sentence), list...)) //nolint:gosec // escaped
}

// Fill puts values in place of each %s of a sentence.
func (w *words) Fill(sentence string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		before, after, ok := strings.Cut(sentence, "%s")
		if !ok {
			break
		}
		b.WriteString(before + v)
		sentence = after
	}
	return b.String() + sentence
}
