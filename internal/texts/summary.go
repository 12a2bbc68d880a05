package texts

import (
	_ "embed" // of the table of words
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// Point is a point of a summary in a language. Its texts are not escaped.
type Point struct {
	// Name is the heading.
	Name string
	// Level is the context value, "At most: …" if it is the highest of several, or "".
	Level string
	// Entries are what the document says, the first of which matters most: its own words,
	// or its own name, or the title of the element. If there are none, Nothing says so.
	Entries []string
	Nothing string
	// Contact is how to reach who answers for the system, or "".
	Contact string
	// Safeguard is what is done against a risk, or that none is given; "" for other points.
	Safeguard string
}

// NewPoint puts a point into the language of a chooser.
func NewPoint(p *datachain.Point, c *Chooser) Point {
	pick := func(l taxonomy.Localized) string {
		value, _ := c.Pick(l)
		return strings.Join(strings.Fields(Clean(value)), " ")
	}
	words := FaceIn(c.Locale)
	said := Point{Name: words.Headings[p.Role]}
	if p.Role == "" && p.Category != nil {
		said.Name = pick(p.Category.Name)
	}
	if len(p.Entries) == 0 {
		said.Nothing = words.Nothing[p.Role]
		return said
	}
	if p.Context != nil {
		said.Level = pick(p.Context.Label)
		if p.AtMost {
			said.Level = fmt.Sprintf(words.AtMost, said.Level)
		}
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		own := pick(e.Words)
		if own == "" || p.Role != codes.RolePurpose {
			own = pick(e.Name)
		}
		if own == "" {
			own = pick(e.Element.Title)
		}
		said.Entries = append(said.Entries, own)
	}
	switch first := &p.Entries[0]; p.Role {
	case codes.RoleAccountable:
		said.Contact = pick(first.Contact)
	case codes.RoleRisk:
		if said.Safeguard = pick(first.Safeguard); said.Safeguard == "" {
			said.Safeguard = words.NoSafeguard
		}
	}
	return said
}

// Text returns the point without its name as one line.
func (p *Point) Text() string {
	var parts []string
	for _, part := range []string{p.Level, strings.Join(p.Entries, "; "), p.Nothing, p.Contact, p.Safeguard} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " – ")
}

// Face are the words that all faces of a document share, in one language: the page, the
// row of a list, the sign, the board and the plain text show the same summary.
type Face struct {
	Lang string
	// Headings are the names of the points of a summary, by role.
	Headings map[taxonomy.Role]string
	// Nothing says that a document has nothing about a point, by role; the one of the
	// empty role is for points of taxonomies without roles.
	Nothing     map[taxonomy.Role]string
	AtMost      string // before the highest context value, as a sentence with a %s
	NoSafeguard string
	NoContact   string
	ScanToAsk   string // beside the code of a sign, if a right has a contact
	ScanToLearn string
	AsOf        string // before the date of an edition
	Icons       string // before the attribution of icons
}

//go:embed words.csv
var table string

var faces = Words[Face](table)

// FaceIn returns the words in a language, or in English.
func FaceIn(locale string) *Face { return faces().In(locale) }

// Table is the words of pages in all languages: a T for each of them.
type Table[T any] struct {
	// Languages are the languages, English first.
	Languages []string

	words []T
}

// In returns the words in a language, or in English.
func (t *Table[T]) In(locale string) *T {
	return &t.words[max(0, slices.IndexFunc(t.Languages, func(language string) bool { return Same(language, locale) }))]
}

// Words returns a function that reads a table of words when it is first called. Each row of
// the table, which is CSV, has the name of a word and then the word in each language; the
// first row has the languages. The name is that of a field of T in lower case, with a dot
// between the names of a struct and its fields, and of a map and its keys; the key other means
// the empty one. The function panics if a table does not have exactly the words of T: it is
// part of the program.
func Words[T any](table string) func() *Table[T] {
	return sync.OnceValue(func() *Table[T] {
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			panic(fmt.Errorf("texts: the table of words is malformed: %w", err))
		}
		t := &Table[T]{Languages: rows[0][1:], words: make([]T, len(rows[0])-1)}
		for i := range t.words {
			words := make(map[string]string, len(rows))
			for _, row := range rows {
				words[row[0]] = row[i+1]
			}
			fill(reflect.ValueOf(&t.words[i]).Elem(), "", words)
			for name := range words {
				panic(fmt.Errorf("texts: %T has no word %q", t.words[i], name))
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
			panic(fmt.Errorf("texts: the table of words lacks %q", name))
		}
		v.SetString(word)
		delete(words, name)
	}
}

// ElementOf returns an element that a document places: that of the release if possible, so
// that documents share it, or nil.
func ElementOf(shown *datachain.Presentation, id string) *taxonomy.Element {
	if shown.Release != nil {
		if e, ok := shown.Release.Element(id); ok {
			return e
		}
	}
	for _, list := range [][]taxonomy.Element{shown.Datachain.SchemaSnapshot.Elements, shown.Datachain.SuggestedElements} {
		if i := slices.IndexFunc(list, func(e taxonomy.Element) bool { return e.ID == id }); i >= 0 {
			e := list[i] // a copy, without the rest of the list
			return &e
		}
	}
	return nil
}
