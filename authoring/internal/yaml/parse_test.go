package yaml_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	library "go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
)

// TestYAMLErrorFormat fails if the library writes its errors in another way
// than splitYAMLError reads them.
func TestYAMLErrorFormat(t *testing.T) {
	var n library.Node
	for text, want := range map[string]string{
		"id: a\n  b: c\n": "yaml: line 2: mapping values are not allowed in this context",
		"{\n{a: b\n":      "yaml: line 1: did not find expected ',' or '}'", // counted from 0
		"id: *a\n":        "yaml: unknown anchor 'a' referenced",
	} {
		require.EqualError(t, library.Unmarshal([]byte(text), &n), want)
	}
}

// TestParse reads the same tree from YAML and JSON, and finds the bytes of its values.
func TestParse(t *testing.T) {
	for name, text := range map[string]string{
		"a.yaml": "id: x # why\nlist:\n  - 'one'\n  - 2\n",
		"a.json": `{"id": "x", "list": ["one", 2]}`,
	} {
		root, problem := yaml.Parse(name, []byte(text))
		require.Nil(t, problem, name)
		require.Equal(t, yaml.Object, root.Kind, name)
		require.Equal(t, "x", root.Get("id").Value, name)
		one, two := &root.Get("list").Items[0], &root.Get("list").Items[1]
		require.Equal(t, []yaml.Kind{yaml.String, yaml.Number}, []yaml.Kind{one.Kind, two.Kind}, name)
		require.Equal(t, "list[0]", one.Path().String(), name)
		s, ok := yaml.NewText(name, []byte(text)).Scalar(one, false)
		require.True(t, ok, name)
		start, end := s.Content()
		require.Equal(t, "one", text[start:end], name)
	}
}
