package main

import (
	"fmt"

	"github.com/datachain-go/datachain/bench/page"
)

// page returns the results as Markdown: a row for each step, and a column for each
// size.
func (b *bench) page() string {
	columns := max(len(b.taxonomies), len(b.documents))
	table := page.NewTable(make([]string, columns+1)...)
	row := func(name string, n int, cell func(i int) string) {
		cells := make([]string, columns+1)
		cells[0] = name
		for i := range n {
			cells[i+1] = cell(i)
		}
		table.Row(cells...)
	}
	taxonomies := func(name string, cell func(*taxonomyResult) string) {
		row(name, len(b.taxonomies), func(i int) string { return cell(b.taxonomies[i]) })
	}
	taxonomies("**elements**", func(t *taxonomyResult) string { return "**" + page.Count(t.elements) + "**" })
	taxonomies("publish, with icons", func(t *taxonomyResult) string { return page.Time(t.publish) })
	taxonomies("store on disk", func(t *taxonomyResult) string { return page.Bytes(t.bytes) })
	taxonomies("start a server, the first time", func(t *taxonomyResult) string { return page.Time(t.first) })
	taxonomies("start a server again", func(t *taxonomyResult) string { return page.Time(t.again) })
	taxonomies("first search", func(t *taxonomyResult) string { return page.Time(t.firstSearch) })
	taxonomies("search, not cached", func(t *taxonomyResult) string { return page.Time(t.search) })
	taxonomies("page of 50 elements, not cached", func(t *taxonomyResult) string { return page.Time(t.page) })
	taxonomies("element, not cached", func(t *taxonomyResult) string { return page.Time(t.read) })
	taxonomies(fmt.Sprintf("validate %d placements", usual), func(t *taxonomyResult) string { return page.Time(t.validate) })
	taxonomies("memory of the server", func(t *taxonomyResult) string { return page.Bytes(t.memory) })
	documents := func(name string, cell func(*documentResult) string) {
		row(name, len(b.documents), func(i int) string { return cell(b.documents[i]) })
	}
	documents("**placements**", func(d *documentResult) string { return "**" + page.Count(d.placements) + "**" })
	documents("document", func(d *documentResult) string { return page.Bytes(int64(d.bytes)) })
	documents("validate", func(d *documentResult) string { return page.Time(d.validate) })
	documents("resolve", func(d *documentResult) string { return page.Time(d.resolve) })
	documents("render", func(d *documentResult) string { return page.Time(d.render) })
	return page.Begin("Large taxonomies and documents", "make bench-growth") +
		"How time and memory grow with the elements of a taxonomy, and with the placements of a document.\n\n" +
		table.String() + fmt.Sprintf(`
Taxonomies have generated texts in two languages, %d categories, up to %d symbols and three icons per element; documents are for the one with 100 elements. Starts are the median of %d, other requests, one after the other, of %d. Memory is resident, after all requests.
`, categories, maxSymbols, starts, b.rounds)
}
