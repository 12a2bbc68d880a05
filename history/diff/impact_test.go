package diff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// impactSchema is a schema with the elements aim.safety, aim.research and data.video, of
// which the last has contexts, and variables of each kind.
func impactSchema() taxonomy.Content {
	variables := func() []taxonomy.Variable {
		return []taxonomy.Variable{
			{ID: "contact", Label: en("Contact"), Type: taxonomy.TextVariable},
			{ID: "basis", Label: en("Basis"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{
				{ID: "law", Label: en("Law")}, {ID: "consent", Label: en("Consent")},
			}},
		}
	}
	element := func(category, id string, variables []taxonomy.Variable, variants ...string) taxonomy.Element {
		return taxonomy.Element{
			ID: id, CategoryID: category, SymbolID: "dot", Title: en(id), Description: en("About " + id),
			Variables: variables, IconVariants: append([]string{"default", "dark"}, variants...),
		}
	}
	return taxonomy.Content{
		Title: en("AI"), Description: en("AI"), Locales: []string{"en", "fr"},
		Type: taxonomy.Type{ID: "ai", Name: en("AI"), Categories: []string{"aim", "data"}, Subchains: []taxonomy.Subchain{{ID: "flow", Name: en("Flow"), Categories: []string{"aim"}}}},
		Categories: []taxonomy.Category{
			{ID: "aim", Name: en("Aim"), Description: en("Why"), Shape: taxonomy.Circle, Variables: variables(), Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}},
			{ID: "data", Name: en("Data"), Description: en("What"), Shape: taxonomy.Circle, Context: taxonomy.Context{Name: en("Kind"), Values: []taxonomy.ContextValue{
				{ID: "named", Label: en("Named")}, {ID: "secret", Label: en("Secret")},
			}}},
		},
		Elements: []taxonomy.Element{
			element("aim", "aim.research", variables()),
			element("aim", "aim.safety", variables()),
			element("data", "data.video", []taxonomy.Variable{}, "named", "secret"),
		},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"/>`},
	}
}

func impactRelease(t testing.TB, version string, edit func(*taxonomy.Content)) *taxonomy.Release {
	t.Helper()
	c := impactSchema()
	if edit != nil {
		edit(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return r
}

func parse(t testing.TB, text string) *document.Document {
	t.Helper()
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err)
	return doc
}

// thin returns a document of the old version with some placements and other fields.
func thin(fields string) string {
	return `{"schema_version": "ai@2026-01-01-stable", "id": "d", "created_at": "2026-01-01T10:00Z", ` + fields + `}`
}

const full = `"title": [{"locale": "fr", "value": "Titre"}],
	"subchain_instances": [{"id": "s", "subchain_id": "flow", "head_refs": [], "order": 1}],
	"elements": [
		{"element_id": "aim.safety", "variables": [{"id": "contact", "value": [{"locale": "en", "value": "Desk"}]}, {"id": "basis", "value": ["consent", "law"]}]},
		{"element_id": "data.video", "context_type_id": "named"},
		{"element_id": "data.video", "context_type_id": "secret"}
	]`

// impactVariable edits a variable of the category aim and its elements.
func impactVariable(i int, change func(*taxonomy.Variable)) func(*taxonomy.Content) {
	return func(c *taxonomy.Content) {
		for _, list := range [][]taxonomy.Variable{c.Categories[0].Variables, c.Elements[0].Variables, c.Elements[1].Variables} {
			change(&list[i])
		}
	}
}

func contextValues(change func(*taxonomy.Context)) func(*taxonomy.Content) {
	return func(c *taxonomy.Content) {
		change(&c.Categories[1].Context)
		c.Elements[2].IconVariants = c.Categories[1].IconVariants()
	}
}

// TestDocument makes many edits, and finds their effect on one document or another.
func TestDocument(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(*taxonomy.Content)
		doc     string // full if it is empty
		outcome diff.Outcome
		hits    []string
	}{
		{"nothing", nil, "", diff.Unaffected, nil},
		{"element removed", func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }, "", diff.Invalid, []string{"element-removed elements[1].element_id elements[2].element_id"}},
		{"another element removed", func(c *taxonomy.Content) { c.Elements = c.Elements[1:] }, "", diff.Unaffected, nil},
		{"element reworded", func(c *taxonomy.Content) { c.Elements[1].Title = en("Safe") }, "", diff.Altered, []string{"element-reworded elements[0].element_id"}},
		{"another element reworded", func(c *taxonomy.Content) { c.Elements[0].Title = en("Science") }, "", diff.Unaffected, nil},
		{"deprecated", func(c *taxonomy.Content) { c.Elements[0].Status = codes.StatusDeprecated }, "", diff.Unaffected, nil},
		{"deprecated and placed", func(c *taxonomy.Content) { c.Elements[1].Status = codes.StatusDeprecated }, "", diff.Warned, []string{"element-deprecated elements[0].element_id"}},
		{"locale removed", func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }, "", diff.Warned, []string{"locale-removed title"}},
		{"subchain removed", func(c *taxonomy.Content) { c.Type.Subchains = []taxonomy.Subchain{} }, "", diff.Invalid, []string{"subchain-removed subchain_instances[0].subchain_id"}},
		{"minimum", func(c *taxonomy.Content) { c.Categories[0].Cardinality.Min = 2 }, "", diff.Invalid, []string{"category-minimum-raised elements"}},
		{"maximum", func(c *taxonomy.Content) { c.Categories[1].Cardinality.Max = 1 }, "", diff.Invalid, []string{"category-maximum-lowered elements[2]"}},
		{"too often", func(c *taxonomy.Content) { c.Elements[2].MaxPlacements = 1 }, "", diff.Invalid, []string{"element-maximum-lowered elements[2]"}},
		{"moved", func(c *taxonomy.Content) {
			c.Elements[2].CategoryID, c.Elements[2].IconVariants, c.Elements[2].Variables = "aim", []string{"default", "dark"}, c.Elements[1].Variables
		}, "", diff.Invalid, []string{"element-moved-context elements[1].context_type_id elements[2].context_type_id"}},
		{"context value removed", contextValues(func(c *taxonomy.Context) { c.Values = c.Values[1:] }), "", diff.Invalid, []string{"context-value-removed elements[1].context_type_id"}},
		{"context value renamed", contextValues(func(c *taxonomy.Context) { c.Values[1].ID, c.Values[1].RenamedFrom = "hidden", []string{"secret"} }), "", diff.Invalid, []string{"context-value-renamed elements[2].context_type_id"}},
		{"context value reworded", contextValues(func(c *taxonomy.Context) { c.Values[1].Label = en("Hidden") }), "", diff.Altered, []string{"context-value-reworded elements[2].context_type_id"}},
		{"context reworded", contextValues(func(c *taxonomy.Context) { c.Name = en("Sort") }), "", diff.Altered, []string{"context-reworded elements[1].context_type_id elements[2].context_type_id"}},
		{"context required", contextValues(func(c *taxonomy.Context) { c.Required = true }), "", diff.Unaffected, nil},
		{"context required and missing", contextValues(func(c *taxonomy.Context) { c.Required = true }), thin(`"elements": [{"element_id": "data.video"}]`), diff.Invalid, []string{"context-required elements[0]"}},
		{"variable removed", func(c *taxonomy.Content) {
			for _, list := range []*[]taxonomy.Variable{&c.Categories[0].Variables, &c.Elements[0].Variables, &c.Elements[1].Variables} {
				*list = (*list)[1:]
			}
		}, "", diff.Invalid, []string{"variable-removed elements[0].variables[0]"}},
		{"variable renamed", impactVariable(0, func(v *taxonomy.Variable) { v.ID, v.RenamedFrom = "desk", []string{"contact"} }), "", diff.Invalid, []string{"variable-renamed elements[0].variables[0]"}},
		{"variable required", impactVariable(0, func(v *taxonomy.Variable) { v.Required = true }), "", diff.Unaffected, nil},
		{"variable required and missing", impactVariable(0, func(v *taxonomy.Variable) { v.Required = true }), thin(`"elements": [{"element_id": "aim.research"}]`), diff.Invalid, []string{"variable-required elements[0]"}},
		{"variable type", impactVariable(0, func(v *taxonomy.Variable) {
			v.Type, v.Options = taxonomy.SelectVariable, []taxonomy.Option{{ID: "x", Label: en("X")}}
		}), "", diff.Invalid, []string{"variable-type-changed elements[0].variables[0]"}},
		{"variable reworded", impactVariable(1, func(v *taxonomy.Variable) { v.Label = en("Ground") }), "", diff.Altered, []string{"variable-reworded elements[0].variables[1]"}},
		{"variable reworded, but not for the element", func(c *taxonomy.Content) {
			c.Categories[0].Variables[1].Label = en("Ground")
			c.Elements[0].Variables[1].Label = en("Ground")
		}, "", diff.Unaffected, nil},
		{"option removed", impactVariable(1, func(v *taxonomy.Variable) { v.Options = v.Options[:1] }), "", diff.Invalid, []string{"option-removed elements[0].variables[1].value[0]"}},
		{"option renamed", impactVariable(1, func(v *taxonomy.Variable) { v.Options[0].ID, v.Options[0].RenamedFrom = "act", []string{"law"} }), "", diff.Invalid, []string{"option-renamed elements[0].variables[1].value[1]"}},
		{"option narrowed", impactVariable(1, func(v *taxonomy.Variable) { v.Options[0].AppliesTo = []string{"aim.research"} }), "", diff.Invalid, []string{"option-narrowed elements[0].variables[1].value[1]"}},
		{"option reworded", impactVariable(1, func(v *taxonomy.Variable) { v.Options[0].Label = en("Act") }), "", diff.Altered, []string{"option-reworded elements[0].variables[1].value[1]"}},
		{"invalid before", func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }, thin(`"elements": [{"element_id": "data.sound"}]`), diff.InvalidBefore, nil},
		{"another version", nil, strings.Replace(thin(full), "2026-01-01-stable", "2025-01-01-stable", 1), diff.Skipped, nil},
		{"not a datachain", nil, `{"name": "package"}`, diff.Skipped, nil},
		{"a list", nil, `[1]`, diff.Skipped, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			impact := impactOf(impactRelease(t, "ai@2026-01-01-stable", nil), impactRelease(t, "ai@2026-02-01-beta", c.edit))
			if c.doc == "" {
				c.doc = thin(full)
			}
			effect, err := impact.Document(parse(t, c.doc))
			require.NoError(t, err)
			require.Equal(t, c.outcome, effect.Outcome, "%v", effect.Findings)
			require.Equal(t, c.outcome == diff.Skipped, effect.Reason != "")
			require.Equal(t, c.outcome == diff.Invalid || c.outcome == diff.Warned || c.outcome == diff.InvalidBefore, len(effect.Findings) > 0)
			require.Equal(t, c.hits, hits(impact, effect))
		})
	}
}

func hits(m *diff.Impact, e *diff.Effect) (list []string) {
	for _, h := range e.Hits {
		line := string(m.Report().Changes[h.Change].Rule)
		for _, at := range h.Places {
			line += " " + at.String()
		}
		list = append(list, line)
	}
	return list
}

// A resolved document is treated as if it were resolved again. What it suggests stays.
func TestDocumentResolved(t *testing.T) {
	before := impactRelease(t, "ai@2026-01-01-stable", nil)
	thinDoc := parse(t, thin(`"authoring_provenance": {"kind": "ai_generated"}, `+full))
	bundle, err := resolve.Resolve(before, thinDoc, nil)
	require.NoError(t, err)
	var resolved map[string]any
	require.NoError(t, json.Unmarshal(bundle.AppendJSON(nil), &resolved))
	resolved["suggested_elements"] = []any{map[string]any{
		"id": "data.smell", "category_id": "data", "symbol_id": "dot", "title": en("Smell"), "description": en("Smells"),
	}}
	resolved["elements"] = append(resolved["elements"].([]any), map[string]any{"element_id": "data.smell"})
	raw, err := json.Marshal(resolved)
	require.NoError(t, err)
	doc := parse(t, string(raw))
	for _, c := range []struct {
		edit    func(*taxonomy.Content)
		outcome diff.Outcome
	}{
		{nil, diff.Unaffected},
		{func(c *taxonomy.Content) { c.Elements[1].Title = en("Safe") }, diff.Altered},
		{func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }, diff.Invalid},
	} {
		effect, err := impactOf(before, impactRelease(t, "ai@2026-02-01-beta", c.edit)).Document(doc)
		require.NoError(t, err)
		require.Equal(t, c.outcome, effect.Outcome, "%v", effect.Findings)
	}
}

// impactOf returns the impact of the changes between two releases.
func impactOf(before, after *taxonomy.Release) *diff.Impact {
	return diff.NewImpact(before, after, diff.Releases(before, after))
}

// An Impact serves many goroutines.
func TestDocumentConcurrently(t *testing.T) {
	impact := impactOf(impactRelease(t, "ai@2026-01-01-stable", nil), impactRelease(t, "ai@2026-02-01-beta", func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				effect, err := impact.Document(parse(t, thin(full)))
				if err != nil || effect.Outcome != diff.Invalid {
					t.Errorf("got %v, %v", effect, err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkDocument(b *testing.B) {
	impact := impactOf(impactRelease(b, "ai@2026-01-01-stable", nil), impactRelease(b, "ai@2026-02-01-beta", func(c *taxonomy.Content) { c.Elements[1].Title = en("Safe") }))
	doc := parse(b, thin(full))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := impact.Document(doc); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleImpact_Document() {
	release := func(version string, elements int) *taxonomy.Release {
		c := impactSchema()
		c.Elements = c.Elements[:elements]
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
		if err != nil {
			panic(err)
		}
		return r
	}
	before, after := release("ai@2026-01-01-stable", 3), release("ai@2026-02-01-beta", 2)
	impact := diff.NewImpact(before, after, diff.Releases(before, after))
	doc, err := document.Parse([]byte(thin(full)))
	if err != nil {
		panic(err)
	}
	effect, err := impact.Document(doc)
	if err != nil {
		panic(err)
	}
	fmt.Println(effect.Outcome)
	for _, hit := range effect.Hits {
		fmt.Println(impact.Report().Changes[hit.Change], "at", hit.Places)
	}
	// Output:
	// invalid
	// removed element data.video (breaking: documents that place the element become invalid) at [elements[1].element_id elements[2].element_id]
}
