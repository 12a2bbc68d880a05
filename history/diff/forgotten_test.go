package diff_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// removals lists elements that an older version had, each with its successors.
func removals(list ...[]string) edit {
	return func(c *taxonomy.Content) {
		for _, ids := range list {
			gone := taxonomy.Removal{ID: ids[0], Since: taxonomy.MustVersion("ai@2025-01-01-stable")}
			for _, id := range ids[1:] {
				gone.ReplacedBy = append(gone.ReplacedBy, taxonomy.Successor{ID: id})
			}
			c.Removed = append(c.Removed, gone)
		}
	}
}

func recordedRemoval(c *taxonomy.Content) { removals([]string{"data.tape", "data.video"})(c) }

// formerOptions records ids that the option consent had.
func formerOptions(ids ...string) edit {
	return variable(1, func(v *taxonomy.Variable) { v.Options[1].RenamedFrom = ids })
}

// A version that says less about the past than the one before is notable, unless
// documents of older versions do not need it.
func TestForgotten(t *testing.T) {
	tape := []string{"data.tape", "data.video"}
	for _, c := range []struct {
		name          string
		before, after edit
		want          []string // notable changes
	}{
		{"removal", recordedRemoval, nil, []string{
			`removed manifest: removed["data.tape"] (notable: documents of older versions that place data.tape can no longer follow to data.video)`,
		}},
		{"one removal of several", removals(tape, []string{"data.film", "data.video", "purpose.safety"}, []string{"data.reel", "data.video"}), removals([]string{"data.reel", "data.video"}), []string{
			`removed manifest: removed["data.tape"] (notable: documents of older versions that place data.tape can no longer follow to data.video)`,
			`removed manifest: removed["data.film"] (notable: documents of older versions that place data.film can no longer follow to data.video or purpose.safety)`,
		}},
		{"removal without successor", removals([]string{"data.tape"}), nil, []string{
			`removed manifest: removed["data.tape"] (notable: documents of older versions that place data.tape no longer learn that it was removed)`,
		}},
		{"successor", removals(tape), removals([]string{"data.tape"}), []string{
			`removed manifest: removed["data.tape"].replaced_by["data.video"] (notable: documents of older versions that place data.tape can no longer follow to data.video)`,
		}},
		{"removals that can't be compared one by one", removals(tape, []string{"data.film"}, []string{"data.film"}), removals([]string{"data.film"}), []string{
			`changed manifest: removed (notable: documents of older versions that place data.tape can no longer follow to data.video)`,
		}},
		{"another successor", removals(tape), removals([]string{"data.tape", "purpose.safety"}), nil},
		{"one successor of two", removals([]string{"data.tape", "data.video", "purpose.safety"}), removals(tape), nil},
		{"removed element that is back", removals([]string{"data.zoom", "data.video"}), addElement, nil},
		{"removal in the middle of a way", removals(tape, []string{"data.film", "data.tape"}), removals([]string{"data.tape", "data.video"}, []string{"data.film", "data.video"}), nil},

		{"category", func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal", "target"} }, func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"target"} }, []string{
			`removed category purpose: renamed_from.goal (notable: documents of older versions that use goal can no longer follow to its new id)`,
		}},
		{"category that is renamed again", func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal"} }, func(c *taxonomy.Content) { renamedPurpose(c); c.Categories[0].RenamedFrom = []string{"purpose"} }, []string{
			`removed category aim: renamed_from.goal (notable: documents of older versions that use goal can no longer follow to its new id)`,
		}},
		{"id of a category that is used again", func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal"} }, func(c *taxonomy.Content) { addCategory(taxonomy.Category{})(c); reuseID(c, "goal") }, nil},
		{"id of a category that another one claims", func(c *taxonomy.Content) { c.Categories[0].RenamedFrom = []string{"goal"} }, func(c *taxonomy.Content) { c.Categories[1].RenamedFrom = []string{"goal"} }, nil},
		{"context value", dataContext(func(c *taxonomy.Context) { c.Values[0].RenamedFrom = []string{"named"} }), nil, []string{
			`removed category data: context.values.identified.renamed_from.named (notable: documents of older versions that use named can no longer follow to its new id)`,
		}},
		{"variable", variable(0, func(v *taxonomy.Variable) { v.RenamedFrom = []string{"person"} }), nil, []string{
			`removed category purpose: variables.contact.renamed_from.person (notable: documents of older versions that use person can no longer follow to its new id)`,
		}},
		{"option", formerOptions("accord"), nil, []string{
			`removed category purpose: variables.basis.options.consent.renamed_from.accord (notable: documents of older versions that use accord can no longer follow to its new id)`,
		}},
		{"options that can't be compared one by one", formerOptions("accord", "accord", "deal"), formerOptions("deal"), []string{
			`changed category purpose: variables.basis.options.consent.renamed_from (notable: documents of older versions that use accord can no longer follow to its new id)`,
		}},
		{"order of options", formerOptions("accord", "deal"), formerOptions("deal", "accord"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := diff.Releases(edited(t, "ai@2026-01-01-stable", c.before), edited(t, "ai@2026-02-01-beta", c.after))
			require.NotEmpty(t, report.Changes)
			var got []string
			for _, change := range report.With(diff.Notable) {
				got = append(got, change.String())
			}
			require.Equal(t, c.want, got, "%s", lines(report.Changes))
		})
	}
}

// reuseID gives the category that was added last an id.
func reuseID(c *taxonomy.Content, id string) {
	c.Categories[len(c.Categories)-1].ID, c.Type.Categories[len(c.Type.Categories)-1] = id, id
}

// Unknown fields can look like records of renames. They are no more than unknown fields.
func TestForgottenLookAlikes(t *testing.T) {
	records := json.RawMessage(`[{"id": "a", "renamed_from": ["b"], "options": [{"id": "c", "renamed_from": ["d"]}]}]`)
	report := diff.Releases(
		edited(t, "ai@2026-01-01-stable", func(c *taxonomy.Content) {
			c.Type.Extra = taxonomy.Extra{"variables": records}
			c.Elements[2].Extra = taxonomy.Extra{"renamed_from": json.RawMessage(`["b"]`)}
		}),
		edited(t, "ai@2026-02-01-beta", func(c *taxonomy.Content) {
			fewer := json.RawMessage(`[{"id": "a", "options": [{"id": "c"}]}]`)
			c.Type.Extra = taxonomy.Extra{"variables": fewer}
		}))
	require.Len(t, report.Changes, 3)
	require.Empty(t, report.With(diff.Notable))
}
