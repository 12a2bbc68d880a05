package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// moved is a document that follows everything that was removed and renamed up to
// trail@2026-07-01-beta.
const moved = `{
  "id": "ridge-walk", "schema_version": "trail@2026-07-01-beta", "created_at": "2026-06-01T10:00Z",
  "elements": [
    {"element_id": "access.all"},
    {"element_id": "access.permit", "variables": [{"id": "office", "value": [{"locale": "en", "value": "Town hall"}]}]},
    {"element_id": "surface.rock"},
    {"element_id": "hazard.ice", "context_type_id": "high", "variables": [{"id": "season", "value": ["spring", "winter"]}]}
  ]
}`

func TestFixesFollowSuccessorsAndRenames(t *testing.T) {
	r := trail(t)["trail@2026-07-01-beta"]
	check := func(doc *document.Document) (*validate.Result, error) { return validate.Instance(r, doc, nil) }
	doc := parsed(t, []byte(moved))
	result, err := check(doc)
	require.NoError(t, err)
	fixed, err := validate.FixAll(doc, result, check)
	require.NoError(t, err)
	require.Empty(t, fixed.Result.Issues, "nothing is left to do by hand")
	for _, id := range []string{`"access.public"`, `"desk"`, `"surface.stone"`, `"severe"`, `"thaw"`} {
		require.Contains(t, string(fixed.Document.Text()), id)
	}
}

// TestDeprecatedInSnapshot shows that a resolved document keeps its warning, whether or
// not its version is still published.
func TestDeprecatedInSnapshot(t *testing.T) {
	r := trail(t)["trail@2026-07-01-beta"]
	thin := parsed(t, []byte(`{
	  "id": "ridge-walk", "schema_version": "trail@2026-07-01-beta", "created_at": "2026-06-01T10:00Z",
	  "elements": [
	    {"element_id": "access.public"}, {"element_id": "surface.planks"},
	    {"element_id": "access.permit", "variables": [{"id": "desk", "value": [{"locale": "en", "value": "Town hall"}]}]}
	  ]}`))
	resolved, err := resolve.Resolve(r, thin, nil)
	require.NoError(t, err)
	for _, live := range []*taxonomy.Release{r, nil} {
		result, err := validate.Resolved(live, parsed(t, resolved.AppendJSON(nil)), nil)
		require.NoError(t, err)
		require.True(t, result.OK())
		require.EqualValues(t, codes.InstanceElementDeprecated, result.Issues[0].Code)
		require.Equal(t, "elements[1].element_id", result.Issues[0].Path.String())
		require.Contains(t, result.Issues[0].FixHint, "surface.boardwalk")
	}
}

// past is a lineage of what is in it.
type past struct {
	fates    map[string]taxonomy.Fate
	formerly map[string][]string // by kind, owners and id
}

func (p *past) Fate(id string) (taxonomy.Fate, bool) {
	f, ok := p.fates[id]
	return f, ok
}

func (p *past) Formerly(k taxonomy.IDKind, id string, owners ...string) []string {
	return p.formerly[fmt.Sprint(k, owners, id)]
}

// TestLineage: findings say what a lineage knows about removed and renamed ids.
func TestLineage(t *testing.T) {
	r := trail(t)["trail@2026-07-01-beta"]
	stone, _ := r.Element("surface.stone")
	v := taxonomy.MustVersion("trail@2026-06-01-beta")
	lineage := &past{
		fates: map[string]taxonomy.Fate{
			"surface.tar": {Removal: &taxonomy.Removal{ID: "surface.tar", Since: v}, Successors: []taxonomy.Successor{{ID: stone.ID}}, Replacement: stone.ID},
		},
		formerly: map[string][]string{
			"variable[access.permit access]desk": {"counter"},
			"context_value[hazard]severe":        {"grave"},
			"option[hazard.ice hazard]thaw":      {"melting"},
		},
	}
	doc := parsed(t, []byte(strings.NewReplacer("surface.rock", "surface.tar", `"office"`, `"counter"`, `"high"`, `"grave"`, `"spring"`, `"melting"`).Replace(moved)))
	check := func(r *taxonomy.Release) string {
		check := func(doc *document.Document) (*validate.Result, error) { return validate.Instance(r, doc, nil) }
		result, err := check(doc)
		require.NoError(t, err)
		fixed, err := validate.FixAll(doc, result, check)
		require.NoError(t, err)
		return string(fixed.Document.Text())
	}
	plain, known := check(r), check(r.WithLineage(lineage))
	for old, now := range map[string]string{"surface.tar": stone.ID, "counter": "desk", "grave": "severe", "melting": "thaw"} {
		require.Contains(t, plain, `"`+old+`"`)
		require.NotContains(t, known, `"`+old+`"`)
		require.Contains(t, known, `"`+now+`"`)
	}
}

// TestSuccessors: without a lineage, a release tells the successors that it has. A single
// one is the fix.
func TestSuccessors(t *testing.T) {
	v := taxonomy.MustVersion("odd@2026-01-01-beta")
	text := taxonomy.Localized{{Locale: "en", Value: "Text"}}
	to := func(ids ...string) (all []taxonomy.Successor) {
		for _, id := range ids {
			all = append(all, taxonomy.Successor{ID: id})
		}
		return all
	}
	removed := []taxonomy.Removal{
		{ID: "one", ReplacedBy: to("stays"), Since: v},
		{ID: "next", ReplacedBy: to("one"), Since: v},
		{ID: "half", ReplacedBy: to("stays", "one"), Since: v},
		{ID: "none", Since: v},
	}
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: text, Description: text, Locales: []string{"en"}, Removed: removed,
		Type:       taxonomy.Type{ID: "odd", Name: text, Categories: []string{"one"}},
		Categories: []taxonomy.Category{{ID: "one", Name: text, Description: text, Shape: taxonomy.Circle}},
		Elements: []taxonomy.Element{{
			ID: "stays", Title: text, Description: text, CategoryID: "one", SymbolID: "dot", IconVariants: []string{"default", "dark"},
		}},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"/>`},
	})
	require.NoError(t, err)
	for id, hint := range map[string]string{
		"one": "write stays", "half": "write stays",
		"next": "remove the placement, or place another element", "none": "remove the placement, or place another element",
	} {
		doc := fmt.Sprintf(`{"id": "x", "schema_version": %q, "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": %q}]}`, v, id)
		result, err := validate.Instance(r, parsed(t, []byte(doc)), nil)
		require.NoError(t, err)
		require.Len(t, result.Issues, 1, id)
		require.Equal(t, hint, result.Issues[0].FixHint, id)
		// One of several successors that is left over is not chosen for the author.
		require.Equal(t, id == "one", result.Issues[0].Fix != nil, id)
	}
}
