package explorer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

func TestCount(t *testing.T) {
	for i, want := range []string{"0 elements, 1 element, 12,345 elements", "0 élément, 1 élément, 12\u202F345 éléments", "0 elementos, 1 elemento, 12\u00A0345 elementos"} {
		w := &dictionary[i]
		assert.Equal(t, want, w.Count(w.Layout.Elements, 0)+", "+w.Count(w.Layout.Elements, 1)+", "+w.Count(w.Layout.Elements, 12345))
	}
}
