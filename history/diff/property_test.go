package diff_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// TestBreakingExactly edits many small schemas at random, and looks for a document
// that is valid before and invalid after. There must be one exactly if a change is
// breaking.
func TestBreakingExactly(t *testing.T) {
	breaking, harmless, seeds := 0, 0, 240
	if testing.Short() {
		seeds /= 4
	}
	for seed := range uint64(seeds) {
		s := schemer{rand.New(rand.NewPCG(seed, 8))}
		old := s.content()
		before, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-01-01-stable"), inherit(old))
		require.NoError(t, err)
		edited := copied(t, old)
		for range 1 + s.IntN(2) {
			s.edit(&edited)
		}
		after, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-02-01-beta"), inherit(edited))
		require.NoError(t, err)

		report := diff.Releases(before, after)
		witness := (&search{t, before, after}).witness()
		if (len(report.With(diff.Breaking)) > 0) != (witness != nil) {
			t.Fatalf("seed %d: breaking changes: %q\nall changes: %q\ndocument that breaks: %s\nbefore: %s\nafter: %s", seed,
				lines(report.With(diff.Breaking)), lines(report.Changes), marshal(t, witness), marshal(t, old.Categories, old.Elements), marshal(t, edited.Categories, edited.Elements))
		}
		if witness != nil {
			breaking++
			explained(t, diff.NewImpact(before, after, report), witness)
		} else if !report.Empty() {
			harmless++
		}
	}
	t.Logf("%d breaking and %d harmless edits", breaking, harmless)
	require.Greater(t, breaking, seeds/6)
	require.Greater(t, harmless, seeds/6)
}

// explained checks that an impact names the breaking changes that concern a
// document, unless only its provenance is invalid.
func explained(t *testing.T, impact *diff.Impact, d *doc) {
	t.Helper()
	d.SchemaVersion = impact.Report().Old.String()
	text, err := json.Marshal(d)
	require.NoError(t, err)
	parsed, err := document.Parse(text)
	require.NoError(t, err)
	effect, err := impact.Document(parsed)
	require.NoError(t, err)
	require.Equal(t, diff.Invalid, effect.Outcome, "%s", text)
	if d.Provenance == nil {
		require.NotEmpty(t, effect.Hits, "%s\n%v\n%q", text, effect.Findings, lines(impact.Report().Changes))
	}
	for _, hit := range effect.Hits {
		require.Equal(t, diff.Breaking, impact.Report().Changes[hit.Change].Severity)
		require.NotEmpty(t, hit.Places)
		for _, at := range hit.Places {
			_, exists := parsed.Find(at)
			require.True(t, exists, "%s in %s", at, text)
		}
	}
}

func marshal(t *testing.T, v ...any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func copied(t *testing.T, c taxonomy.Content) (copied taxonomy.Content) {
	t.Helper()
	text, err := json.Marshal(c)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &copied))
	return copied
}

// inherit completes content as the compiler does: elements get the variables of
// their category and a variant for each context value.
func inherit(c taxonomy.Content) taxonomy.Content {
	c.Elements = slices.Clone(c.Elements)
	c.Type.Categories = nil
	for _, category := range c.Categories {
		c.Type.Categories = append(c.Type.Categories, category.ID)
	}
	for i := range c.Elements {
		e := &c.Elements[i]
		category := c.Categories[slices.IndexFunc(c.Categories, func(c taxonomy.Category) bool { return c.ID == e.CategoryID })]
		own := e.Variables
		e.Variables = []taxonomy.Variable{}
		for _, v := range category.Variables {
			if !slices.ContainsFunc(own, func(w taxonomy.Variable) bool { return w.ID == v.ID }) {
				e.Variables = append(e.Variables, v)
			}
		}
		e.Variables = append(e.Variables, own...)
		e.IconVariants = []string{taxonomy.VariantDefault, taxonomy.VariantDark}
		for _, v := range category.Context.Values {
			e.IconVariants = append(e.IconVariants, v.ID)
		}
	}
	slices.SortStableFunc(c.Elements, func(a, b taxonomy.Element) int {
		at := func(e taxonomy.Element) int { return slices.Index(c.Type.Categories, e.CategoryID) }
		return at(a) - at(b)
	})
	return c
}

// schemer makes and edits small schemas, in which the variables of elements are only
// their own.
type schemer struct{ *rand.Rand }

func (s schemer) rarely() bool { return s.IntN(4) == 0 }

func (s schemer) content() taxonomy.Content {
	c := taxonomy.Content{
		Title: text("AI", "IA"), Locales: []string{"en", "fr"},
		Type:    taxonomy.Type{ID: "ai", Name: text("AI", "IA"), Subchains: []taxonomy.Subchain{{ID: "flow", Name: text("Flow", "Flux"), Categories: []string{}}}},
		Symbols: map[string]string{"star": svg},
	}
	for i := range 1 + s.IntN(3) {
		c.Categories = append(c.Categories, s.category(fmt.Sprint("c", i)))
	}
	for i := range 1 + s.IntN(3) {
		c.Elements = append(c.Elements, s.element(fmt.Sprint("e", i), &c))
	}
	return c
}

func (s schemer) category(id string) taxonomy.Category {
	c := taxonomy.Category{ID: id, Name: text("C", "C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}}
	c.Required = s.rarely()
	if s.rarely() {
		c.Cardinality.Min = s.IntN(3)
	}
	if s.rarely() {
		c.Cardinality.Max = max(1, c.Cardinality.Min) + s.IntN(2)
	}
	if s.rarely() {
		c.Variables = append(c.Variables, s.variable("shared"))
	}
	for _, id := range []string{"x", "y"} {
		if s.rarely() {
			c.Context.Values = append(c.Context.Values, taxonomy.ContextValue{ID: id, Label: text(id, id)})
		}
	}
	c.Context.Required = s.rarely()
	return c
}

func (s schemer) element(id string, c *taxonomy.Content) taxonomy.Element {
	e := taxonomy.Element{ID: id, Title: text("E", "E"), Description: text("E", "E"), SymbolID: "star", Variables: []taxonomy.Variable{}}
	e.CategoryID = c.Categories[s.IntN(len(c.Categories))].ID
	if s.rarely() {
		e.MaxPlacements = 1 + s.IntN(2)
	}
	if s.rarely() {
		e.Variables = append(e.Variables, s.variable("own"))
	}
	return e
}

func (s schemer) variable(id string) taxonomy.Variable {
	v := taxonomy.Variable{ID: id, Label: text("V", "V"), Type: taxonomy.TextVariable, Required: s.rarely()}
	if s.IntN(2) == 0 {
		v.Type = taxonomy.SelectVariable
		for _, id := range []string{"o", "p"} {
			if s.IntN(2) == 0 {
				v.Options = append(v.Options, s.option(id))
			}
		}
	}
	return v
}

func (s schemer) option(id string) taxonomy.Option {
	o := taxonomy.Option{ID: id, Label: text(id, id)}
	for _, e := range []string{"e0", "e1"} {
		if s.rarely() {
			o.AppliesTo = append(o.AppliesTo, e)
		}
	}
	return o
}

// edit makes one edit, as a person would: of one field, or of everything that
// belongs to renaming or splitting a category.
func (s schemer) edit(c *taxonomy.Content) {
	category := &c.Categories[s.IntN(len(c.Categories))]
	element := &c.Elements[s.IntN(len(c.Elements))]
	switch s.IntN(14) {
	case 0: // rename a category, possibly with other rules
		old, renamed := category.ID, category.ID+"new"
		if s.rarely() {
			*category = s.category(renamed)
		}
		category.ID = renamed
		if s.IntN(2) == 0 {
			category.RenamedFrom = []string{old}
		}
		for i := range c.Elements {
			if c.Elements[i].CategoryID == old {
				c.Elements[i].CategoryID = renamed
			}
		}
	case 1: // move an element
		element.CategoryID = category.ID
	case 2: // add a category, possibly with an element of another one
		c.Categories = append(c.Categories, s.category("added"))
		if s.IntN(2) == 0 {
			element.CategoryID = "added"
		}
	case 3:
		category.Required = !category.Required
	case 4:
		category.Cardinality = s.category("").Cardinality
	case 5:
		category.Context = s.category("").Context
	case 6:
		category.Variables = s.category("").Variables
	case 7:
		element.MaxPlacements = s.IntN(3)
	case 8:
		element.Variables = s.element("", c).Variables
	case 9: // remove an element
		if len(c.Elements) > 1 {
			c.Elements = c.Elements[1:]
		}
	case 10:
		c.Type.Subchains = []taxonomy.Subchain{}
	case 12: // rename context values
		for i := range category.Context.Values {
			v := &category.Context.Values[i]
			v.ID, v.RenamedFrom = v.ID+"new", []string{v.ID}
		}
	case 13: // rename a variable and its options
		for _, list := range [][]taxonomy.Variable{category.Variables, element.Variables} {
			for i := range list {
				s.renameVariable(&list[i])
			}
		}
	case 11: // change an option
		for i := range element.Variables {
			if v := &element.Variables[i]; len(v.Options) > 0 {
				v.Options[0] = s.option(v.Options[0].ID)
			}
		}
	}
	c.Categories = distinct(c.Categories)
}

func (s schemer) renameVariable(v *taxonomy.Variable) {
	if s.IntN(2) == 0 {
		v.ID, v.RenamedFrom = v.ID+"new", []string{v.ID}
	}
	for i := range v.Options {
		if o := &v.Options[i]; s.IntN(2) == 0 {
			o.ID, o.RenamedFrom = o.ID+"new", []string{o.ID}
		}
	}
	v.Required = v.Required != s.rarely()
}

// distinct drops categories that an edit has added twice.
func distinct(list []taxonomy.Category) []taxonomy.Category {
	var kept []taxonomy.Category
	for _, c := range list {
		if !slices.ContainsFunc(kept, func(k taxonomy.Category) bool { return k.ID == c.ID }) {
			kept = append(kept, c)
		}
	}
	return kept
}
