package history_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/taxonomy"
	documents "github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// TestSuccessorsOfOthers validates against a release that lint would refuse: removals
// in cycles, in a long chain, and without an end, all of which a lineage follows. A single
// successor is the fix.
func TestSuccessorsOfOthers(t *testing.T) {
	v := taxonomy.MustVersion("odd@2026-01-01-beta")
	text := taxonomy.Localized{{Locale: "en", Value: "Text"}}
	to := func(ids ...string) (all []taxonomy.Successor) {
		for _, id := range ids {
			all = append(all, taxonomy.Successor{ID: id})
		}
		return all
	}
	removed := []taxonomy.Removal{
		{ID: "a", ReplacedBy: to("b"), Since: v},
		{ID: "b", ReplacedBy: to("a", "c"), Since: v},
		{ID: "c", ReplacedBy: to("stays"), Since: v},
		{ID: "self", ReplacedBy: to("self"), Since: v},
		{ID: "lost", ReplacedBy: to("nowhere"), Since: v},
		{ID: "half", ReplacedBy: to("stays", "lost"), Since: v},
		{ID: "twice", ReplacedBy: to("stays", "c", "chain0"), Since: v},
	}
	for i := range 500 {
		removed = append(removed, taxonomy.Removal{ID: fmt.Sprint("chain", i), ReplacedBy: to(fmt.Sprint("chain", i+1)), Since: v})
	}
	removed = append(removed, taxonomy.Removal{ID: "chain500", ReplacedBy: to("stays"), Since: v})
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
		"a": "write stays", "b": "write stays", "half": "write stays", "chain0": "write stays", "twice": "write stays",
		"self": "remove the placement, or place another element", "lost": "remove the placement, or place another element",
	} {
		doc := fmt.Sprintf(`{"id": "x", "schema_version": %q, "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": %q}]}`, v, id)
		parsed, err := documents.Parse([]byte(doc))
		require.NoError(t, err)
		result, err := validate.Instance(history.With(r, nil), parsed, nil)
		require.NoError(t, err)
		require.Len(t, result.Issues, 1, id)
		require.Equal(t, hint, result.Issues[0].FixHint, id)
		// One of several successors that is left over is not chosen for the author.
		require.Equal(t, id == "chain0" || id == "twice", result.Issues[0].Fix != nil, id)
	}
}
