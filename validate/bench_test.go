package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// largeRelease has n elements in 20 categories, each of which has a required
// text, a choice and a context.
func largeRelease(t testing.TB, n int) *taxonomy.Release {
	t.Helper()
	const categories = 20
	texts := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (français)"}, {Locale: "es", Value: s + " (español)"}}
	}
	c := taxonomy.Content{
		Title: texts("Large"), Description: texts("A large release"), Locales: []string{"en", "fr", "es"},
		Type: taxonomy.Type{ID: "large", Name: texts("Large")}, Symbols: map[string]string{"dot": "<svg/>"},
	}
	variables := []taxonomy.Variable{
		{ID: "retention", Label: texts("Kept for"), Required: true, Type: taxonomy.TextVariable},
		{ID: "method", Label: texts("Method"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{{ID: "rules", Label: texts("Rules")}, {ID: "learned", Label: texts("Learned")}}},
	}
	for i := range categories {
		id := fmt.Sprintf("category-%02d", i)
		c.Type.Categories = append(c.Type.Categories, id)
		c.Categories = append(c.Categories, taxonomy.Category{
			ID: id, Name: texts("Category"), Description: texts("What elements have in common"), Shape: taxonomy.Circle, Required: i == 0,
			Cardinality: taxonomy.Cardinality{Max: 1_000_000}, Variables: variables,
			Context: taxonomy.Context{Values: []taxonomy.ContextValue{{ID: "anonymous", Label: texts("Anonymous"), Color: "#00AA55"}, {ID: "tagged", Label: texts("Tagged")}}},
		})
	}
	sentence := texts("The system keeps what it records for {{retention}}, and gives it to nobody else unless a law demands it")
	for i := range n {
		category := c.Categories[i*categories/n].ID
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("%s.element-%06d", category, i), Title: texts(fmt.Sprintf("Element number %d", i)), Description: sentence,
			CategoryID: category, SymbolID: "dot", IconVariants: []string{"default", "dark", "anonymous", "tagged"}, Variables: variables,
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("large@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

// largeDocument is a valid document with n placements, as a person would write
// one.
func largeDocument(r *taxonomy.Release, n int) []byte {
	elements := r.Elements()
	placements := make([]string, n)
	for i := range placements {
		placements[i] = fmt.Sprintf(`    {
      "element_id": %q,
      "context_type_id": "anonymous",
      "element_instance_id": "placement-%d",
      "label": "Number %d",
      "variables": [
        {"id": "retention", "value": [{"locale": "en", "value": "thirty days"}, {"locale": "fr", "value": "trente jours"}]},
        {"id": "method", "value": ["learned"]}
      ]
    }`, elements[i*len(elements)/n].ID, i, i)
	}
	return fmt.Appendf(nil, `{
  "id": "bench",
  "title": [{"locale": "en", "value": "A system"}, {"locale": "fr", "value": "Un système"}],
  "schema_version": %q,
  "created_at": "2026-06-01T10:00:00Z",
  "elements": [
%s
  ],
  "authoring_provenance": {"kind": "human", "element_provenance": {"placement-0": {"rationale": "It is needed.", "variable_rationale": {"retention": "By law."}}}}
}
`, r.Version(), strings.Join(placements, ",\n"))
}

// BenchmarkInstance validates a document of 12 placements against releases of two
// sizes, which must not matter, and measures its steps: parsing, decoding and rules.
func BenchmarkInstance(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		release := largeRelease(b, n)
		text := largeDocument(release, 12)
		doc := parsed(b, text)
		run := func(name string, work func() error) {
			b.Run(fmt.Sprintf("elements=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if err := work(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("parse", func() error { _, err := document.Parse(text); return err })
		run("decode", func() error { _, err := taxonomy.DecodeInstance(doc); return err })
		rules := validate.RunRules(b, release, doc)
		run("rules", func() error { return valid(rules()) })
		run("validate", func() error { return valid(validate.Instance(release, doc, nil)) })
		run("parse+validate", func() error {
			doc, err := document.Parse(text)
			if err != nil {
				return err
			}
			return valid(validate.Instance(release, doc, nil))
		})
		bundle, err := resolve.Resolve(release, doc, nil)
		require.NoError(b, err)
		resolved := parsed(b, bundle.AppendJSON(nil))
		run("validate-resolved", func() error { return valid(validate.Resolved(release, resolved, nil)) })
	}
}

// BenchmarkPlacements shows that time is linear in the number of placements.
func BenchmarkPlacements(b *testing.B) {
	release := largeRelease(b, 100)
	for _, n := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprintf("placements=%d", n), func(b *testing.B) {
			doc := parsed(b, largeDocument(release, n))
			b.ReportAllocs()
			for b.Loop() {
				if err := valid(validate.Instance(release, doc, nil)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/placement")
		})
	}
}

// valid returns findings as an error.
func valid(result *validate.Result, err error) error {
	if err == nil && !result.OK() {
		err = fmt.Errorf("%v", result.Issues[0])
	}
	return err
}

// BenchmarkHostile validates documents that would be expensive if a rule were
// quadratic. They are as large as a server accepts.
func BenchmarkHostile(b *testing.B) {
	thin := func(release *taxonomy.Release, placements ...string) func() (*validate.Result, error) {
		doc := parsed(b, fmt.Appendf(nil, `{"id":"x","schema_version":%q,"created_at":"2026-06-01T10:00Z","elements":[%s]}`,
			release.Version(), strings.Join(placements, ",")))
		return func() (*validate.Result, error) { return validate.Instance(release, doc, nil) }
	}
	large := largeRelease(b, 100_000)
	small := trail(b)[stable]
	for _, c := range []struct {
		name string
		run  func() (*validate.Result, error)
	}{
		{"unknown-ids", thin(large, many(10_000, `{"element_id":"category-05.elemnt-00%d"}`)...)},
		{"duplicate-ids", thin(small, many(10_000, `{"element_id":"surface.rock","element_instance_id":"a"}`)...)},
		{"warnings", thin(small, many(10_000, `{"element_id":"facility.hut"}`)...)},
		{"provenance", strangeProvenance(b, small)},
		{"contexts", forged(b, 5_000, func(i int) map[string]any { return map[string]any{"context_type_id": fmt.Sprint("c", i)} })},
		{"variables", forged(b, 5_000, func(int) map[string]any { return nil })},
		{"options", forged(b, 5_000, func(i int) map[string]any {
			return map[string]any{"variables": []any{map[string]any{"id": "v0", "value": []any{fmt.Sprint("o", i)}}}}
		})},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// strangeProvenance has 10,000 keys that are nearly those of 10,000 placements.
func strangeProvenance(t testing.TB, release *taxonomy.Release) func() (*validate.Result, error) {
	entries := map[string]any{}
	for i := range 10_000 {
		entries[fmt.Sprintf("placment-%05d", i)] = map[string]any{}
	}
	provenance, err := json.Marshal(map[string]any{"element_provenance": entries})
	require.NoError(t, err)
	text := walk(many(10_000, `{"element_id":"surface.rock","element_instance_id":"placement-1%d"}`)...)
	doc := parsed(t, fmt.Appendf(text[:len(text)-1], `,"authoring_provenance":%s}`, provenance))
	return func() (*validate.Result, error) { return validate.Instance(release, doc, nil) }
}

// forged is a resolved document with n placements of an element that has n
// variables, the first of them with n options, in a category with n contexts.
func forged(t testing.TB, n int, placement func(i int) map[string]any) func() (*validate.Result, error) {
	t.Helper()
	none := []any{}
	var variables, options, contexts, placements []any
	for i := range n {
		variables = append(variables, map[string]any{"id": fmt.Sprint("v", i), "label": none, "required": false, "type": "text"})
		options = append(options, map[string]any{"id": fmt.Sprint("o", i), "label": none})
		contexts = append(contexts, map[string]any{"id": fmt.Sprint("c", i), "label": none})
		p := map[string]any{"element_id": "x", "context_type_id": "c0"}
		maps.Copy(p, placement(i))
		placements = append(placements, p)
	}
	first := variables[0].(map[string]any)
	first["type"], first["options"] = "select", options
	text, err := json.Marshal(map[string]any{
		"id": "x", "schema_version": stable, "created_at": "2026-06-01T10:00Z", "elements": placements,
		"schema_snapshot": map[string]any{
			"datachain_type": map[string]any{"id": "trail", "name": none, "categories": none, "subchains": none},
			"categories":     []any{map[string]any{"id": "c", "name": none, "description": none, "shape": "circle", "context": map[string]any{"values": contexts}}},
			"elements": []any{map[string]any{
				"id": "x", "title": none, "description": none, "category_id": "c", "symbol_id": "s", "icon_variants": none, "variables": variables,
			}},
		},
	})
	require.NoError(t, err)
	doc := parsed(t, text)
	return func() (*validate.Result, error) {
		result, err := validate.Resolved(nil, doc, nil)
		return result, valid(result, err)
	}
}

// BenchmarkPartial validates a document while one field of it is being typed, as an
// editor does.
func BenchmarkPartial(b *testing.B) {
	release := trail(b)["trail@2026-03-01-stable"]
	text := walk(slices.Repeat([]string{`{"element_id":"hazard.ice","context_type_id":"low"}`}, 300)...)
	text = bytes.Replace(text, []byte(`"created_at":"`), []byte(`"created_at":7,"x":"`), 1)
	doc := parsed(b, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := validate.Instance(release, doc, &validate.Options{Partial: true}); err != nil {
			b.Fatal(err)
		}
	}
}
