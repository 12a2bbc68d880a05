package diff_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

func en(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }

// release returns a version with elements in categories, given as "category/element".
func release(t testing.TB, id string, edit func(*taxonomy.Content), elements ...string) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Content{
		Title: en("Toys"), Description: en("Toys"), Locales: []string{"en"},
		Type:    taxonomy.Type{ID: "toy", Name: en("Toy"), Subchains: []taxonomy.Subchain{}},
		Symbols: map[string]string{"dot": "<svg/>"},
	}
	known := make(map[string]bool)
	for _, e := range elements {
		category, name, _ := strings.Cut(e, "/")
		if !known[category] {
			known[category] = true
			c.Type.Categories = append(c.Type.Categories, category)
			c.Categories = append(c.Categories, taxonomy.Category{
				ID: category, Name: en("The " + category), Description: en(category), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			})
		}
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: name, Title: en("A " + name), Description: en(name), CategoryID: category, SymbolID: "dot",
			IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
		})
	}
	if edit != nil {
		edit(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(id), c)
	require.NoError(t, err)
	return r
}

// set compares two releases.
func set(before, after *taxonomy.Release) *diff.Set {
	return diff.NewSet(before, after, diff.Releases(before, after))
}

// TestGroups sorts changes by category: that of a removed element by its new id, and a
// symbol with the element that uses it.
func TestGroups(t *testing.T) {
	before := release(t, "toy@2026-01-01-stable", nil, "noise/beep", "noise/hum", "shape/ball")
	after := release(t, "toy@2026-02-01-stable", func(c *taxonomy.Content) {
		c.Title = en("All toys")
		c.Categories[1].RenamedFrom = []string{"noise"}
		c.Elements[0].SymbolID = "round"
		c.Symbols["round"], c.Symbols["unused"] = "<svg>1</svg>", "<svg>2</svg>"
	}, "shape/ball", "sound/beep")
	s := set(before, after)
	var got []string
	for _, g := range s.Groups(s.Changes) {
		for _, c := range g.Changes {
			got = append(got, fmt.Sprintf("%s: %s %s", g.Category, c.Kind, c.Place()))
		}
	}
	require.ElementsMatch(t, []string{
		": changed manifest: title.en", ": added symbol unused", ": reordered datachain_type: categories",
	}, got[:3])
	require.Equal(t, []string{
		"shape: changed element ball: symbol_id", "shape: added symbol round",
		"sound: renamed category sound", "sound: changed category sound: description.en", "sound: changed category sound: name.en",
		"sound: removed element hum",
	}, got[3:])
}

// TestNotesEnd writes the notes of a large change, and stops when the request ends.
func TestNotesEnd(t *testing.T) {
	var elements []string
	for i := range 3000 {
		elements = append(elements, fmt.Sprintf("noise/e%04d", i))
	}
	before := release(t, "toy@2026-01-01-stable", nil, elements...)
	after := release(t, "toy@2026-02-01-stable", func(c *taxonomy.Content) {
		for i := range c.Elements {
			c.Elements[i].Description = en("Another text")
		}
	}, elements...)
	s := set(before, after)
	var b strings.Builder
	require.NoError(t, s.WriteNotes(t.Context(), &b, nil))
	require.Equal(t, 3000, strings.Count(b.String(), "\n- Changed: "))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.WriteNotes(ctx, io.Discard, nil), context.Canceled)
}

func ExampleSet_WriteNotes() {
	t := new(testing.T)
	before := release(t, "toy@2026-01-01-stable", nil, "noise/beep", "noise/hum")
	after := release(t, "toy@2026-02-01-stable", nil, "noise/beep")
	var b strings.Builder
	_ = set(before, after).WriteNotes(context.Background(), &b, &diff.NotesOptions{Locale: "en", Released: "2026-02-03"})
	fmt.Print(b.String())
	// Output:
	// # Toys: toy@2026-02-01-stable
	//
	// Released on 2026-02-03. Changes since toy@2026-01-01-stable.
	//
	// ## Breaking changes
	//
	// Documents that change their `schema_version` and nothing else can become invalid. Use `datachain upgrade` to move them.
	//
	// ### The noise (`noise`)
	//
	// - Removed: A hum (`hum`). Documents that place the element become invalid. `element-removed`
}
