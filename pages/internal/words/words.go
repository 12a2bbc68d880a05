// Package words has the fixed texts of the pages, in all their languages: words.csv is the table that
// translators edit.
package words

import (
	_ "embed" // of the table of words
	"html/template"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
)

// Words are the fixed texts of the pages in one language, by their keys in words.csv.
type Words struct{ *wordtable.Words }

//go:embed words.csv
var table string

// Languages has the words in all languages.
var Languages = wordtable.Read(table)

// In returns the words in a language, or in English.
func In(locale string) Words { return Words{Languages().In(locale)} }

// Size writes a number of bytes.
func (w Words) Size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return w.Word("layout.mebibytes", w.Number(int(n>>20)))
	case n%(1<<10) == 0:
		return w.Word("layout.kibibytes", w.Number(int(n>>10)))
	}
	return w.Count("layout.bytes", int(n))
}

// Day writes a date, or returns it as it is if it is not valid.
func (w Words) Day(date string) string {
	if day, ok := i18n.Day(w.Lang, date); ok {
		return day
	}
	return date
}

// WordHTML is Word for HTML.
func (w Words) WordHTML(key string, values ...template.HTML) template.HTML {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return template.HTML(wordtable.Fill(template.HTMLEscapeString(w.Word(key)), list...)) //nolint:gosec // escaped
}
