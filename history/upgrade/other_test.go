package upgrade_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy"
)

// strolls are versions of two types with the same ids, after a change of the second.
func strolls(t *testing.T, change func(*taxonomy.Content)) (from, to *taxonomy.Release) {
	t.Helper()
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	content := func(typ string) taxonomy.Content {
		return taxonomy.Content{
			Title: text("Walks"), Description: text("Walks"), Locales: []string{"en"},
			Type: taxonomy.Type{ID: typ, Name: text("Walk"), Categories: []string{"goal"}},
			Categories: []taxonomy.Category{{
				ID: "goal", Name: text("Goal"), Description: text("Goal"), Shape: taxonomy.Circle,
				Context: taxonomy.Context{ID: "far", Name: text("How far"), Values: []taxonomy.ContextValue{{ID: "near", Label: text("Near"), Color: "#112233"}}},
			}},
			Elements: []taxonomy.Element{{
				ID: "goal.lake", Title: text("Lake"), Description: text("Lake"), CategoryID: "goal", SymbolID: "dot", IconVariants: []string{"default", "dark", "near"},
				Variables: []taxonomy.Variable{
					{ID: "name", Label: text("Name"), Type: taxonomy.TextVariable},
					{ID: "season", Label: text("Season"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{{ID: "summer", Label: text("Summer")}}},
				},
			}},
			Symbols: map[string]string{"dot": "<svg/>"},
		}
	}
	from, err := taxonomy.NewRelease(taxonomy.MustVersion("walk@2026-01-01-stable"), content("walk"))
	require.NoError(t, err)
	changed := content("stroll")
	change(&changed)
	to, err = taxonomy.NewRelease(taxonomy.MustVersion("stroll@2025-01-01-beta"), changed)
	require.NoError(t, err)
	return from, to
}

const aWalk = `{"id": "w", "title": [{"locale": "en", "value": "W"}], "description": [], "schema_version": "walk@2026-01-01-stable",
  "created_at": "2026-01-02T00:00:00Z", "elements": [{"element_id": "goal.lake", "context_type_id": "near", "variables": [
    {"id": "name", "value": [{"locale": "en", "value": "Lake"}]}, {"id": "season", "value": ["summer"]}]}]}`

// TestOtherType moves a document to another type only if it is asked to, and if that type has all
// that the document uses.
func TestOtherType(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*taxonomy.Content)
		lacks  string
	}{
		"the same ids": {change: func(*taxonomy.Content) {}},
		"more ids": {change: func(c *taxonomy.Content) {
			more := c.Elements[0]
			more.ID = "goal.drone"
			c.Elements = []taxonomy.Element{more, c.Elements[0]}
		}},
		"no element":  {func(c *taxonomy.Content) { c.Elements[0].ID = "goal.sea" }, "the element goal.lake"},
		"no variable": {func(c *taxonomy.Content) { c.Elements[0].Variables[0].ID = "label" }, "the variable name of goal.lake"},
		"a renamed variable": {func(c *taxonomy.Content) {
			c.Elements[0].Variables[0].ID, c.Elements[0].Variables[0].RenamedFrom = "label", []string{"name"}
		}, "the variable name of goal.lake"},
		"no option": {func(c *taxonomy.Content) { c.Elements[0].Variables[1].Options[0].ID = "winter" }, "the option summer of the variable season of goal.lake"},
		"no context value": {func(c *taxonomy.Content) {
			c.Categories[0].Context.Values[0].ID, c.Elements[0].IconVariants = "distant", []string{"default", "dark", "distant"}
		}, "the context value near of goal.lake"},
		"another type of variable": {func(c *taxonomy.Content) {
			c.Elements[0].Variables[0].Type, c.Elements[0].Variables[0].Options = taxonomy.SelectVariable, c.Elements[0].Variables[1].Options
		}, "a text for the variable name of goal.lake"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := strolls(t, c.change)
			for _, old := range []*taxonomy.Release{from, nil} {
				_, err := upgrade.Document(parsed(t, aWalk), old, to, &upgrade.Options{Drop: true})
				require.ErrorIs(t, err, upgrade.ErrAnotherType, "it is not asked to")
				r, err := upgrade.Document(parsed(t, aWalk), old, to, &upgrade.Options{OtherType: true, Drop: true})
				if c.lacks != "" {
					require.ErrorIs(t, err, upgrade.ErrLacking)
					require.ErrorContains(t, err, ": "+c.lacks)
					continue
				}
				require.NoError(t, err)
				require.True(t, r.OK(), r.Report)
				want := strings.Replace(aWalk, "walk@2026-01-01-stable", "stroll@2025-01-01-beta", 1)
				require.Equal(t, []byte(want), r.Document.Text())
			}
		})
	}
}

// TestRunOtherType moves a document with a service: the date of another type does not count.
func TestRunOtherType(t *testing.T) {
	t.Parallel()
	from, to := strolls(t, func(*taxonomy.Content) {})
	s := walks(t, from, to)
	schema, err := s.Open(t.Context(), to.Version().String())
	require.NoError(t, err)
	_, err = upgrade.Run(t.Context(), schema, []byte(aWalk), nil)
	require.ErrorIs(t, err, upgrade.ErrAnotherType)
	r, err := upgrade.Run(t.Context(), schema, []byte(aWalk), &upgrade.RunOptions{OtherType: true})
	require.NoError(t, err)
	require.True(t, r.OK(), r.Report)

	from, to = strolls(t, func(c *taxonomy.Content) { c.Elements[0].ID = "goal.sea" })
	schema, err = walks(t, from, to).Open(t.Context(), to.Version().String())
	require.NoError(t, err)
	_, err = upgrade.Run(t.Context(), schema, []byte(aWalk), &upgrade.RunOptions{OtherType: true})
	require.ErrorIs(t, err, upgrade.ErrLacking)
	require.ErrorContains(t, err, "can't move to stroll@2025-01-01-beta")
}
