package source_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/validate"
)

// TestSchemas checks that the JSON Schemas for authors accept the sample taxonomies.
func TestSchemas(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range []string{"authoring_schema", "authoring_category", "authoring_elements"} {
		text, ok := validate.JSONSchema(name)
		require.True(t, ok)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		c := jsonschema.NewCompiler()
		c.UseLoader(jsonschema.SchemeURLLoader{}) // loads nothing
		require.NoError(t, c.AddResource(name, schema))
		schemas[name], err = c.Compile(name)
		require.NoError(t, err)
	}
	folders := map[string]string{"categories": "authoring_category", "elements": "authoring_elements"}
	checked := 0
	err := fs.WalkDir(taxonomies.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".yaml" || path.Base(file) == "allowed-changes.yaml" {
			return err
		}
		name := "authoring_schema"
		if path.Base(file) != "schema.yaml" {
			name = folders[path.Base(path.Dir(file))]
		}
		require.NotEmpty(t, name, file)
		text, err := fs.ReadFile(taxonomies.FS(), file)
		require.NoError(t, err)
		var root yaml.Node
		require.NoError(t, yaml.Unmarshal(text, &root))
		datesAreStrings(&root)
		var value any
		require.NoError(t, root.Decode(&value))
		text, err = json.Marshal(value)
		require.NoError(t, err)
		value, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, schemas[name].Validate(value), file)
		checked++
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, checked, 20)
}

// datesAreStrings reads dates as YAML 1.2 does, and editors.
func datesAreStrings(n *yaml.Node) {
	if n.Tag == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		datesAreStrings(child)
	}
}
