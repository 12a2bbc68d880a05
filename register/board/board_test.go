package board_test

import (
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
	for i := range list[0].Datachain.SchemaSnapshot.Elements {
		for k := range list[0].Datachain.SchemaSnapshot.Elements[i].Variables {
			list[0].Datachain.SchemaSnapshot.Elements[i].Variables[k].Role = ""
		}
	}
	for i := range list[0].Datachain.SchemaSnapshot.Categories {
		for k := range list[0].Datachain.SchemaSnapshot.Categories[i].Variables {
			list[0].Datachain.SchemaSnapshot.Categories[i].Variables[k].Role = ""
		}
	}
	b, err = board.New(t.Context(), list, "en", nil)
	require.NoError(t, err)
	for _, r := range b.Rows {
		assert.Equal(t, summary.NotKnown, r.Cells[0].State, r.Name)
	}
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
