package validate_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

// TestSchemasHaveTheFields compares the schemas with the struct tags of the model. Those of
// authoring files have in addition what is not part of a release, and lack what compiling
// computes.
func TestSchemasHaveTheFields(t *testing.T) {
	for _, c := range []struct {
		schema string
		of     reflect.Type
		want   []string
	}{
		{"manifest", reflect.TypeFor[taxonomy.Manifest](), nil},
		{"datachain_type", reflect.TypeFor[taxonomy.Type](), nil},
		{"category", reflect.TypeFor[taxonomy.Category](), nil},
		{"element", reflect.TypeFor[taxonomy.Element](), nil},
		{"instance", reflect.TypeFor[taxonomy.Instance](), nil},
		{"resolved", reflect.TypeFor[taxonomy.Resolved](), nil},
		{"authoring_category", reflect.TypeFor[taxonomy.Category](), nil},
		{"authoring_elements", reflect.TypeFor[taxonomy.Element](), []string{"Element.icon_variants"}},
		{"authoring_schema", reflect.TypeFor[taxonomy.Manifest](), []string{
			"+Manifest.aliases", "+Manifest.datachain_type", "+Manifest.released", "Manifest.content_hash", "Manifest.id", "Manifest.status",
		}},
		{"authoring_schema", reflect.TypeFor[struct {
			Type taxonomy.Type `json:"datachain_type"`
		}](), nil},
	} {
		t.Run(c.schema+" "+c.of.Name(), func(t *testing.T) {
			text, ok := validate.JSONSchema(c.schema)
			require.True(t, ok)
			var schema map[string]any
			require.NoError(t, json.Unmarshal(text, &schema))
			if c.of.Name() == "" {
				schema = map[string]any{"$defs": schema["$defs"], "properties": map[string]any{
					"datachain_type": schema["properties"].(map[string]any)["datachain_type"],
				}}
			}
			got := jsonfieldstest.SchemaDifferences(schema, c.of)
			require.Equal(t, c.want, got, "add the fields to validate/schemas/%s.schema.json, or remove them there", c.schema)
		})
	}
}
