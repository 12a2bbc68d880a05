// Package wordtable reads the words of pages in all languages from a table.
package wordtable

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/i18n"
)

// Table is the words of pages in all languages.
type Table struct {
	// Languages are the languages, English first.
	Languages []string

	words []*Words
}

// In returns the words in a language, or in English.
func (t *Table) In(locale string) *Words {
	return t.words[max(0, slices.IndexFunc(t.Languages, func(language string) bool { return i18n.Same(language, locale) }))]
}

// Read returns a function that reads a table of words when it is first called. Each row of
// the table, which is CSV, has the key of a word and then the word in each language; the first
// row has the languages. The function panics if a table is malformed: it is part of the program.
func Read(table string) func() *Table {
	return sync.OnceValue(func() *Table {
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			panic(fmt.Errorf("wordtable: the table of words is malformed: %w", err))
		}
		t := &Table{Languages: rows[0][1:]}
		for i, lang := range t.Languages {
			w := &Words{Lang: lang, keys: make(map[string]string, len(rows))}
			for _, row := range rows[1:] {
				w.keys[row[0]] = row[i+1]
			}
			t.words = append(t.words, w)
		}
		return t
	})
}

// Words are the words of pages in one language.
type Words struct {
	Lang string

	keys map[string]string
}

// Word returns the word of a key with values in place of each %s, or "" if there is none.
// Package wordtabletest finds keys that the table does not have.
func (w *Words) Word(key string, values ...string) string { return Fill(w.keys[key], values...) }

// Fill puts values in place of each %s of a sentence.
func Fill(sentence string, values ...string) string {
	if len(values) == 0 {
		return sentence
	}
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

// pluralForms are the ends of the keys of a noun with its number.
var pluralForms = [...]string{plural.One: ".one", plural.Two: ".two", plural.Few: ".few", plural.Many: ".many", plural.Other: ".other"}

// Count writes a number of things. The table has a row for each plural form of Unicode CLDR,
// with %s for the number. A form that a language does not have is empty.
func (w *Words) Count(key string, n int) string {
	form := w.keys[key+pluralForms[plural.Cardinal.MatchPlural(language.Make(w.Lang), n, 0, 0, 0, 0)]]
	if form == "" {
		form = w.keys[key+".other"]
	}
	return Fill(form, w.Number(n))
}

// Number writes a number with separators.
func (w *Words) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + w.keys["thousands"] + s[i:]
	}
	return s
}

// Below returns the words whose keys begin with a prefix and a dot, by the rest of the key.
func (w *Words) Below(prefix string) map[string]string {
	below := make(map[string]string)
	for key, word := range w.keys {
		if rest, ok := strings.CutPrefix(key, prefix+"."); ok {
			below[rest] = word
		}
	}
	return below
}
