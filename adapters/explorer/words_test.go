package explorer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestWords checks that the words are complete in every language, and have as many
// places for values as in English.
func TestWords(t *testing.T) {
	for i := range dictionary {
		compare(t, dictionary[i].Lang, reflect.ValueOf(dictionary[0]), reflect.ValueOf(dictionary[i]))
	}
}

func compare(t *testing.T, name string, english, other reflect.Value) {
	t.Helper()
	if english.Kind() == reflect.String {
		assert.NotEmpty(t, other.String(), name)
		assert.Equal(t, strings.Count(english.String(), "%s"), strings.Count(other.String(), "%s"), name)
		return
	}
	if english.Kind() == reflect.Map {
		for _, key := range english.MapKeys() {
			if assert.True(t, other.MapIndex(key).IsValid(), "%s lacks %s", name, key) {
				compare(t, name+"."+key.String(), english.MapIndex(key), other.MapIndex(key))
			}
		}
		return
	}
	for i := range english.NumField() {
		compare(t, name+"."+english.Type().Field(i).Name, english.Field(i), other.Field(i))
	}
}

// TestWordsForFields checks that the comparison of versions has a word for each field of the
// model that a change can be about. Sources and synonyms are compared as a whole.
func TestWordsForFields(t *testing.T) {
	for _, part := range []any{taxonomy.Manifest{}, taxonomy.Type{}, taxonomy.Category{}, taxonomy.Element{}} {
		fields.Structs(reflect.TypeOf(part), func(of reflect.Type, list []fields.Field) {
			switch reflect.Zero(of).Interface().(type) {
			case taxonomy.Source, taxonomy.Synonyms, taxonomy.Text:
				return
			}
			for _, f := range list {
				if f.Name != "id" && f.Name != "content_hash" {
					assert.Contains(t, compareEN.Fields, f.Name, "%s: add a word to words_compare.go", of)
				}
			}
		})
	}
}

// An item of a list can have the name of a field.
func TestNamedItems(t *testing.T) {
	q := &request{words: &dictionary[0]}
	path := issue.Root.Key("variables").Key("title").Key("renamed_from").Key("order")
	assert.Equal(t, []fieldStep{{Word: "Variable"}, {ID: "title"}, {Word: "Former ids"}, {ID: "order"}}, q.fieldOf(&diff.Change{Path: path}))
}

func TestCount(t *testing.T) {
	for i, want := range []string{"0 elements, 1 element, 12,345 elements", "0 élément, 1 élément, 12\u202F345 éléments", "0 elementos, 1 elemento, 12\u00A0345 elementos"} {
		w := &dictionary[i]
		assert.Equal(t, want, w.Count(w.Layout.Elements, 0)+", "+w.Count(w.Layout.Elements, 1)+", "+w.Count(w.Layout.Elements, 12345))
	}
}
