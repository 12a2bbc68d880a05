package lists_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

func TestProjection(t *testing.T) {
	const element = `{"category_id":"c","description":[{"locale":"en","value":"a \"quoted\" [text] {here}\\"},{"locale":"fr","value":"b"}],` +
		`"id":"c.e","max_placements":3,"title":[{"locale":"en","value":"t"}],` +
		`"variables":[{"id":"v","label":[{"locale":"fr","value":"l"}],"options":[{"id":"o","label":[{"locale":"en","value":"x"}]}],"required":true}],` +
		`"x":[{"locale":"fr","name":"no text"},null,1.5e-7,[[]],{}]}`
	for _, c := range []struct {
		name            string
		fields, locales []string
		want            string
	}{
		{"all", nil, nil, element},
		{"all by name", []string{"title", "all"}, nil, element},
		{"the id stays", []string{"nothing"}, nil, `{"id":"c.e"}`},
		{"some", []string{"title", "category_id"}, nil, `{"category_id":"c","id":"c.e","title":[{"locale":"en","value":"t"}]}`},
		{"a locale, whatever its case", []string{"description"}, []string{"FR"}, `{"description":[{"locale":"fr","value":"b"}],"id":"c.e"}`},
		{"first of two", []string{"description"}, []string{"en"}, `{"description":[{"locale":"en","value":"a \"quoted\" [text] {here}\\"}],"id":"c.e"}`},
		{"a locale that is not there", []string{"title", "description"}, []string{"de"}, `{"description":[],"id":"c.e","title":[]}`},
		{
			"nested",
			[]string{"variables", "max_placements"},
			[]string{"en"},
			`{"id":"c.e","max_placements":3,"variables":[{"id":"v","label":[],"options":[{"id":"o","label":[{"locale":"en","value":"x"}]}],"required":true}]}`,
		},
		{"what only looks like a text", []string{"x"}, []string{"en"}, `{"id":"c.e","x":[{"locale":"fr","name":"no text"},null,1.5e-7,[[]],{}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			show := lists.Projection{Fields: c.fields, Locales: c.locales}
			assert.Equal(t, "before "+c.want, string(show.Append([]byte("before "), element)))
		})
	}
}

// TestProjectionOfSamples compares with the slow way: decode, remove, encode.
func TestProjectionOfSamples(t *testing.T) {
	r := sample(t, "sensor@latest")
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"title", "description", "keywords", "variables", "symbol_id", "order", "unknown"}
	locales := []string{"en", "fr", "es", "de", "FR"}
	some := func(from []string) []string {
		return slices.DeleteFunc(slices.Clone(from), func(string) bool { return random.IntN(3) == 0 })
	}
	for _, e := range r.Elements() {
		show := lists.Projection{Fields: some(names), Locales: some(locales)}
		assert.JSONEq(t, slowly(t, show, r.ElementJSON(e.ID)), string(show.Append(nil, r.ElementJSON(e.ID))))
	}
	for _, c := range r.Categories() {
		show := lists.Projection{Locales: some(locales)}
		assert.JSONEq(t, slowly(t, show, r.CategoryJSON(c.ID)), string(show.Append(nil, r.CategoryJSON(c.ID))))
	}
}

func slowly(t *testing.T, show lists.Projection, text string) string {
	var part map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &part))
	for key := range part {
		if len(show.Fields) > 0 && key != "id" && !slices.Contains(show.Fields, key) {
			delete(part, key)
		}
	}
	result, err := json.Marshal(retained(part, show.Locales))
	require.NoError(t, err)
	return string(result)
}

func retained(v any, locales []string) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = retained(v[key], locales)
		}
	case []any:
		kept := []any{}
		for _, item := range v {
			object, _ := item.(map[string]any)
			locale, isText := object["locale"].(string)
			if isText && len(locales) > 0 && !slices.ContainsFunc(locales, func(l string) bool { return strings.EqualFold(l, locale) }) {
				continue
			}
			kept = append(kept, retained(item, locales))
		}
		return kept
	}
	return v
}

// FuzzProjection holds what is shown to strict JSON, whatever the release holds.
func FuzzProjection(f *testing.F) {
	f.Add(`{"id":"a","title":[{"locale":"en","value":"\"]}"}]}`, "title", "en")
	f.Add(`{"a":{"b":[[{"locale":"x","value":"y"}],-1e3,true]},"id":"q"}`, "a", "y")
	f.Fuzz(func(t *testing.T, text, field, locale string) {
		canonical, err := document.Canonical([]byte(text))
		if err != nil || canonical[0] != '{' {
			return
		}
		shown := lists.Projection{Fields: []string{field}, Locales: []string{locale}}.Append(nil, string(canonical))
		again, err := document.Canonical(shown)
		require.NoError(t, err, "%s", shown)
		require.Equal(t, string(again), string(shown))
	})
}

func sample(t testing.TB, version string) *taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	ref, err := taxonomy.ParseRef(version)
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), store, ref)
	require.NoError(t, err)
	return r
}
