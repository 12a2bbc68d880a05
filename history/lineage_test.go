package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
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
			require.Equal(t, walked(history.New(r, nil), name(i)), history.New(r, nil).Succession(name(i)), "%s of %v", name(i), content.Removed)
		}
	}
}

// walked is a succession by a walk from an element.
func walked(l *history.Lineage, start string) (s history.Succession) {
	var way []string
	seen := make(map[string]bool)
	var follow func(id string)
	follow = func(id string) {
		way = append(way, id)
		defer func() { way = way[:len(way)-1] }()
		seen[id] = true
		gone, listed := l.Removed(id)
		if !listed || len(gone.ReplacedBy) == 0 {
			s.Incomplete = true
			return
		}
		for _, next := range gone.ReplacedBy {
			switch at := slices.Index(way, next.ID); {
			case at >= 0:
				s.Cycle = append(slices.Clone(way[at:]), next.ID)
			case seen[next.ID]:
			case l.Release().HasElement(next.ID):
				seen[next.ID] = true
				s.Elements = append(s.Elements, next)
			default:
				follow(next.ID)
			}
		}
	}
	if _, listed := l.Removed(start); listed {
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
	e := &history.Evolution{
		Removed: []history.RemovedID{
			{Removal: taxonomy.Removal{ID: "gone", Since: date("2026-01-01"), ReplacedBy: []taxonomy.Successor{{ID: "old"}}}},
			{Kind: codes.IDOption, In: "new", Removal: taxonomy.Removal{ID: "none", Since: date("2026-01-01"), Note: taxonomy.Localized{{Locale: "en", Value: "Never used"}}}},
		},
		Renamed: []history.Rename{
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
		Split: []history.Split{{From: "both", To: []string{"b", "old"}, Since: date("2025-01-01")}},
	}
	r := history.With(made, e)
	l := history.From(r)
	require.Same(t, r.Lineage(), l)
	var before, after bytes.Buffer
	_, err = made.WriteTo(&before)
	require.NoError(t, err)
	_, err = r.WriteTo(&after)
	require.NoError(t, err)
	require.Equal(t, before.String(), after.String())
	require.Equal(t, made.ElementJSON("new"), r.ElementJSON("new"))
	require.Equal(t, made.Manifest(), r.Manifest())

	single := func(id string) string { next, _ := l.Succession(id).Single(); return next.ID }
	require.Equal(t, "new", single("a"), "renames chain")
	require.Equal(t, "old", single("gone"), "it counts more than the version")
	both := l.Succession("both")
	require.True(t, both.Split)
	require.Equal(t, []taxonomy.Successor{{ID: "new"}, {ID: "old"}}, both.Elements)
	_, removed := l.Removed("new")
	require.False(t, removed, "that is newer")
	require.Equal(t, []string{"first", "uno", "zero"}, l.Category(r.Categories()[0]).RenamedFrom)
	require.Equal(t, []string{"open", "private"}, l.Category(r.Categories()[0]).Context.Values[0].RenamedFrom)
	for _, v := range []taxonomy.Variable{l.Category(r.Categories()[0]).Variables[0], l.Element(r.Elements()[0]).Variables[0]} {
		require.Equal(t, []string{"whom", "wer"}, v.RenamedFrom)
	}
	require.Equal(t, []string{"any", "every"}, l.Element(r.Elements()[0]).Variables[0].Options[0].RenamedFrom)
	require.Equal(t, []string{"any"}, l.Element(r.Elements()[1]).Variables[0].Options[0].RenamedFrom, "of another element")
	require.Equal(t, content.Categories[0].RenamedFrom, made.Categories()[0].RenamedFrom)
	gone, recorded := l.Renamed(codes.IDOption, "none", date("2025-01-01"), "new", "one")
	require.True(t, recorded)
	require.Empty(t, gone)
	require.Equal(t, "Never used", l.RemovalNote(codes.IDOption, "none", date("2025-01-01"), "new", "one").Pick("en"))
	_, recorded = l.Renamed(codes.IDOption, "none", date("2025-01-01"), "old", "one")
	require.False(t, recorded, "of another element")
	_, recorded = l.Renamed(codes.IDOption, "none", date("2026-01-01"), "new", "one")
	require.False(t, recorded, "it had gone already")
	beta, err := taxonomy.NewVersion("ai", "2025-06-01", taxonomy.Beta)
	require.NoError(t, err)
	now, recorded := l.Renamed(codes.IDOption, "every", beta, "new", "one")
	require.True(t, recorded, "a beta is older than the stable version of the same date")
	require.Equal(t, "all", now)

	text, err := e.Text()
	require.NoError(t, err)
	decoded, err := history.Decode("ai", text)
	require.NoError(t, err)
	require.Equal(t, e, decoded)
	known, err := history.For(made, text)
	require.NoError(t, err)
	require.Equal(t, l.Succession("both"), known.(*history.Lineage).Succession("both"))
}

// TestSchemaHasTheFields compares the JSON Schema of the source of an evolution with the struct tags.
func TestSchemaHasTheFields(t *testing.T) {
	text, ok := validate.JSONSchema("authoring_evolution")
	require.True(t, ok)
	var schema map[string]any
	require.NoError(t, json.Unmarshal(text, &schema))
	require.Empty(t, jsonfieldstest.SchemaDifferences(schema, reflect.TypeFor[history.Evolution]()), "add the fields to validate/schemas/authoring_evolution.schema.json, or remove them there")
}

// TestDamaged refuses texts that can't be decoded.
func TestDamaged(t *testing.T) {
	made, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-02-02-beta"), evolved())
	require.NoError(t, err)
	x, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: made.Version(), ContentHash: made.ContentHash()}})
	require.NoError(t, err)
	require.NoError(t, history.Check(x))
	for text, ok := range map[string]bool{
		`{}`: true, `{"unknown": 1}`: true, `{"removed": [{"id": "a", "since": "ai@2026-01-01-stable"}]}`: true,
		`{`: false, ``: false, `[]`: false, `{"removed": [{"id": "a"}]}`: false, `{"removed": [{"id": "a", "since": "sensor@2026-01-01-stable"}]}`: false,
	} {
		l, err := history.For(made, []byte(text))
		if ok {
			require.NoError(t, err, text)
			require.NotNil(t, l)
			require.NoError(t, history.Check(x.WithEvolution("ai", []byte(text))))
			continue
		}
		require.ErrorIs(t, err, taxonomy.ErrRefused, text)
		require.ErrorContains(t, err, "evolution of ai: ")
		require.Nil(t, l)
		if text != "" {
			require.ErrorIs(t, history.Check(x.WithEvolution("ai", []byte(text))), taxonomy.ErrRefused)
		}
	}
}
