package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// renamedPurpose renames the category purpose, as the author of a schema does.
func renamedPurpose(c *taxonomy.Content) {
	c.Categories[0].ID, c.Type.Categories[0], c.Type.Subchains[0].Categories[0] = "aim", "aim", "aim"
	c.Categories[0].RenamedFrom = []string{"goal", "purpose"}
	c.Elements[0].CategoryID, c.Elements[1].CategoryID = "aim", "aim"
}

// A rename is one change, and what else has changed is reported under the new id.
func TestRenamed(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after edit
		want          []string
		inherited     int // of the first change
	}{
		{
			name: "category", after: renamedPurpose, inherited: 2,
			want: []string{
				`renamed category aim "purpose" -> "aim"`,
				`added category aim: renamed_from.goal -> "goal"`,
			},
		},
		{
			name: "category, with other changes",
			after: func(c *taxonomy.Content) {
				renamedPurpose(c)
				c.Categories[0].RenamedFrom = []string{"purpose"}
				c.Categories[0].Name[0].Value, c.Categories[0].Cardinality.Max = "Aim", 2
				c.Type.Categories[0], c.Type.Categories[1] = "data", "aim"
				c.Categories[0], c.Categories[1] = c.Categories[1], c.Categories[0]
				c.Elements = []taxonomy.Element{c.Elements[2], c.Elements[0], c.Elements[1]}
			},
			inherited: 0,
			want: []string{
				`reordered datachain_type: categories ["aim","data","empty"] -> ["data","aim","empty"]`,
				`renamed category aim "purpose" -> "aim"`,
				`changed category aim: cardinality.max (breaking: the maximum number of placements of its elements is now 2 (before: 4)) 4 -> 2`,
				`changed category aim: name.en "Purpose" -> "Aim"`,
			},
		},
		{
			name: "variable",
			after: variable(0, func(v *taxonomy.Variable) {
				v.ID, v.RenamedFrom, v.Label[0].Value = "person", []string{"contact"}, "Person"
			}),
			inherited: 2,
			want: []string{
				`renamed category purpose: variables.person (breaking: placements with a value for the variable become invalid; 'datachain upgrade' renames it) "contact" -> "person"`,
				`changed category purpose: variables.person.label.en (notable: values of the variable now say something else) "Contact" -> "Person"`,
			},
		},
		{
			name: "variable that texts name",
			before: func(c *taxonomy.Content) {
				c.Elements[0].Title[0].Value = "By {{ contact }}"
				c.Elements[0].Description[0].Value = "By {{contact}}"
				c.Elements[1].Description[0].Value = "By {{contact}}"
			},
			after: func(c *taxonomy.Content) {
				variable(0, func(v *taxonomy.Variable) { v.ID, v.RenamedFrom = "person", []string{"contact"} })(c)
				c.Elements[0].Title[0].Value = "By {{person}}"
				c.Elements[0].Description[0].Value = "With {{person}}"
				c.Elements[1].Description[0].Value = "By {{person}}"
			},
			inherited: 2,
			want: []string{
				`renamed category purpose: variables.person (breaking: placements with a value for the variable become invalid; 'datachain upgrade' renames it) "contact" -> "person"`,
				`changed element purpose.research: description.en (notable: placements of the element now say something else) "By {{contact}}" -> "With {{person}}"`,
				`changed element purpose.research: title.en "By {{ contact }}" -> "By {{person}}"`,
				`changed element purpose.safety: description.en "By {{contact}}" -> "By {{person}}"`,
			},
		},
		{
			name:      "variable that becomes required",
			after:     variable(0, func(v *taxonomy.Variable) { v.ID, v.RenamedFrom, v.Required = "person", []string{"contact"}, true }),
			inherited: 2,
			want: []string{
				`renamed category purpose: variables.person (breaking: placements with a value for the variable become invalid; 'datachain upgrade' renames it) "contact" -> "person"`,
				`changed category purpose: variables.person.required (breaking: placements must now have a value for the variable) false -> true`,
			},
		},
		{
			name:      "option",
			after:     variable(1, func(v *taxonomy.Variable) { v.Options[1].ID, v.Options[1].RenamedFrom = "accord", []string{"consent"} }),
			inherited: 2,
			want: []string{
				`renamed category purpose: variables.basis.options.accord (breaking: placements with the option become invalid; 'datachain upgrade' renames it) "consent" -> "accord"`,
			},
		},
		{
			name:      "context value",
			after:     dataContext(func(c *taxonomy.Context) { c.Values[0].ID, c.Values[0].RenamedFrom = "named", []string{"identified"} }),
			inherited: 1,
			want: []string{
				`renamed category data: context.values.named (breaking: placements with the context value become invalid; 'datachain upgrade' renames it) "identified" -> "named"`,
			},
		},
		{
			name: "context value of a category without elements",
			after: func(c *taxonomy.Content) {
				c.Categories[2].Context.Values[0].ID, c.Categories[2].Context.Values[0].RenamedFrom = "few", []string{"some"}
			},
			want: []string{`renamed category empty: context.values.few "some" -> "few"`},
		},
		{
			name:   "renamed before",
			before: variable(0, func(v *taxonomy.Variable) { v.RenamedFrom = []string{"phone"} }),
			after:  variable(0, func(v *taxonomy.Variable) { v.RenamedFrom = []string{"phone", "tel"} }),
			want:   []string{`added category purpose: variables.contact.renamed_from.tel -> "tel"`}, inherited: 2,
		},
		{
			name: "swapped ids are not renames",
			after: dataContext(func(c *taxonomy.Context) {
				c.Values[0].RenamedFrom, c.Values[1].RenamedFrom = []string{"anonymous"}, []string{"identified"}
			}),
			want: []string{
				`added category data: context.values.identified.renamed_from.anonymous -> "anonymous"`,
				`added category data: context.values.anonymous.renamed_from.identified -> "identified"`,
			},
		},
		{
			name: "merged into one that existed before",
			after: dataContext(func(c *taxonomy.Context) {
				c.Values = c.Values[:1]
				c.Values[0].RenamedFrom = []string{"anonymous"}
			}),
			want: []string{
				`added category data: context.values.identified.renamed_from.anonymous -> "anonymous"`,
				`renamed category data: context.values.identified (breaking: placements with the context value become invalid; 'datachain upgrade' renames it) "anonymous" -> "identified"`,
			},
		},
		{
			name: "variable that became another one",
			after: func(c *taxonomy.Content) {
				merge := func(list []taxonomy.Variable) []taxonomy.Variable {
					basis := list[1]
					basis.RenamedFrom = []string{"contact"}
					return []taxonomy.Variable{basis}
				}
				c.Categories[0].Variables = merge(c.Categories[0].Variables)
				c.Elements[0].Variables, c.Elements[1].Variables = merge(c.Elements[0].Variables), merge(c.Elements[1].Variables)
			},
			inherited: 2,
			want: []string{
				`renamed category purpose: variables.basis (breaking: placements with a value for the variable become invalid; 'datachain upgrade' renames it) "contact" -> "basis"`,
				`added category purpose: variables.basis.renamed_from.contact -> "contact"`,
			},
		},
		{
			name: "category that became a part of another one",
			after: func(c *taxonomy.Content) {
				c.Categories = c.Categories[:2]
				c.Type.Categories = c.Type.Categories[:2]
				c.Categories[1].RenamedFrom = []string{"empty"}
			},
			want: []string{
				`added category data: renamed_from.empty -> "empty"`,
				`renamed category data "empty" -> "data"`,
			},
		},
		{
			name: "two claim one id, and a person has to choose",
			after: dataContext(func(c *taxonomy.Context) {
				c.Values[0].ID, c.Values[0].RenamedFrom = "named", []string{"identified"}
				c.Values = append(c.Values, taxonomy.ContextValue{ID: "known", RenamedFrom: []string{"identified"}})
			}),
			inherited: 1,
			want: []string{
				`removed category data: context.values.identified (breaking: placements with the context value become invalid)`,
				`added category data: context.values.named`,
				`added category data: context.values.known -> {"id":"known","label":[],"renamed_from":["identified"]}`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := compare(t, c.before, c.after)
			require.Equal(t, c.want, lines(report.Changes))
			require.Equal(t, c.inherited, report.Changes[0].Inherited)
		})
	}
}

// A category that was renamed and changed at once is judged like one that kept its id.
func TestRenamedCategoryIsJudged(t *testing.T) {
	stricter := func(c *taxonomy.Content) {
		c.Categories[0].Cardinality.Min = 2
	}
	kept := compare(t, nil, stricter)
	renamed := compare(t, nil, func(c *taxonomy.Content) { stricter(c); renamedPurpose(c) })
	require.Len(t, kept.With(diff.Breaking), 1)
	require.Len(t, renamed.With(diff.Breaking), 1)
	require.Equal(t, kept.With(diff.Breaking)[0].Consequence, renamed.With(diff.Breaking)[0].Consequence)
}

// A thousand renames at once cost no more than a thousand other changes.
func TestManyRenames(t *testing.T) {
	with := func(name string, from bool) edit {
		return dataContext(func(c *taxonomy.Context) {
			c.Values = nil
			for i := range 1000 {
				v := taxonomy.ContextValue{ID: fmt.Sprint(name, i)}
				if from {
					v.RenamedFrom = []string{fmt.Sprint("none", i), fmt.Sprint("v", i)}
				}
				c.Values = append(c.Values, v)
			}
		})
	}
	report := compare(t, with("v", false), with("w", true))
	renamed := 0
	for _, c := range report.Changes {
		if c.Kind == diff.Renamed {
			renamed++
			require.Equal(t, diff.RuleID("context-value-renamed"), c.Rule)
			require.Equal(t, 1, c.Inherited)
		}
	}
	require.Equal(t, 1000, renamed)
	require.Len(t, report.Changes, 2000, "and the ids that the values never had")
}

// An element that the evolution says was renamed is one change, and what else has changed in it is
// reported under its new id. One that took the id of another element was removed.
func TestRenamedElement(t *testing.T) {
	before := edited(t, "ai@2026-01-01-stable", func(c *taxonomy.Content) { c.Elements[2].Variables[0].Required = false })
	evolved := func(edit func(*taxonomy.Content), renames ...string) (*taxonomy.Release, *diff.Report) {
		e := new(history.Evolution)
		for i, one := range renames {
			from, to, _ := strings.Cut(one, ">")
			e.Renamed = append(e.Renamed, history.Rename{Kind: codes.IDElement, From: from, To: to, Since: taxonomy.MustVersion(fmt.Sprintf("ai@2026-01-%02d-beta", i+2))})
		}
		after := history.With(edited(t, "ai@2026-02-01-beta", edit), e)
		return after, diff.Releases(before, after)
	}
	film := func(c *taxonomy.Content) {
		c.Elements[2].ID, c.Elements[2].Title[0].Value = "data.film", "Film"
		c.Elements[2].Variables = nil
	}
	after, r := evolved(film, "data.video>data.movie", "data.movie>data.film")
	want := []string{
		`renamed element data.film (breaking: documents that place the element become invalid; 'datachain upgrade' renames it) "data.video" -> "data.film"`,
		`changed element data.film: title.en (notable: placements of the element now say something else) "Video" -> "Film"`,
		`removed element data.film: variables.days (breaking: placements with a value for the variable become invalid)`,
	}
	require.ElementsMatch(t, want, lines(r.Changes))
	require.Equal(t, want[0], lines(r.Changes)[0])

	var notes strings.Builder
	require.NoError(t, diff.NewSet(before, after, r).WriteNotes(t.Context(), &notes, &diff.NotesOptions{Locale: "en"}))
	require.Contains(t, notes.String(), "- Renamed: Film (`data.film`): `data.video` → `data.film`. Documents that place the element become invalid")
	require.NotContains(t, notes.String(), "- Removed: Video")
	require.NotContains(t, notes.String(), "- Added")

	doc, err := document.Parse([]byte(`{"id": "x", "schema_version": "ai@2026-01-01-stable", "created_at": "2026-01-01T00:00:00Z",
		"elements": [{"element_id": "purpose.safety"}, {"element_id": "data.video", "context_type_id": "identified"}]}`))
	require.NoError(t, err)
	effect, err := diff.NewImpact(before, after, r).Document(doc)
	require.NoError(t, err)
	require.Equal(t, diff.Invalid, effect.Outcome, effect.Findings)
	require.Len(t, effect.Hits, 1)
	require.Equal(t, diff.RuleID("element-renamed"), r.Changes[effect.Hits[0].Change].Rule)
	require.Equal(t, "elements[1].element_id", effect.Hits[0].Places[0].String())

	_, r = evolved(func(c *taxonomy.Content) { c.Elements = c.Elements[:2] }, "data.video>purpose.safety")
	require.Equal(t, diff.RuleID("element-removed"), r.Changes[len(r.Changes)-1].Rule)
	_, r = evolved(film)
	require.NotContains(t, fmt.Sprint(lines(r.Changes)), "renamed")
}
