package registers_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/registers"
)

// shown prepares sample documents to be shown.
func shown(t *testing.T, names ...string) []*datachain.Presentation {
	t.Helper()
	s := service(t)
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
	b, err := registers.NewBoard(shown(t, "crossing-camera.json", "wifi-counter.json"), "en", nil)
	require.NoError(t, err)
	require.Len(t, b.Columns, 2)
	rows := make(map[string]registers.BoardRow)
	for _, row := range b.Rows {
		require.Len(t, row.Cells, 2)
		rows[row.Category] = row
	}
	assert.True(t, rows["device"].Differs)
	assert.Contains(t, rows["device"].Cells[0].Text, "Camera north (Camera): Always on")
	// The same document twice differs nowhere, nor does its resolved form.
	b, err = registers.NewBoard(shown(t, "crossing-camera.json", "crossing-camera.resolved.json"), "en", nil)
	require.NoError(t, err)
	for _, row := range b.Rows {
		assert.False(t, row.Differs, row.Name)
	}
}

// TestBoardOfTaxonomies: documents of different taxonomies meet in the summary only.
func TestBoardOfTaxonomies(t *testing.T) {
	b, err := registers.NewBoard(shown(t, "crossing-camera.json", "benefits.json"), "fr", nil)
	require.NoError(t, err)
	assert.Equal(t, "fr", b.Locale)
	for _, row := range b.Rows {
		assert.Empty(t, row.Category)
		assert.NotEmpty(t, row.Role)
	}
}

func TestBoardFormats(t *testing.T) {
	list := shown(t, "crossing-camera.json", "wifi-counter.json")
	list[0].Datachain.Title[0].Value = "=1+1|*x*"
	b, err := registers.NewBoard(list, "", nil)
	require.NoError(t, err)
	for _, format := range registers.BoardFormats() {
		var w strings.Builder
		require.NoError(t, b.Write(&w, format))
		switch format {
		case "csv":
			table, err := csv.NewReader(strings.NewReader(w.String())).ReadAll()
			require.NoError(t, err)
			assert.Len(t, table, len(b.Rows)+1)
			assert.Equal(t, "'=1+1|*x*", table[0][1])
		case "md":
			assert.Contains(t, w.String(), `=1+1\|\*x\*`)
			assert.Contains(t, w.String(), "**")
		}
	}
	assert.Equal(t, 2, strings.Count(b.Table(), "<tbody>"), "the summary, and the categories")
	require.ErrorContains(t, b.Write(&strings.Builder{}, "pdf"), `"pdf"`)
	_, err = registers.NewBoard(list[:1], "", nil)
	require.ErrorContains(t, err, "two to 6")
}
