package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain/bench/page"
)

// pageOf writes the results as Markdown.
func pageOf(results []*result) string {
	var b strings.Builder
	b.WriteString(page.Begin("Speed of search", "make bench-search"))
	fmt.Fprintf(&b, "The package `search` beside other engines. Each query returns the best %d elements by BM25 over title and description, and the number of matches. "+
		"Times are per query; numbers in parentheses are multiples of the first row.\n\n", top)
	b.WriteString(table(results))
	setup(&b)
	return b.String()
}

// table has a row for each engine and each mode that only ours has, by size.
func table(results []*result) string {
	t := page.NewTable("", "1 word", "2 words", "3 words", "build", "memory")
	for _, r := range results {
		t.Row("**"+page.Count(r.elements)+" elements**", "", "", "", "", "")
		base := r.engines[0]
		for i, e := range r.engines {
			cells := []string{engines[i].name}
			for k, times := range e.terms {
				cells = append(cells, page.Time(times.mean())+timesOurs(times.mean(), base.terms[k].mean()))
			}
			t.Row(append(cells, page.Time(e.time)+timesOurs(e.time, base.time), page.Bytes(e.memory)+timesOurs(e.memory, base.memory))...)
		}
		for _, m := range r.modes {
			t.Row(m.name, "", page.Time(m.mean()), "", "", "")
		}
	}
	return t.String()
}

// setup describes how it was measured.
func setup(b *strings.Builder) {
	b.WriteString(`
All engines search the same generated texts for the same ` + fmt.Sprint(queriesOfEach) + ` queries per length, of frequent, medium and rare words, and find the same number of elements. Rows below them are what only datachain has. Times are those of the best round, memory is the growth of the Go heap or the pages of SQLite, without the texts. bleve: scorch in memory, one batch. bluge: in memory, one batch. sqlite: FTS5 in memory, contentless, optimised.
`)
}

// timesOurs formats the ratio to ours, empty for ours itself.
func timesOurs[T time.Duration | int64](of, base T) string {
	if of == base {
		return ""
	}
	return fmt.Sprintf(" (%.1f)", float64(of)/float64(base))
}
