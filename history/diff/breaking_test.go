package diff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

type edit = func(*taxonomy.Content)

// variable edits a variable of the category purpose and of its elements, as the
// compiler does.
func variable(i int, change func(*taxonomy.Variable)) edit {
	return func(c *taxonomy.Content) {
		change(&c.Categories[0].Variables[i])
		change(&c.Elements[0].Variables[i])
		change(&c.Elements[1].Variables[i])
	}
}

func addVariable(v taxonomy.Variable) edit {
	return func(c *taxonomy.Content) {
		for _, list := range []*[]taxonomy.Variable{&c.Categories[0].Variables, &c.Elements[0].Variables, &c.Elements[1].Variables} {
			*list = append(*list, v)
		}
	}
}

func addCategory(add taxonomy.Category) edit {
	return func(c *taxonomy.Content) {
		add.ID, add.Name, add.Shape = "more", text("More", "Plus"), taxonomy.Circle
		add.Context.Values = []taxonomy.ContextValue{}
		c.Type.Categories = append(c.Type.Categories, add.ID)
		c.Categories = append(c.Categories, add)
	}
}

func cardinality(least, most int) edit {
	return func(c *taxonomy.Content) { c.Categories[0].Cardinality = taxonomy.Cardinality{Min: least, Max: most} }
}

func appliesTo(option int, ids ...string) edit {
	return variable(1, func(v *taxonomy.Variable) { v.Options[option].AppliesTo = ids })
}

// dataContext edits the context of the category data and the icon variants.
func dataContext(change func(*taxonomy.Context)) edit {
	return func(c *taxonomy.Content) {
		change(&c.Categories[1].Context)
		c.Elements[2].IconVariants = c.Elements[2].IconVariants[:2]
		for _, v := range c.Categories[1].Context.Values {
			c.Elements[2].IconVariants = append(c.Elements[2].IconVariants, v.ID)
		}
	}
}

// TestBreaking has for each rule a case that breaks documents, and similar ones
// that do not: they have no want, but must change something.
func TestBreaking(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after edit
		want          []string // the breaking changes
	}{
		{
			name:  "element removed",
			after: func(c *taxonomy.Content) { c.Elements = c.Elements[:2] },
			want:  []string{"removed element data.video (breaking: documents that place the element become invalid)"},
		},
		{name: "element added", before: func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }},
		{
			name: "category removed with its elements",
			after: func(c *taxonomy.Content) {
				c.Elements = c.Elements[:2]
				c.Categories = append(c.Categories[:1], c.Categories[2])
				c.Type.Categories = []string{"purpose", "empty"}
				c.Type.Subchains[0].Categories = []string{"purpose"}
			},
			want: []string{
				"removed element data.video (breaking: documents that place the element become invalid)",
			},
		},
		{
			name: "category without elements removed",
			after: func(c *taxonomy.Content) {
				c.Categories, c.Type.Categories = c.Categories[:2], c.Type.Categories[:2]
			},
		},
		{
			name: "category renamed",
			after: func(c *taxonomy.Content) {
				c.Categories[0].ID, c.Type.Categories[0], c.Type.Subchains[0].Categories[0] = "aim", "aim", "aim"
				c.Elements[0].CategoryID, c.Elements[1].CategoryID = "aim", "aim"
			},
		},
		{
			name: "category renamed and made stricter",
			after: func(c *taxonomy.Content) {
				c.Categories[0].ID, c.Type.Categories[0], c.Type.Subchains[0].Categories[0] = "aim", "aim", "aim"
				c.Elements[0].CategoryID, c.Elements[1].CategoryID = "aim", "aim"
				c.Categories[0].Cardinality.Max = 2
			},
			want: []string{"added category aim (breaking: the maximum number of placements of its elements is now 2 (before: 4))"},
		},
		{
			name: "element moved between categories that allow the same",
			before: func(c *taxonomy.Content) {
				c.Categories[0].Cardinality, c.Categories[2].Context.Values = taxonomy.Cardinality{}, []taxonomy.ContextValue{}
			},
			after: func(c *taxonomy.Content) {
				c.Categories[0].Cardinality, c.Categories[2].Context.Values = taxonomy.Cardinality{}, []taxonomy.ContextValue{}
				c.Elements[1].CategoryID = "empty"
				c.Elements = []taxonomy.Element{c.Elements[0], c.Elements[2], c.Elements[1]}
			},
		},
		{
			name: "element moved out of a category that needs it",
			before: func(c *taxonomy.Content) {
				c.Categories[2].Context.Values = []taxonomy.ContextValue{}
			},
			after: func(c *taxonomy.Content) {
				c.Categories[2].Context.Values = []taxonomy.ContextValue{}
				c.Elements[1].CategoryID = "empty"
				c.Elements = []taxonomy.Element{c.Elements[0], c.Elements[2], c.Elements[1]}
			},
			want: []string{`changed element purpose.safety: category_id (breaking: placements no longer count for the category purpose, which needs 1) "purpose" -> "empty"`},
		},
		{
			name: "element moved into a category that is full",
			before: func(c *taxonomy.Content) {
				c.Elements[2].CategoryID, c.Elements[2].IconVariants = "empty", []string{"default", "dark", "some"}
				c.Categories[1].Cardinality.Max, c.Categories[1].Context.Values = 2, c.Categories[2].Context.Values
			},
			after: func(c *taxonomy.Content) {
				c.Elements[2].IconVariants = []string{"default", "dark", "some"}
				c.Categories[1].Cardinality.Max, c.Categories[1].Context.Values = 2, c.Categories[2].Context.Values
			},
			want: []string{`changed element data.video: category_id (breaking: placements now count for the category data, which can have at most 2) "empty" -> "data"`},
		},
		{
			name: "element moved to other contexts", before: nil,
			after: func(c *taxonomy.Content) {
				c.Elements[2].CategoryID = "empty"
				c.Elements[2].IconVariants = []string{"default", "dark", "some"}
			},
			want: []string{
				`changed element data.video: category_id (breaking: placements with a context value become invalid, because the category empty does not have it: identified, anonymous) "data" -> "empty"`,
			},
		},
		{
			name: "required category added", after: addCategory(taxonomy.Category{Required: true}),
			want: []string{"added category more (breaking: the minimum number of placements of its elements is now 1 (before: 0))"},
		},
		{
			name: "category with a minimum added", after: addCategory(taxonomy.Category{Cardinality: taxonomy.Cardinality{Min: 2}}),
			want: []string{"added category more (breaking: the minimum number of placements of its elements is now 2 (before: 0))"},
		},
		{name: "optional category added", after: addCategory(taxonomy.Category{Cardinality: taxonomy.Cardinality{Max: 1}})},
		{
			name:  "category became required",
			after: func(c *taxonomy.Content) { c.Categories[1].Required = true },
			want:  []string{"added category data: required (breaking: the minimum number of placements of its elements is now 1 (before: 0)) -> true"},
		},
		{name: "category with a minimum became required", after: func(c *taxonomy.Content) { c.Categories[0].Required = true }},
		{name: "category became optional", before: func(c *taxonomy.Content) { c.Categories[1].Required = true }},
		{
			name: "minimum raised", after: cardinality(2, 4),
			want: []string{"changed category purpose: cardinality.min (breaking: the minimum number of placements of its elements is now 2 (before: 1)) 1 -> 2"},
		},
		{
			name:   "minimum of a required category raised",
			before: func(c *taxonomy.Content) { c.Categories[0].Required = true },
			after:  func(c *taxonomy.Content) { c.Categories[0].Required, c.Categories[0].Cardinality.Min = true, 3 },
			want:   []string{"changed category purpose: cardinality.min (breaking: the minimum number of placements of its elements is now 3 (before: 1)) 1 -> 3"},
		},
		{name: "minimum dropped", after: cardinality(0, 4)},
		{
			name:   "minimum of one given to a required category",
			before: func(c *taxonomy.Content) { c.Categories[1].Required = true },
			after: func(c *taxonomy.Content) {
				c.Categories[1].Required, c.Categories[1].Cardinality.Min = true, 1
			},
		},
		{
			name: "maximum lowered", after: cardinality(1, 3),
			want: []string{"changed category purpose: cardinality.max (breaking: the maximum number of placements of its elements is now 3 (before: 4)) 4 -> 3"},
		},
		{
			name: "maximum given", before: cardinality(1, 0), after: cardinality(1, 9),
			want: []string{"added category purpose: cardinality.max (breaking: the maximum number of placements of its elements is now 9 (before: no limit)) -> 9"},
		},
		{name: "maximum raised", after: cardinality(1, 5)},
		{name: "cardinality dropped", after: cardinality(0, 0)},
		{
			name:   "select without options removed",
			before: addVariable(taxonomy.Variable{ID: "none", Type: taxonomy.SelectVariable, Options: []taxonomy.Option{}}),
			want:   []string{`removed category purpose: variables.none (breaking: documents with a rationale for the variable become invalid) {"id":"none","label":[],"required":false,"type":"select"} ->`},
		},
		{
			name:   "select without options renamed",
			before: addVariable(taxonomy.Variable{ID: "none", Type: taxonomy.SelectVariable, Options: []taxonomy.Option{}}),
			after:  addVariable(taxonomy.Variable{ID: "nothing", Type: taxonomy.SelectVariable, Options: []taxonomy.Option{}, RenamedFrom: []string{"none"}}),
			want:   []string{`renamed category purpose: variables.nothing (breaking: documents with a rationale for the variable become invalid; 'datachain upgrade' renames it) "none" -> "nothing"`},
		},
		{
			name: "maximum of placements lowered", after: func(c *taxonomy.Content) { c.Elements[1].MaxPlacements = 1 },
			want: []string{"changed element purpose.safety: max_placements (breaking: the maximum number of its placements is now 1 (before: 3)) 3 -> 1"},
		},
		{
			name: "maximum of placements given", after: func(c *taxonomy.Content) { c.Elements[2].MaxPlacements = 7 },
			want: []string{"added element data.video: max_placements (breaking: the maximum number of its placements is now 7 (before: no limit)) -> 7"},
		},
		{name: "maximum of placements given that the category has anyway", after: func(c *taxonomy.Content) { c.Elements[0].MaxPlacements = 4 }},
		{name: "maximum of placements dropped", after: func(c *taxonomy.Content) { c.Elements[1].MaxPlacements = 0 }},
		{
			name: "required variable added", after: addVariable(taxonomy.Variable{ID: "why", Label: text("Why", "Pourquoi"), Required: true, Type: taxonomy.TextVariable}),
			want: []string{"added category purpose: variables.why (breaking: placements must now have a value for the variable)"},
		},
		{name: "optional variable added", after: addVariable(taxonomy.Variable{ID: "why", Type: taxonomy.TextVariable})},
		{
			name: "variable became required", after: variable(0, func(v *taxonomy.Variable) { v.Required = true }),
			want: []string{"changed category purpose: variables.contact.required (breaking: placements must now have a value for the variable) false -> true"},
		},
		{
			name:  "variable became required, but for one element",
			after: func(c *taxonomy.Content) { c.Elements[0].Variables[0].Required = true },
			want:  []string{"changed element purpose.research: variables.contact.required (breaking: placements must now have a value for the variable) false -> true"},
		},
		{
			name:  "variable became required at a category whose elements all override it",
			after: func(c *taxonomy.Content) { c.Categories[0].Variables[0].Required = true },
		},
		{name: "variable became optional", after: func(c *taxonomy.Content) { c.Elements[2].Variables[0].Required = false }},
		{
			name: "variable removed", after: func(c *taxonomy.Content) { c.Elements[2].Variables = []taxonomy.Variable{} },
			want: []string{"removed element data.video: variables.days (breaking: placements with a value for the variable become invalid)"},
		},
		{
			name: "variables in another order",
			after: func(c *taxonomy.Content) {
				v := c.Elements[0].Variables
				v[0], v[1] = v[1], v[0]
			},
		},
		{
			name: "variable type changed", after: variable(0, func(v *taxonomy.Variable) { v.Type = taxonomy.SelectVariable }),
			want: []string{`changed category purpose: variables.contact.type (breaking: values of the variable have the wrong type) "text" -> "select"`},
		},
		{name: "variable label changed", after: variable(0, func(v *taxonomy.Variable) { v.Label[0].Value = "Desk" })},
		{
			name: "option removed", after: variable(1, func(v *taxonomy.Variable) { v.Options = v.Options[1:] }),
			want: []string{"removed category purpose: variables.basis.options.law (breaking: placements with the option become invalid)"},
		},
		{name: "option added", before: variable(1, func(v *taxonomy.Variable) { v.Options = v.Options[1:] })},
		{
			name: "option narrowed", after: appliesTo(1, "purpose.research"),
			want: []string{`removed category purpose: variables.basis.options.consent.applies_to["purpose.safety"] (breaking: placements with the option become invalid, because it no longer applies to the element) "purpose.safety" ->`},
		},
		{
			name: "option of every element narrowed", after: appliesTo(0, "purpose.safety"),
			want: []string{`added category purpose: variables.basis.options.law.applies_to["purpose.safety"] (breaking: placements with the option become invalid, because it no longer applies to the element) -> "purpose.safety"`},
		},
		{name: "option of every element listed for every element", after: appliesTo(0, "purpose.safety", "purpose.research")},
		{name: "option given to every element", after: appliesTo(1)},
		{name: "option given to one more", before: appliesTo(1, "purpose.safety")},
		{name: "option denied to elements that never had it", before: appliesTo(1, "purpose.safety", "data.video"), after: appliesTo(1, "purpose.safety")},
		{
			name: "context value removed", after: dataContext(func(c *taxonomy.Context) { c.Values = c.Values[1:] }),
			want: []string{"removed category data: context.values.identified (breaking: placements with the context value become invalid)"},
		},
		{name: "context value of a category without elements removed", after: func(c *taxonomy.Content) {
			c.Categories[2].Context.Values = []taxonomy.ContextValue{}
		}},
		{name: "context value added", before: dataContext(func(c *taxonomy.Context) { c.Values = c.Values[1:] })},
		{name: "context value recoloured", after: dataContext(func(c *taxonomy.Context) { c.Values[0].Color = "#00AA00" })},
		{name: "context values in another order", after: dataContext(func(c *taxonomy.Context) {
			c.Values[0], c.Values[1] = c.Values[1], c.Values[0]
		})},
		{
			name: "context became required", after: dataContext(func(c *taxonomy.Context) { c.Required = true }),
			want: []string{"added category data: context.required (breaking: placements must now have a context value) -> true"},
		},
		{name: "context became optional", before: dataContext(func(c *taxonomy.Context) { c.Required = true })},
		{name: "context of a category without elements became required", after: func(c *taxonomy.Content) { c.Categories[2].Context.Required = true }},
		{
			name: "subchain removed", after: func(c *taxonomy.Content) { c.Type.Subchains = []taxonomy.Subchain{} },
			want: []string{"removed datachain_type: subchains.flow (breaking: documents that use the subchain become invalid)"},
		},
		{name: "subchain shortened", after: func(c *taxonomy.Content) { c.Type.Subchains[0].Categories = []string{"data"} }},
		{name: "locale removed", after: func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }},
		{name: "locale added", before: func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := compare(t, c.before, c.after)
			require.False(t, report.Empty())
			require.Equal(t, append([]string{}, c.want...), lines(report.With(diff.Breaking)))
		})
	}
}

func TestOtherType(t *testing.T) {
	before := edited(t, "ai@2026-01-01-stable", nil)
	after := edited(t, "bots@2026-01-01-stable", func(c *taxonomy.Content) { c.Type.ID = "bots" })
	require.Equal(t,
		[]string{`changed datachain_type: id (notable: documents get another datachain type) "ai" -> "bots"`},
		lines(diff.Releases(before, after).Changes))
}

// A text that gives documents their meaning is notable, others are not.
func TestNotable(t *testing.T) {
	for _, c := range []struct {
		name string
		edit edit
		want []string
	}{
		{"title", func(c *taxonomy.Content) { c.Elements[2].Title[0].Value = "Film" }, []string{
			`changed element data.video: title.en (notable: placements of the element now say something else) "Video" -> "Film"`,
		}},
		{"label of an inherited variable", variable(0, func(v *taxonomy.Variable) { v.Label[0].Value = "Desk" }), []string{
			`changed category purpose: variables.contact.label.en (notable: values of the variable now say something else) "Contact" -> "Desk"`,
		}},
		{"label of a context value", dataContext(func(c *taxonomy.Context) { c.Values[1].Label[1].Value = "Inconnu" }), []string{
			`changed category data: context.values.anonymous.label.fr (notable: placements with the context value now say something else) "Anonyme" -> "Inconnu"`,
		}},
		{"keywords", func(c *taxonomy.Content) { c.Elements[1].Keywords[0].Value = "protect" }, []string{}},
		{"name of a category", func(c *taxonomy.Content) { c.Categories[0].Name[0].Value = "Aim" }, []string{}},
		{"translation added", func(c *taxonomy.Content) {
			c.Elements[2].Title = append(c.Elements[2].Title, taxonomy.Text{Locale: "es", Value: "Vídeo"})
			c.Locales = append(c.Locales, "es")
		}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := compare(t, nil, c.edit)
			require.False(t, report.Empty())
			require.Equal(t, c.want, lines(report.With(diff.Notable)))
			require.Empty(t, report.With(diff.Breaking))
			require.Empty(t, report.Warnings())
		})
	}
}

func TestWarnings(t *testing.T) {
	shorter := func(c *taxonomy.Content) { c.Locales = c.Locales[:1] }
	require.Equal(t,
		[]string{`removed manifest: locales.fr (warning: texts in this locale get a warning, because the schema no longer lists it) "fr" ->`},
		lines(compare(t, nil, shorter).Warnings()))
	require.Empty(t, compare(t, shorter, nil).Warnings())
}
