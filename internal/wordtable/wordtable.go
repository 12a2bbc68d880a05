// Package wordtable reads the words of pages in all languages from a table.
package wordtable

import (
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/i18n"
)

// Table is the words of pages in all languages: a T for each of them.
type Table[T any] struct {
	// Languages are the languages, English first.
	Languages []string

	words []T
}

// In returns the words in a language, or in English.
func (t *Table[T]) In(locale string) *T {
	return &t.words[max(0, slices.IndexFunc(t.Languages, func(language string) bool { return i18n.Same(language, locale) }))]
}

// Read returns a function that reads a table of words when it is first called. Each row of
// the table, which is CSV, has the name of a word and then the word in each language; the
// first row has the languages. The name is that of a field of T in lower case, with a dot
// between the names of a struct and its fields, and of a map and its keys; the key other means
// the empty one. The function panics if a table does not have exactly the words of T: it is
// part of the program.
func Read[T any](table string) func() *Table[T] {
	return sync.OnceValue(func() *Table[T] {
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			panic(fmt.Errorf("wordtable: the table of words is malformed: %w", err))
		}
		t := &Table[T]{Languages: rows[0][1:], words: make([]T, len(rows[0])-1)}
		for i := range t.words {
			words := make(map[string]string, len(rows))
			for _, row := range rows {
				words[row[0]] = row[i+1]
			}
			fill(reflect.ValueOf(&t.words[i]).Elem(), "", words)
			for name := range words {
				panic(fmt.Errorf("wordtable: %T has no word %q", t.words[i], name))
			}
		}
		return t
	})
}

// fill sets a value to the words below a name, and removes them.
func fill(v reflect.Value, name string, words map[string]string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), strings.TrimPrefix(name+"."+strings.ToLower(v.Type().Field(i).Name), "."), words)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for row, word := range words {
			if key, ok := strings.CutPrefix(row, name+"."); ok {
				if key == "other" {
					key = ""
				}
				v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), reflect.ValueOf(word))
				delete(words, row)
			}
		}
	default:
		word, ok := words[name]
		if !ok {
			panic(fmt.Errorf("wordtable: the table of words lacks %q", name))
		}
		v.SetString(word)
		delete(words, name)
	}
}
