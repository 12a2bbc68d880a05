package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// TestJSONSchema checks that each schema is self-contained and described.
// TestShapeLikeJSONSchema checks verdicts.
func TestJSONSchema(t *testing.T) {
	names := validate.JSONSchemaNames()
	for _, name := range []string{
		"instance", "resolved", "manifest", "datachain_type", "category", "element", "release", "index",
		"authoring_schema", "authoring_category", "authoring_elements", "authoring_evolution",
	} {
		require.Contains(t, names, name)
	}
	require.True(t, slices.IsSorted(names))
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			text, ok := validate.JSONSchema(name)
			require.True(t, ok)
			var schema map[string]any
			require.NoError(t, json.Unmarshal(text, &schema))
			require.Equal(t, "https://json-schema.org/draft/2020-12/schema", schema["$schema"])
			require.Equal(t, "https://github.com/datachain-go/datachain/schemas/"+name+".schema.json", schema["$id"])
			delete(schema, "$id")
			checkSchema(t, schema)
			_, err := document.Parse(text)
			require.NoError(t, err, "duplicate key")
		})
	}
}

// checkSchema checks that references stay inside the schema, and that every field has a
// description, which editors show.
func checkSchema(t *testing.T, schema any) {
	t.Helper()
	switch schema := schema.(type) {
	case map[string]any:
		if ref, ok := schema["$ref"].(string); ok {
			require.True(t, strings.HasPrefix(ref, "#/$defs/"), ref)
		}
		for keyword, value := range schema {
			switch properties, ok := value.(map[string]any); {
			case keyword == "examples" || keyword == "default":
			case ok && keyword == "properties":
				for name, property := range properties {
					p, ok := property.(map[string]any)
					require.True(t, ok, name)
					if p["$ref"] == nil {
						require.NotEmpty(t, p["description"], "%s has no description", name)
					}
					checkSchema(t, p)
				}
			default:
				checkSchema(t, value)
			}
		}
		require.NotContains(t, schema, "$id")
	case []any:
		for _, item := range schema {
			checkSchema(t, item)
		}
	}
}

func TestJSONSchemaUnknown(t *testing.T) {
	for _, name := range []string{"", "nothing", "../schemas/instance", "instance.schema.json"} {
		_, ok := validate.JSONSchema(name)
		require.False(t, ok, name)
	}
}

// TestSchemaExamples checks the examples in hints.
func TestSchemaExamples(t *testing.T) {
	examples := validate.FittingExamples()
	require.Greater(t, len(examples), 100)
	for _, location := range slices.Sorted(maps.Keys(examples)) {
		require.True(t, examples[location], location)
	}
}

// TestSchemasOfSamples checks that the schemas accept the sample taxonomies in every
// form.
func TestSchemasOfSamples(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(context.Background())
	require.NoError(t, err)
	text, err := json.Marshal(index)
	require.NoError(t, err)
	requireFits(t, "index", text)
	for _, entry := range index.Entries() {
		r, err := store.Release(context.Background(), entry.ID)
		require.NoError(t, err)
		var whole bytes.Buffer
		_, err = r.WriteTo(&whole)
		require.NoError(t, err)
		requireFits(t, "release", whole.Bytes())
		requireFits(t, "manifest", []byte(r.ManifestJSON()))
		requireFits(t, "datachain_type", []byte(r.TypeJSON()))
		for _, c := range r.Categories() {
			requireFits(t, "category", []byte(r.CategoryJSON(c.ID)))
		}
		for _, e := range r.Elements() {
			requireFits(t, "element", []byte(r.ElementJSON(e.ID)))
		}
	}
}

func requireFits(t *testing.T, name string, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, peers()[name].Validate(value))
	doc, err := document.Parse(text)
	require.NoError(t, err)
	require.True(t, validate.Fits(name, doc), "%s: %s", name, text)
}

// An editor uses a schema for completion and checks.
func ExampleJSONSchema() {
	text, ok := validate.JSONSchema("localized")
	fmt.Println(ok)
	fmt.Println(strings.Join(strings.SplitAfter(string(text), "\n")[:6], ""))
	// Output:
	// true
	// {
	//   "$schema": "https://json-schema.org/draft/2020-12/schema",
	//   "$id": "https://github.com/datachain-go/datachain/schemas/localized.schema.json",
	//   "title": "Localized text",
	//   "description": "A text in several languages, one entry per locale.",
	//   "type": "array",
}
