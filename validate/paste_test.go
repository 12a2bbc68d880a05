package validate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestHintsCanBePasted breaks the shape of valid documents, pastes the examples that the
// hints show, and expects no finding about what was pasted.
func TestHintsCanBePasted(t *testing.T) {
	pasted := map[string]int{}
	for version, release := range releases(t) {
		for seed := range uint64(24) { // fewer do not break every field
			g := generator{documenttest.New(seed, release)}
			written := plain(t, g.Document()).(map[string]any)
			path := g.breakShape(written)
			doc := parsed(t, g.Scramble(nil, written))
			result, err := validate.Instance(release, doc, nil)
			require.NoError(t, err)
			for _, i := range result.Issues {
				example, ok := exampleIn(i)
				if i.Code != codes.ParseError || !ok {
					continue
				}
				if strings.HasPrefix(i.FixHint, "add a ") { // to an empty list
					example = "[" + example + "]"
				}
				text, applied := validate.ApplyFixes(doc, issue.Issues{{Fix: &issue.Fix{Path: i.Path, Value: []byte(example)}}})
				require.Len(t, applied, 1, "%s: %s", i.Path, i.FixHint)
				after, err := validate.Instance(release, parsed(t, text), nil)
				require.NoError(t, err)
				for _, left := range after.Issues {
					require.False(t, left.Code != codes.RequiredCategoryMissing && left.Code != codes.ElementRequired && under(left.Path, i.Path), "%s: %s: %s gives %v", version, path, i.FixHint, left)
				}
				pasted[path]++
			}
		}
	}
	for _, path := range []string{"elements", "element_id", "context_type_id", "variables", "value", "title", "locale", "subchain_id"} {
		require.NotZero(t, pasted[path], "no hint on %s was tried: %v", path, pasted)
	}
}

// TestVariablesCanBePasted removes the variables of placements, and pastes what the hints
// show instead.
func TestVariablesCanBePasted(t *testing.T) {
	pasted := 0
	for _, release := range releases(t) {
		for seed := range uint64(10) {
			written := plain(t, generator{documenttest.New(seed, release)}.Document()).(map[string]any)
			delete(written, "authoring_provenance")
			elements := written["elements"].([]any)
			for _, p := range elements {
				p.(map[string]any)["variables"] = []any{}
			}
			judge := func() issue.Issues {
				text, err := json.Marshal(written)
				require.NoError(t, err)
				result, err := validate.Instance(release, parsed(t, text), nil)
				require.NoError(t, err)
				return result.Issues.With(issue.SeverityError)
			}
			for _, i := range judge() {
				require.EqualValues(t, codes.InstanceRequiredVariableMissing, i.Code)
				example, _ := strings.CutSuffix(strings.TrimPrefix(i.FixHint, "add "), " to variables")
				var entry any
				require.NoError(t, json.Unmarshal([]byte(example), &entry), i.FixHint)
				n, _ := i.Path[1].IsIndex()
				placed := elements[n].(map[string]any)
				placed["variables"] = append(placed["variables"].([]any), entry)
				pasted++
			}
			require.Empty(t, judge())
		}
	}
	require.NotZero(t, pasted)
}

// TestNothingToSelect shows the hint for a variable that no option applies to.
func TestNothingToSelect(t *testing.T) {
	text := taxonomy.Localized{{Locale: "en", Value: "x"}}
	v := taxonomy.MustVersion("odd@2026-06-01-stable")
	variables := []taxonomy.Variable{{
		ID: "kind", Label: text, Type: taxonomy.SelectVariable, Options: []taxonomy.Option{{ID: "a", Label: text, AppliesTo: []string{"other"}}},
	}}
	element := taxonomy.Element{
		ID: "one", Title: text, Description: text, CategoryID: "all", SymbolID: "dot", IconVariants: []string{"default", "dark"}, Variables: variables,
	}
	other := element
	other.ID = "other"
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: text, Description: text, Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "odd", Name: text, Categories: []string{"all"}},
		Categories: []taxonomy.Category{{ID: "all", Name: text, Description: text, Shape: taxonomy.Circle, Variables: variables}},
		Elements:   []taxonomy.Element{element, other},
		Symbols:    map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"/>`},
	})
	require.NoError(t, err)
	for id, hint := range map[string]string{"one": "remove the variable", "other": "write a, or remove the variable if it is not required"} {
		doc := fmt.Sprintf(`{"id": "x", "schema_version": %q, "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": %q, "variables": [{"id": "kind", "value": []}]}]}`, v, id)
		result, err := validate.Instance(r, parsed(t, []byte(doc)), nil)
		require.NoError(t, err)
		require.Len(t, result.Issues, 1, id)
		require.Equal(t, hint, result.Issues[0].FixHint, id)
	}
}

// exampleIn returns the example of a hint.
func exampleIn(i issue.Issue) (string, bool) {
	_, example, ok := strings.Cut(i.FixHint, ", such as ")
	if !ok {
		return "", false
	}
	example, _ = strings.CutSuffix(example, ", or remove the field")
	if name := i.Path[len(i.Path)-1].Name(); strings.HasPrefix(i.FixHint, "add "+name) {
		example = strings.TrimPrefix(example, fmt.Sprintf("%q: ", name))
	}
	return example, json.Valid([]byte(example))
}

// under reports whether a path leads to a place or into it.
func under(path, place issue.Path) bool {
	return len(path) >= len(place) && path[:len(place)].Equal(place)
}

// breakShape removes a field of a document or gives it a value of the wrong kind, and
// returns the name of the field.
func (g generator) breakShape(written map[string]any) string {
	elements := written["elements"].([]any)
	placed := elements[g.IntN(len(elements))].(map[string]any)
	names := []string{"elements", "element_id", "context_type_id", "variables", "value", "title", "locale", "subchain_id", "label", "id"}
	name := names[g.IntN(len(names))]
	spoil := func(object map[string]any, key string) {
		if delete(object, key); g.Chance(60) {
			object[key] = g.wrong()
		}
	}
	switch name {
	case "elements":
		if written[name] = []any{}; g.Chance(50) {
			spoil(written, name)
		}
	case "title", "id":
		spoil(written, name)
	case "element_id", "context_type_id", "variables", "label":
		spoil(placed, name)
	case "subchain_id":
		written["subchain_instances"] = []any{map[string]any{"id": "one"}}
	case "value", "locale":
		variables, _ := placed["variables"].([]any)
		if len(variables) == 0 {
			spoil(written, "title")
			return "title"
		}
		value := variables[g.IntN(len(variables))].(map[string]any)
		texts, _ := value["value"].([]any)
		if text, ok := texts[0].(map[string]any); ok && name == "locale" {
			spoil(text, "locale")
			return name
		}
		spoil(value, "value")
		return "value"
	}
	return name
}

// wrong returns a value that none of the fields can have.
func (g generator) wrong() any { return []any{nil, map[string]any{}}[g.IntN(2)] }

// TestExamplesOfSchemas validates the documents that the JSON Schemas show as examples.
func TestExamplesOfSchemas(t *testing.T) {
	all := releases(t)
	for _, name := range []string{"instance"} {
		text, ok := validate.JSONSchema(name)
		require.True(t, ok)
		var schema struct{ Examples []json.RawMessage }
		require.NoError(t, json.Unmarshal(text, &schema))
		require.NotEmpty(t, schema.Examples)
		for _, example := range schema.Examples {
			validDocument(t, all, example)
		}
	}
}

// TestExamplesOfPages validates the complete documents in the README and the documentation. A product
// has gaps: the command tests the page about products.
func TestExamplesOfPages(t *testing.T) {
	all := releases(t)
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```")
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	complete := 0
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, block := range blocks.FindAllSubmatch(text, -1) {
			doc, err := document.Parse(block[1])
			require.NoError(t, err, page)
			_, pinned := doc.Root().Get("schema_version")
			if _, places := doc.Root().Get("elements"); pinned && places && !isProduct(doc) {
				complete++
				validDocument(t, all, block[1])
			}
		}
	}
	require.Greater(t, complete, 2)
}

func isProduct(doc *document.Document) bool {
	register, _ := doc.Root().Get("register")
	_, found := register.Get("product")
	return found
}

func validDocument(t *testing.T, all map[string]*taxonomy.Release, text []byte) {
	t.Helper()
	doc := parsed(t, text)
	pin, _ := doc.Root().Get("schema_version")
	require.Contains(t, all, pin.Text())
	var result *validate.Result
	var err error
	if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
		result, err = validate.Resolved(all[pin.Text()], doc, nil)
	} else {
		result, err = validate.Instance(all[pin.Text()], doc, &validate.Options{Strict: true})
	}
	require.NoError(t, err)
	require.Empty(t, slices.Clone(result.Issues), "%s", text)
}
