package jsonfieldstest_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
)

type text struct {
	Locale string `json:"locale"`
	Value  string `json:"value"`
}

type element struct {
	ID    string `json:"id"`
	Title []text `json:"title"`
	Order int    `json:"order,omitzero"`
	Local string `json:"-"`
}

type extended struct {
	element
	Lead  []text   `json:"lead,omitempty"`
	Parts []option `json:"parts,omitempty"`
}

type option struct {
	ID string `json:"id"`
}

func TestUnset(t *testing.T) {
	list := []extended{{element: element{ID: "a"}}, {Lead: []text{{Locale: "en"}}}}
	require.Equal(t, []string{"extended.order", "extended.parts", "extended.title", "text.value"}, jsonfieldstest.Unset(list))
}

// A schema that forgot a field, at any depth, differs.
func TestSchemaDifferences(t *testing.T) {
	const schema = `{
		"$defs": {"text": {"properties": {"locale": {}, "value": {}}}, "part": {"properties": {"id": {}, "name": {}}}},
		"anyOf": [{"properties": {"$schema": {}, "id": {}, "order": {}, "title": {"type": "array", "items": {"$ref": "#/$defs/text"}}}}, {"type": "string"}],
		"properties": {"parts": {"items": {"allOf": [{"$ref": "#/$defs/part"}]}}}
	}`
	var parsed map[string]any
	require.NoError(t, json.Unmarshal([]byte(schema), &parsed))
	require.Equal(t, []string{"+option.name", "extended.lead"}, jsonfieldstest.SchemaDifferences(parsed, reflect.TypeFor[extended]()))
	require.Equal(t, []string{"+element.parts"}, jsonfieldstest.SchemaDifferences(parsed, reflect.TypeFor[element]()))
	require.Empty(t, jsonfieldstest.SchemaDifferences(map[string]any{"type": "object"}, reflect.TypeFor[element]()), "any fields")
}
