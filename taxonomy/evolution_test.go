package taxonomy_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
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

		gone, ok := r.Removed("gone")
		require.True(t, ok)
		require.Equal(t, content.Removed[0], *gone)
		_, ok = r.Removed("new")
		require.False(t, ok)
		require.Equal(t, content.Removed[0].ReplacedBy, r.Succession("gone").Elements)
		require.Equal(t, content.Removed[0].ReplacedBy, r.Succession("before").Elements, "through another removal, and not in a circle")
		require.Equal(t, content.Elements[1].ReplacedBy, r.Succession("old").Elements)
		require.Empty(t, r.Succession("new").Elements)
		require.Empty(t, r.Succession("nothing").Elements)
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

// TestSuccession compares successions with those of a plain walk, on random graphs.
func TestSuccession(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	v := taxonomy.MustVersion("ai@2026-02-02-beta")
	for range 300 {
		content := evolved()
		content.Removed = nil
		n := 1 + random.IntN(12)
		name := func(i int) string { return fmt.Sprintf("r%d", i) }
		for i := range n {
			gone := taxonomy.Removal{ID: name(i), Since: v}
			for range random.IntN(3) + random.IntN(2) {
				to := name(random.IntN(n + 1)) // the last one is not listed
				if random.IntN(6) == 0 {
					to = []string{"new", "old"}[random.IntN(2)]
				}
				gone.ReplacedBy = append(gone.ReplacedBy, taxonomy.Successor{ID: to})
			}
			content.Removed = append(content.Removed, gone)
		}
		r, err := taxonomy.NewRelease(v, content)
		require.NoError(t, err)
		for i := range n + 2 {
			require.Equal(t, walked(r, name(i)), r.Succession(name(i)), "%s of %v", name(i), content.Removed)
		}
	}
}

// walked is a succession by a walk from an element.
func walked(r *taxonomy.Release, start string) (s taxonomy.Succession) {
	var way []string
	seen := make(map[string]bool)
	var follow func(id string)
	follow = func(id string) {
		way = append(way, id)
		defer func() { way = way[:len(way)-1] }()
		seen[id] = true
		gone, listed := r.Removed(id)
		if !listed || len(gone.ReplacedBy) == 0 {
			s.Incomplete = true
			return
		}
		for _, next := range gone.ReplacedBy {
			switch at := slices.Index(way, next.ID); {
			case at >= 0:
				s.Cycle = append(slices.Clone(way[at:]), next.ID)
			case seen[next.ID]:
			case r.HasElement(next.ID):
				seen[next.ID] = true
				s.Elements = append(s.Elements, next)
			default:
				follow(next.ID)
			}
		}
	}
	if _, listed := r.Removed(start); listed {
		follow(start)
	}
	return s
}

// TestEvolved shows what an evolution adds to a release: nothing to its content, and only
// what is not newer.
func TestEvolved(t *testing.T) {
	content := evolved()
	v := taxonomy.MustVersion("ai@2026-02-02-beta")
	made, err := taxonomy.NewRelease(v, content)
	require.NoError(t, err)
	date := func(day string) taxonomy.Version { return taxonomy.MustVersion("ai@" + day + "-stable") }
	e := &taxonomy.Evolution{
		Removed: []taxonomy.RemovedID{
			{Removal: taxonomy.Removal{ID: "gone", Since: date("2026-01-01"), ReplacedBy: []taxonomy.Successor{{ID: "old"}}}},
			{Kind: codes.IDOption, In: "new", Removal: taxonomy.Removal{ID: "none", Since: date("2026-01-01"), Note: taxonomy.Localized{{Locale: "en", Value: "Never used"}}}},
		},
		Renamed: []taxonomy.Rename{
			{Kind: codes.IDElement, From: "a", To: "b", Since: date("2025-01-01")},
			{Kind: codes.IDElement, From: "b", To: "new", Since: date("2026-02-02")},
			{Kind: codes.IDElement, From: "new", To: "newer", Since: date("2027-01-01")},
			{Kind: codes.IDCategory, From: "zero", To: "uno", Since: date("2025-01-01")},
			{Kind: codes.IDCategory, From: "uno", To: "one", Since: date("2026-01-01")},
			{Kind: codes.IDVariable, From: "wer", To: "who", In: "uno", Since: date("2025-06-01")},
			{Kind: codes.IDOption, From: "every", To: "all", In: "new", Since: date("2025-06-01")},
			{Kind: codes.IDContextValue, From: "private", To: "public", In: "zero", Since: date("2025-01-01")},
			{Kind: codes.IDContextValue, From: "public", To: "closed", In: "zero", Since: date("2027-01-01")},
		},
		Split: []taxonomy.Split{{From: "both", To: []string{"b", "old"}, Since: date("2025-01-01")}},
	}
	r := made.Evolved(e)
	require.Same(t, made, r.Evolved(nil))
	require.Same(t, made, made.Evolved(nil))
	var before, after bytes.Buffer
	_, err = made.WriteTo(&before)
	require.NoError(t, err)
	_, err = r.WriteTo(&after)
	require.NoError(t, err)
	require.Equal(t, before.String(), after.String())
	require.Equal(t, made.ElementJSON("new"), r.ElementJSON("new"))
	require.Equal(t, made.Manifest(), r.Manifest())

	single := func(id string) string { next, _ := r.Succession(id).Single(); return next.ID }
	require.Equal(t, "new", single("a"), "renames chain")
	require.Equal(t, "old", single("gone"), "it counts more than the version")
	both := r.Succession("both")
	require.True(t, both.Split)
	require.Equal(t, []taxonomy.Successor{{ID: "new"}, {ID: "old"}}, both.Elements)
	_, removed := r.Removed("new")
	require.False(t, removed, "that is newer")
	require.Equal(t, []string{"first", "uno", "zero"}, r.Categories()[0].RenamedFrom)
	require.Equal(t, []string{"open", "private"}, r.Categories()[0].Context.Values[0].RenamedFrom)
	for _, v := range []taxonomy.Variable{r.Categories()[0].Variables[0], r.Elements()[0].Variables[0]} {
		require.Equal(t, []string{"whom", "wer"}, v.RenamedFrom)
	}
	require.Equal(t, []string{"any", "every"}, r.Elements()[0].Variables[0].Options[0].RenamedFrom)
	require.Equal(t, []string{"any"}, r.Elements()[1].Variables[0].Options[0].RenamedFrom, "of another element")
	require.Equal(t, content.Categories[0].RenamedFrom, made.Categories()[0].RenamedFrom)
	gone, recorded := r.Renamed(codes.IDOption, "none", date("2025-01-01"), "new", "one")
	require.True(t, recorded)
	require.Empty(t, gone)
	require.Equal(t, "Never used", r.RemovalNote(codes.IDOption, "none", date("2025-01-01"), "new", "one").Pick("en"))
	_, recorded = r.Renamed(codes.IDOption, "none", date("2025-01-01"), "old", "one")
	require.False(t, recorded, "of another element")
	_, recorded = r.Renamed(codes.IDOption, "none", date("2026-01-01"), "new", "one")
	require.False(t, recorded, "it had gone already")
	beta, err := taxonomy.NewVersion("ai", "2025-06-01", taxonomy.Beta)
	require.NoError(t, err)
	now, recorded := r.Renamed(codes.IDOption, "every", beta, "new", "one")
	require.True(t, recorded, "a beta is older than the stable version of the same date")
	require.Equal(t, "all", now)

	x, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: v, ContentHash: made.ContentHash()}})
	require.NoError(t, err)
	x, err = x.WithEvolution("ai", e)
	require.NoError(t, err)
	text, err := taxonomy.EncodeIndex(x)
	require.NoError(t, err)
	decoded, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	require.True(t, x.Equal(decoded))
	require.Nil(t, decoded.Evolution("ai"))
	loaded, err := decoded.LoadEvolutions(nil, func(string, taxonomy.Hash) ([]byte, error) { return x.EvolutionJSON("ai"), nil })
	require.NoError(t, err)
	require.Equal(t, e, loaded.Evolution("ai"))
	_, err = decoded.LoadEvolutions(nil, func(string, taxonomy.Hash) ([]byte, error) { return []byte("{}"), nil })
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
	_, err = loaded.LoadEvolutions(loaded, nil)
	require.NoError(t, err, "nothing is read again")
	without, err := loaded.WithEvolution("ai", nil)
	require.NoError(t, err)
	require.False(t, without.Equal(loaded))
	require.Empty(t, without.Record().Evolutions)
}
