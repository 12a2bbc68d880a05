package taxonomy_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M0 0h36"/></svg>`

var beta = taxonomy.MustVersion("ai@2026-09-01-beta")

// en returns a text in English.
func en(value string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "en", Value: value}}
}

// three returns a text in three locales.
func three(value string) taxonomy.Localized {
	return taxonomy.Localized{
		{Locale: "en", Value: value},
		{Locale: "fr", Value: value + " (français)"},
		{Locale: "es", Value: value + " (español)"},
	}
}

// content returns a small schema that uses every field of the model. The categories
// "before", "between" and "after" have no elements.
func content() taxonomy.Content {
	retention := taxonomy.Variable{ID: "retention", Label: three("Kept for"), Required: true, Type: taxonomy.TextVariable}
	method := taxonomy.Variable{
		ID: "method", Label: en("Method"), Type: taxonomy.SelectVariable,
		Options: []taxonomy.Option{
			{ID: "rules", Label: en("Rules"), Description: en("Written by people")},
			{ID: "learned", Label: en("Learned"), AppliesTo: []string{"purpose.safety"}},
		},
	}
	return taxonomy.Content{
		Title: three("AI systems"), Description: en("How an AI system is described"), Locales: []string{"en", "fr", "es"},
		Type: taxonomy.Type{
			ID: "ai", Name: three("AI"), Description: en("An AI system"),
			Categories: []string{"before", "purpose", "between", "data", "after"},
			Subchains:  []taxonomy.Subchain{{ID: "use", Name: en("Use"), Categories: []string{"purpose"}}},
			Extra:      taxonomy.Extra{"x_type": []byte(`{"kept":true}`)},
		},
		Categories: []taxonomy.Category{
			{ID: "before", Name: en("Before"), Description: en("b"), Shape: taxonomy.Octagon},
			{
				ID: "purpose", Name: three("Purpose"), Description: en("Why"), Shape: taxonomy.Hexagon,
				Required: true, Cardinality: taxonomy.Cardinality{Min: 1, Max: 4}, Variables: []taxonomy.Variable{retention},
				Prompt: en("What for?"), AuthoringGuidance: en("Be brief."), Extra: taxonomy.Extra{"x_category": []byte(`[1,2]`)},
			},
			{ID: "between", Name: en("Between"), Description: en("c"), Shape: taxonomy.RoundedSquare},
			{
				ID: "data", Name: en("Data"), Description: en("What"), Shape: taxonomy.Circle,
				Context: taxonomy.Context{
					ID: "identifiability", Name: en("Identifiability"), Description: en("How far"), Required: true,
					Values: []taxonomy.ContextValue{
						{ID: "anonymous", Label: en("Anonymous"), Color: "#00AA55"},
						{ID: "tagged", Label: en("Tagged"), Description: en("No colour")},
					},
				},
			},
			{ID: "after", Name: en("After"), Description: en("d"), Shape: taxonomy.Circle},
		},
		Elements: []taxonomy.Element{
			{
				ID: "purpose.safety", Title: three("Safety"), Description: en("Kept for {{retention}}"), CategoryID: "purpose", SymbolID: "shield",
				IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{retention, method},
				Keywords: en("guard"), MaxPlacements: 2, AuthoringGuidance: en("Say whose."),
				Sources: []taxonomy.Source{{Type: "law", Title: "Act", URL: "https://example.org/act", Citation: "§ 1"}},
				Extra:   taxonomy.Extra{"x_element": []byte(`"kept"`)},
			},
			{
				ID: "purpose.comfort", Title: en("Comfort"), Description: en("Ease"), CategoryID: "purpose", SymbolID: "shield",
				IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{retention}, Order: 1,
			},
			{
				ID: "image", Title: en("Image \"raw\" \u2028 😀"), Description: en("Pictures"), CategoryID: "data", SymbolID: "camera",
				IconVariants: []string{"default", "dark", "anonymous", "tagged"},
			},
		},
		Symbols: map[string]string{"shield": svg, "camera": svg, "unused": "<svg/>"},
	}
}

// release returns the sample content as a beta.
func release(t testing.TB) *taxonomy.Release {
	t.Helper()
	r, err := taxonomy.NewRelease(beta, content())
	require.NoError(t, err)
	return r
}

// releaseJSON returns the release.json.
func releaseJSON(t testing.TB, r *taxonomy.Release) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := r.WriteWithoutSymbols(&b)
	require.NoError(t, err)
	require.Equal(t, int64(b.Len()), n)
	require.Equal(t, r.Len(), b.Len())
	return b.Bytes()
}

// symbols returns the symbols of a release.
func symbols(r *taxonomy.Release) map[string]string {
	m := make(map[string]string)
	for _, id := range r.SymbolIDs() {
		m[id], _ = r.Symbol(id)
	}
	return m
}

// largeRelease has n elements of about 1.1 KB in three locales, in 20
// categories, half of them with a context.
func largeRelease(t testing.TB, n int) *taxonomy.Release {
	t.Helper()
	const categories = 20
	c := taxonomy.Content{
		Title: three("Large"), Description: three("A large release"), Locales: []string{"en", "fr", "es"},
		Type:    taxonomy.Type{ID: "ai", Name: three("Large")},
		Symbols: map[string]string{},
	}
	for i := range 50 {
		c.Symbols[fmt.Sprintf("symbol-%d", i)] = svg
	}
	for i := range categories {
		c.Type.Categories = append(c.Type.Categories, fmt.Sprintf("category-%02d", i))
		category := taxonomy.Category{
			ID: c.Type.Categories[i], Name: three("Category"), Description: three("What elements have in common"), Shape: taxonomy.Circle,
			Variables: []taxonomy.Variable{{ID: "retention", Label: three("Kept for"), Required: true, Type: taxonomy.TextVariable}},
		}
		if i%2 == 0 {
			category.Context.Values = []taxonomy.ContextValue{
				{ID: "identifiable", Label: three("Identifiable"), Color: "#AA0000"}, {ID: "anonymous", Label: three("Anonymous"), Color: "#00AA00"},
			}
		}
		c.Categories = append(c.Categories, category)
	}
	const sentence = "The system keeps what it records for {{retention}}, shows it to the operator, and gives it to nobody else unless a law demands it of the operator"
	for i := range n {
		category := &c.Categories[i*categories/n]
		variants := []string{taxonomy.VariantDefault, taxonomy.VariantDark}
		for _, v := range category.Context.Values {
			variants = append(variants, v.ID)
		}
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("%s.element-%06d", category.ID, i), Title: three(fmt.Sprintf("Element number %d", i)), Description: three(sentence),
			CategoryID: category.ID, SymbolID: fmt.Sprintf("symbol-%d", i%50), IconVariants: variants, Variables: category.Variables,
		})
	}
	r, err := taxonomy.NewRelease(beta, c)
	require.NoError(t, err)
	return r
}

// codecs are the JSON packages that programs use.
var codecs = map[string]struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}{
	"encoding/json": {stdjson.Marshal, stdjson.Unmarshal},
	"go-json-experiment": {
		func(v any) ([]byte, error) { return json.Marshal(v) },
		func(text []byte, v any) error { return json.Unmarshal(text, v) },
	},
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

// snapshot returns the canonical JSON of the snapshot with some elements, in the order of the release.
func snapshot(t testing.TB, r *taxonomy.Release, elementIDs ...string) []byte {
	t.Helper()
	s := taxonomy.Snapshot{DatachainType: *r.Type()}
	for _, id := range elementIDs {
		e, ok := r.Element(id)
		require.True(t, ok, id)
		s.Elements = append(s.Elements, *e)
		if n := len(s.Categories); n == 0 || s.Categories[n-1].ID != e.CategoryID {
			c, _ := r.Category(e.CategoryID)
			s.Categories = append(s.Categories, *c)
		}
	}
	text, err := document.MarshalCanonical(s)
	require.NoError(t, err)
	return text
}
