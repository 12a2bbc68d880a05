package taxonomy_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// evolved returns the content of a version that uses every field about other versions.
func evolved() taxonomy.Content {
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	sources := []taxonomy.Source{{Type: "law", Title: "Act", Licence: "CC0-1.0", Attribution: "A. Author"}}
	variables := []taxonomy.Variable{{
		ID: "who", Label: text("Who"), Type: taxonomy.SelectVariable, RenamedFrom: []string{"whom"}, Sources: sources,
		Options: []taxonomy.Option{{ID: "all", Label: text("All"), RenamedFrom: []string{"any"}, Sources: sources}},
	}}
	variants := []string{"default", "dark", "public"}
	return taxonomy.Content{
		Title: text("Title"), Description: text("Description"), Locales: []string{"en"},
		Notes: text("New"), Licence: "CC-BY-4.0", Attribution: "The city",
		Removed: []taxonomy.Removal{
			{ID: "gone", ReplacedBy: []taxonomy.Successor{{ID: "old"}, {ID: "new", Note: text("If new")}}, Note: text("Why"), Since: taxonomy.MustVersion("ai@2026-01-01-beta")},
			{ID: "before", ReplacedBy: []taxonomy.Successor{{ID: "gone"}, {ID: "before"}}, Since: taxonomy.MustVersion("ai@2025-01-01-stable")},
		},
		Synonyms: []taxonomy.Synonyms{{Locale: "en", Groups: [][]string{{"camera", "cctv"}}}},
		Type:     taxonomy.Type{ID: "ai", Name: text("AI"), Categories: []string{"one"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{{
			ID: "one", Name: text("One"), Description: text("One"), Shape: taxonomy.Circle, Variables: variables,
			RenamedFrom: []string{"first"}, Sources: sources,
			Context: taxonomy.Context{Values: []taxonomy.ContextValue{{ID: "public", Label: text("Public"), RenamedFrom: []string{"open"}}}},
		}},
		Elements: []taxonomy.Element{
			{ID: "new", Title: text("New"), Description: text("New"), CategoryID: "one", SymbolID: "dot", IconVariants: variants, Variables: variables, Status: codes.StatusActive},
			{
				ID: "old", Title: text("Old"), Description: text("Old"), CategoryID: "one", SymbolID: "dot", IconVariants: variants, Variables: variables,
				Status: codes.StatusDeprecated, ReplacedBy: []taxonomy.Successor{{ID: "new"}}, Examples: []taxonomy.Localized{text("Once"), text("Twice")},
			},
		},
		Symbols: map[string]string{"dot": "<svg/>"},
	}
}

// TestEvolution shows that what a version says about others survives publishing, in
// every way to open a release.
func TestEvolution(t *testing.T) {
	content := evolved()
	v := taxonomy.MustVersion("ai@2026-02-02-beta")
	made, err := taxonomy.NewRelease(v, content)
	require.NoError(t, err)
	var text bytes.Buffer
	_, err = made.WriteTo(&text)
	require.NoError(t, err)
	require.NotContains(t, text.String(), `"active"`, "the default is not written")
	decoded, err := taxonomy.DecodeRelease(text.Bytes(), content.Symbols)
	require.NoError(t, err)
	promoted, err := decoded.WithVersion(taxonomy.MustVersion("ai@2026-02-02-stable"))
	require.NoError(t, err)
	require.Equal(t, made.ContentHash(), promoted.ContentHash())
	for _, r := range []*taxonomy.Release{made, decoded, promoted} {
		m := r.Manifest()
		require.Equal(t, content.Notes, m.Notes)
		require.Equal(t, []string{content.Licence, content.Attribution}, []string{m.Licence, m.Attribution})
		require.Equal(t, content.Removed, m.Removed)
		require.Equal(t, content.Synonyms, m.Synonyms)
		require.Empty(t, m.Extra)
		require.Equal(t, content.Categories[0], *r.Categories()[0])
		require.Equal(t, content.Elements[1], *r.Elements()[1])
		require.False(t, r.Elements()[0].Deprecated())
		require.True(t, r.Elements()[1].Deprecated())

		gone, ok := r.Fate("gone")
		require.True(t, ok)
		require.Equal(t, taxonomy.Fate{Removal: &content.Removed[0], Successors: content.Removed[0].ReplacedBy}, gone)
		before, ok := r.Fate("before")
		require.True(t, ok)
		require.Equal(t, taxonomy.Fate{Removal: &content.Removed[1]}, before, "its successors were removed")
		old, ok := r.Fate("old")
		require.True(t, ok)
		require.Equal(t, taxonomy.Fate{Successors: content.Elements[1].ReplacedBy, Replacement: "new"}, old)
		for _, id := range []string{"new", "nothing"} {
			_, ok = r.Fate(id)
			require.False(t, ok, id)
		}
	}
}

// Every field changes the hash.
func TestEvolutionIsContent(t *testing.T) {
	v := taxonomy.MustVersion("ai@2026-02-02-beta")
	seen := make(map[taxonomy.Hash]bool)
	for _, edit := range []func(*taxonomy.Content){
		func(*taxonomy.Content) {},
		func(c *taxonomy.Content) { c.Notes = nil },
		func(c *taxonomy.Content) { c.Licence = "" },
		func(c *taxonomy.Content) { c.Attribution = "" },
		func(c *taxonomy.Content) { c.Removed = c.Removed[:1] },
		func(c *taxonomy.Content) { c.Synonyms = nil },
		func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = nil },
		func(c *taxonomy.Content) { c.Elements[1].Status = "" },
		func(c *taxonomy.Content) { c.Elements[1].ReplacedBy = nil },
		func(c *taxonomy.Content) { c.Elements[1].Examples = nil },
	} {
		content := evolved()
		edit(&content)
		r, err := taxonomy.NewRelease(v, content)
		require.NoError(t, err)
		require.False(t, seen[r.ContentHash()])
		seen[r.ContentHash()] = true
	}
}

// lineage knows that everything was replaced.
type lineage struct{}

func (lineage) Fate(id string) (taxonomy.Fate, bool) { return taxonomy.Fate{Replacement: id}, true }

func (lineage) Formerly(taxonomy.IDKind, string, ...string) []string { return nil }

// TestLineage: a lineage replaces what a release says about elements, and is not content.
func TestLineage(t *testing.T) {
	made, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-02-02-beta"), evolved())
	require.NoError(t, err)
	require.Nil(t, made.Lineage())
	r := made.WithLineage(lineage{})
	require.Equal(t, lineage{}, r.Lineage())
	f, ok := r.Fate("new")
	require.True(t, ok)
	require.Equal(t, "new", f.Replacement)
	require.Equal(t, made, r.WithLineage(nil))
	var before, after bytes.Buffer
	_, err = made.WriteTo(&before)
	require.NoError(t, err)
	_, err = r.WriteTo(&after)
	require.NoError(t, err)
	require.Equal(t, before.String(), after.String())
	promoted, err := r.WithVersion(taxonomy.MustVersion("ai@2026-02-02-stable"))
	require.NoError(t, err)
	require.Nil(t, promoted.Lineage(), "it is that of another version")
}

// TestIndexEvolution: an index keeps texts of evolutions as they are, whatever they say.
func TestIndexEvolution(t *testing.T) {
	listed, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: taxonomy.MustVersion("ai@2026-02-02-beta"), ContentHash: taxonomy.Hash{1}}})
	require.NoError(t, err)
	evolution := []byte("{ this is no JSON")
	x := listed.WithEvolution("ai", evolution)
	require.False(t, x.Equal(listed))
	text, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	decoded, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	require.True(t, x.Equal(decoded))
	require.Nil(t, decoded.EvolutionJSON("ai"), "it is not in the file")
	again, err := taxonomy.EncodeIndex(decoded)
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
	loaded, err := decoded.LoadEvolutions(nil, func(string, taxonomy.Hash) ([]byte, error) { return evolution, nil })
	require.NoError(t, err)
	require.Equal(t, evolution, loaded.EvolutionJSON("ai"))
	_, err = decoded.LoadEvolutions(nil, func(string, taxonomy.Hash) ([]byte, error) { return []byte("{}"), nil })
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	_, err = loaded.LoadEvolutions(loaded, nil)
	require.NoError(t, err, "nothing is read again")
	require.False(t, x.WithEvolution("ai", []byte("another")).Equal(x))
	without := loaded.WithEvolution("ai", nil)
	require.True(t, without.Equal(listed))
	require.Empty(t, without.Record().Evolutions)
}
