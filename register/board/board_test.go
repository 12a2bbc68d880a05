package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

// shown prepares sample documents to be shown.
func shown(t *testing.T, names ...string) []*datachain.Presentation {
	t.Helper()
	s := registertest.Service(t)
	var list []*datachain.Presentation
	for _, name := range names {
		sample, ok := examples.Find(name)
		require.True(t, ok, name)
		v, p, err := s.Present(t.Context(), sample.Text)
		require.NoError(t, err)
		require.True(t, v.OK())
		list = append(list, p)
	}
	return list
}

func TestBoard(t *testing.T) {
	b, err := board.New(t.Context(), shown(t, "crossing-camera.json", "wifi-counter.json"), "en", nil)
	require.NoError(t, err)
	require.Len(t, b.Columns, 2)
	rows := make(map[string]board.Row)
	for _, row := range b.Rows {
		require.Len(t, row.Cells, 2)
		rows[row.Category] = row
	}
	assert.True(t, rows["device"].Differs)
	assert.Contains(t, rows["device"].Cells[0].Text, "Camera north (Camera): Always on")
	// The same document twice differs nowhere, nor does its resolved form.
	b, err = board.New(t.Context(), shown(t, "crossing-camera.json", "crossing-camera.resolved.json"), "en", nil)
	require.NoError(t, err)
	for _, row := range b.Rows {
		assert.False(t, row.Differs, row.Name)
	}
}

// TestBoardVariables shows that what documents say in the variables of their placements is
// compared, such as how long data is kept, and that equal contexts are equal in versions that
// have other ids or words for them.
func TestBoardVariables(t *testing.T) {
	row := func(list []*datachain.Presentation, is func(board.Row) bool) board.Row {
		t.Helper()
		b, err := board.New(t.Context(), list, "en", nil)
		require.NoError(t, err)
		i := slices.IndexFunc(b.Rows, is)
		require.GreaterOrEqual(t, i, 0)
		return b.Rows[i]
	}
	kept := func(r board.Row) bool { return r.Role == "retention" }
	retention := func(r board.Row) bool { return r.Category == "retention" }
	device := func(r board.Row) bool { return r.Category == "device" }
	set := func(p *datachain.Presentation, element string, change func(*taxonomy.Placement)) {
		for i := range p.Datachain.Elements {
			if placed := &p.Datachain.Elements[i]; placed.ElementID == element {
				change(placed)
			}
		}
	}
	list := shown(t, "library-chat.json", "library-chat.json")
	for _, is := range []func(board.Row) bool{kept, retention} {
		assert.False(t, row(list, is).Differs)
	}
	set(list[1], "retention.inputs", func(p *taxonomy.Placement) {
		p.Variables[0].Text, p.Variables[0].Options = taxonomy.Localized{{Locale: "en", Value: "Ten years"}}, nil
	})
	for _, is := range []func(board.Row) bool{kept, retention} {
		assert.True(t, row(list, is).Differs)
		assert.Contains(t, row(list, is).Cells[1].Text, "Ten years")
	}
	// Documents of different taxonomies are compared in this, too.
	other := row(shown(t, "library-chat.json", "crossing-camera.json"), kept)
	assert.Equal(t, []summary.State{summary.Said, summary.Said}, []summary.State{other.Cells[0].State, other.Cells[1].State})
	assert.Equal(t, "How long data is kept", other.Name)

	list = shown(t, "crossing-camera.json", "crossing-camera.json")
	renamed := &list[1].Datachain.SchemaSnapshot.Categories[slices.IndexFunc(list[1].Datachain.SchemaSnapshot.Categories, func(c taxonomy.Category) bool { return c.ID == "device" })]
	renamed.Context.Values = slices.Clone(renamed.Context.Values)
	id := renamed.Context.Values[0].ID
	set(list[0], "device.camera", func(p *taxonomy.Placement) { p.ContextTypeID = id })
	renamed.Context.Values[0].ID = "other"
	set(list[1], "device.camera", func(p *taxonomy.Placement) { p.ContextTypeID = "other" })
	assert.False(t, row(list, device).Differs)
	found, err := changes.Compare(t.Context(), list[0], list[1])
	require.NoError(t, err)
	for _, c := range found {
		assert.NotEqual(t, "context_type_id", c.Field)
	}
}

// TestBoardStates tells what a document leaves out from what its schema version does not mark, and
// names the highest value only if all columns have that.
func TestBoardStates(t *testing.T) {
	list := shown(t, "crossing-camera.json", "library-chat.json", "job-screening.json")
	list[2].Datachain.Elements = slices.DeleteFunc(list[2].Datachain.Elements, func(p taxonomy.Placement) bool { return strings.HasPrefix(p.ElementID, "risk.") })
	b, err := board.New(t.Context(), list, "en", nil)
	require.NoError(t, err)
	row := func(role taxonomy.Role) board.Row {
		t.Helper()
		at := slices.IndexFunc(b.Rows, func(r board.Row) bool { return r.Role == role })
		require.GreaterOrEqual(t, at, 0)
		return b.Rows[at]
	}
	risk := row("risk")
	assert.Equal(t, "Highest risk", risk.Name)
	assert.Equal(t, []string{"See its page", "Not said"}, []string{risk.Cells[0].Text, risk.Cells[2].Text})
	assert.Equal(t, []summary.State{summary.NotKnown, summary.Said, summary.NotSaid}, []summary.State{risk.Cells[0].State, risk.Cells[1].State, risk.Cells[2].State})
	assert.Equal(t, "Most sensitive data", row("data").Name)

	for i := range list[0].Datachain.SchemaSnapshot.Categories {
		list[0].Datachain.SchemaSnapshot.Categories[i].Context.Order = ""
	}
	b, err = board.New(t.Context(), list, "en", nil)
	require.NoError(t, err)
	assert.Equal(t, "Data", row("data").Name, "that of the first document is not the most sensitive")

	// A version without roles, which all pages of it have in their categories.
	for i := range list[0].Datachain.SchemaSnapshot.Categories {
		list[0].Datachain.SchemaSnapshot.Categories[i].Role = ""
	}
	list[0].Release = nil
	without := func(variables []taxonomy.Variable) []taxonomy.Variable {
		variables = slices.Clone(variables) // other tests share them
		for i := range variables {
			variables[i].Role = ""
		}
		return variables
	}
	for i := range list[0].Datachain.SchemaSnapshot.Elements {
		e := &list[0].Datachain.SchemaSnapshot.Elements[i]
		e.Variables = without(e.Variables)
	}
	for i := range list[0].Datachain.SchemaSnapshot.Categories {
		c := &list[0].Datachain.SchemaSnapshot.Categories[i]
		c.Variables = without(c.Variables)
	}
	b, err = board.New(t.Context(), list, "en", nil)
	require.NoError(t, err)
	for _, r := range b.Rows {
		assert.Equal(t, summary.NotKnown, r.Cells[0].State, r.Name)
	}
}

// TestBoardPurposes: two purposes are said in short, and the others in full. A row of which the summaries
// say all repeats them, but not if another document has more to say.
func TestBoardPurposes(t *testing.T) {
	list := shown(t, "crossing-camera.json", "wifi-counter.json")
	for i := range 4 {
		placed := taxonomy.Placement{ElementID: "purpose.safety", Label: &taxonomy.Label{Plain: fmt.Sprint("Purpose ", i)}}
		list[0].Datachain.Elements = append(list[0].Datachain.Elements, placed)
	}
	row := func(is func(board.Row) bool) board.Row {
		t.Helper()
		b, err := board.New(t.Context(), list, "en", nil)
		require.NoError(t, err)
		at := slices.IndexFunc(b.Rows, is)
		require.GreaterOrEqual(t, at, 0)
		return b.Rows[at]
	}
	short := row(func(r board.Row) bool { return r.Role == "purpose" }).Cells[0]
	assert.Equal(t, []string{"Two cameras count cars, bicycles and people, so that the traffic lights change in time.", "Safety of people and property", "and 4 more"}, short.Lines)
	assert.Contains(t, short.Text, "Purpose 3", "programs get all")
	full := row(func(r board.Row) bool { return r.Category == "purpose" })
	assert.False(t, full.Repeats)
	assert.Equal(t, []string{"Traffic and travel", "Purpose 0 (Safety of people and property)", "Purpose 1 (Safety of people and property)", "Purpose 2 (Safety of people and property)", "Purpose 3 (Safety of people and property)"}, full.Cells[0].Lines)
	assert.Contains(t, full.Cells[0].Text, "Two cameras count cars", "programs get all")

	storage := func(r board.Row) bool { return r.Category == "storage" }
	assert.True(t, row(storage).Repeats)
	list[1].Datachain.Elements = append(list[1].Datachain.Elements, list[0].Datachain.Elements[0])
	collects := row(func(r board.Row) bool { return r.Category == "data" })
	assert.False(t, collects.Repeats)
	assert.True(t, collects.Cells[1].Repeats)
	assert.True(t, collects.LinesDiffer)
	list = shown(t, "crossing-camera.json", "crossing-camera.json")
	list[1].Datachain.Elements[0].Variables[0].Text = taxonomy.Localized{{Locale: "en", Value: "Other words"}}
	full = row(func(r board.Row) bool { return r.Category == "purpose" })
	assert.True(t, full.Differs)
	assert.False(t, full.LinesDiffer, "what differs was said in short")
}

// TestBoardOfTaxonomies: documents of different taxonomies meet in the summary only.
func TestBoardOfTaxonomies(t *testing.T) {
	b, err := board.New(t.Context(), shown(t, "crossing-camera.json", "benefits.json"), "fr", nil)
	require.NoError(t, err)
	assert.Equal(t, "fr", b.Locale)
	for _, row := range b.Rows {
		assert.Empty(t, row.Category)
		assert.NotEmpty(t, row.Role)
	}
}

func TestSize(t *testing.T) {
	_, err := board.New(t.Context(), shown(t, "crossing-camera.json"), "", nil)
	require.ErrorContains(t, err, "2 to 6")
}
