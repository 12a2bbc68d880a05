package boardpage_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/pages/boardpage"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/taxonomy"
)

// shown prepares sample documents to be shown.
func shown(t testing.TB, names ...string) (list []*datachain.Presentation) {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	s, err := datachain.New(store, nil)
	require.NoError(t, err)
	for _, name := range names {
		sample, ok := documents.Find(name)
		require.True(t, ok, name)
		_, p, err := s.Present(t.Context(), sample.Text)
		require.NoError(t, err)
		list = append(list, p)
	}
	return list
}

func newBoard(t testing.TB, list []*datachain.Presentation, locale string) *board.Board {
	t.Helper()
	b, err := board.New(t.Context(), list, locale, nil)
	require.NoError(t, err)
	return b
}

func table(t *testing.T, b *board.Board, heads []boardpage.Head) string {
	t.Helper()
	s, err := boardpage.Table(b, heads)
	require.NoError(t, err)
	return string(s)
}

// TestTable shows levels, marks rows in which all documents say the same, and adds heads.
func TestTable(t *testing.T) {
	b := newBoard(t, shown(t, "crossing-camera.json", "library-chat.json"), "en")
	plain := table(t, b, nil)
	assert.NotContains(t, plain, "<b>")
	assert.NotContains(t, plain, "<a href=\"/")
	assert.Contains(t, plain, `class="tag black"`)
	assert.Contains(t, plain, `<td role="cell" class="absent">See its page</td>`)
	assert.Contains(t, table(t, b, []boardpage.Head{{URL: "/d/a"}}), `<td role="cell" class="absent"><a href="/d/a">See its page</a></td>`)
	assert.Contains(t, table(t, b, []boardpage.Head{{URL: "/d/a?b=1&c=2", Note: "<i>new</i>"}}), `<th scope="col" role="columnheader"><a href="/d/a?b=1&amp;c=2">Cameras at the Mill Street crossing</a><i>new</i></th>`)

	same := newBoard(t, shown(t, "crossing-camera.json", "crossing-camera.json"), "fr")
	text := table(t, same, nil)
	shown := 0
	for _, row := range same.Rows {
		if !row.Repeats {
			shown++
		}
	}
	assert.Less(t, shown, len(same.Rows), "a row that repeats others is left out")
	assert.Equal(t, shown, strings.Count(text, `<tr role="row" class="same">`))
	assert.Contains(t, text, `colspan="3"><h2>En bref</h2>`)
	assert.Contains(t, text, "<tbody role=\"rowgroup\">\n<tr role=\"row\" class=\"part\"><th scope=\"rowgroup\" role=\"rowheader\" colspan=\"3\"><h2>En détail</h2>")
	assert.Contains(t, text, "<small>Identique</small>")
	assert.Equal(t, 2, strings.Count(text, "<tbody"), "the summary, and the categories")
}

// TestInFull: what was said in short is not said again, and contacts are links wherever they are.
func TestInFull(t *testing.T) {
	text := table(t, newBoard(t, shown(t, "crossing-camera.json", "wifi-counter.json"), "en"), nil)
	for _, once := range []string{"Two cameras count cars", ">Planning and improving this place<", ">Pictures or video<", "Until newer data takes its place", "Roads Department of Lindenau", `href="mailto:desk@library.example"`} {
		assert.Equal(t, 1, strings.Count(text, once), once)
	}
	assert.Contains(t, text, `<td role="cell"><p>Counts and movements: Does not identify people</p></td><td role="cell" class="quiet">Nothing more</td>`)
	assert.Contains(t, text, `How to do it: write to <a dir="ltr" href="mailto:roads@lindenau.example">`)
	assert.Contains(t, text, "Name of the organisation: Signalworks", "another organisation is not told by the first")
	assert.NotContains(t, table(t, newBoard(t, shown(t, "crossing-camera.json", "benefits.json"), "en"), nil), "<h2>", "of different taxonomies, there is no more than in short")
}

func TestWrite(t *testing.T) {
	list := shown(t, "crossing-camera.json", "wifi-counter.json")
	list[0].Datachain.Title[0].Value = "=1+1|*x*<script>"
	var w strings.Builder
	require.NoError(t, boardpage.Write(&w, newBoard(t, list, "")))
	assert.Contains(t, w.String(), "=1+1|*x*&lt;script&gt;")
	assert.NotContains(t, w.String(), "<script>")
}

// TestLinear shows that a page takes no more time than documents have parts.
func TestLinear(t *testing.T) {
	one := shown(t, "crossing-camera.json")[0]
	// with returns the document with many placements, each with words in another language than French.
	with := func(n int, name string) *datachain.Presentation {
		p, doc := *one, *one.Datachain
		doc.Elements = make([]taxonomy.Placement, n)
		for i := range doc.Elements {
			doc.Elements[i] = one.Datachain.Elements[0]
			doc.Elements[i].ElementInstanceID = ""
			doc.Elements[i].Label = &taxonomy.Label{Text: taxonomy.Localized{{Locale: "en", Value: name + " " + strconv.Itoa(i)}}}
		}
		p.Datachain = &doc
		return &p
	}
	growthtest.Linear(t, 200, func(n int) func() {
		list := []*datachain.Presentation{with(n, "Camera"), with(n, "Sensor")}
		return func() { assert.NoError(t, boardpage.Write(io.Discard, newBoard(t, list, "fr"))) }
	})
}

func ExampleTable() {
	b := &board.Board{
		Locale:  "en",
		Columns: []board.Column{{NotedTitle: "North gate"}, {NotedTitle: "South gate"}},
		Rows:    []board.Row{{NotedName: "Purpose", Cells: []board.Cell{{Lines: []string{"Counting"}}, {Lines: []string{"Counting"}}}}},
	}
	html, err := boardpage.Table(b, []boardpage.Head{{URL: "/d/north/"}, {URL: "/d/south/"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(html)
	// Output:
	// <table class="board" role="table" lang="en">
	// <thead role="rowgroup"><tr role="row"><td role="cell"></td><th scope="col" role="columnheader"><a href="/d/north/">North gate</a></th><th scope="col" role="columnheader"><a href="/d/south/">South gate</a></th></tr></thead>
	// <tbody role="rowgroup">
	// <tr role="row" class="same"><th scope="row" role="rowheader">Purpose <small>Same</small></th><td role="cell"><p>Counting</p></td><td role="cell"><p>Counting</p></td></tr>
	// </tbody>
	// </table>
}
