package jsonfields_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/stretchr/testify/require"
)

type text struct {
	Locale string `json:"locale"`
	Value  string `json:"value"`
}

type element struct {
	ID    string                     `json:"id"`
	Title []text                     `json:"title"`
	Order int                        `json:"order,omitzero"`
	Local string                     `json:"-"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// A field is added to a type by a line with a tag.
type extended struct {
	element
	Lead  []text   `json:"lead,omitempty"`
	Parts []option `json:"parts,omitempty"`
}

type option struct {
	ID string `json:"id"`
}

func TestFields(t *testing.T) {
	list, unknown := jsonfields.Of(reflect.TypeFor[extended]())
	require.Equal(t, []int{0, 4}, unknown)
	require.Equal(t, []string{"id", "title", "order", "lead", "parts"}, jsonfields.Names[extended]())
	require.Equal(t, jsonfields.Field{Name: "order", Index: []int{0, 2}, Type: reflect.TypeFor[int](), Optional: true}, list[2])
	require.False(t, list[0].Optional)
	var visited []string
	jsonfields.Structs(reflect.TypeFor[[]extended](), func(t reflect.Type, _ []jsonfields.Field) { visited = append(visited, t.Name()) })
	require.Equal(t, []string{"extended", "text", "option"}, visited)
}

// Errors name members, and no types of Go.
func TestUnmarshal(t *testing.T) {
	type entry struct {
		Texts []text    `json:"texts"`
		Count int       `json:"count"`
		Time  time.Time `json:"time"`
	}
	for text, want := range map[string]string{
		`{"count":1,"texts":[{"locale":"en"}]}`:  "",
		`[]`:                                     "it must be a JSON object, not array",
		`{"texts":[{"value":"x"},{"locale":1}]}`: "texts.1.locale: it has the wrong type: number",
		`{"texts":[{"lang":"x"}]}`:               "texts.0.lang: the field is unknown",
		`{"more":1}`:                             "more: the field is unknown",
		`{"count":0.5}`:                          "count: it has the wrong type: number",
		`{"time":"2030-01-01"}`:                  "time: it must be a time such as 2026-11-17T09:00:00Z",
		`{"time":1}`:                             "time: it must be a time such as 2026-11-17T09:00:00Z",
	} {
		err := jsonfields.Unmarshal([]byte(text), new(entry))
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.EqualError(t, err, want, text)
		}
	}
}

func ExampleNames() {
	fmt.Println(jsonfields.Names[text]())
	// Output: [locale value]
}
