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
		"Times are per query; numbers in parentheses are multiples of ours.\n\n", top)
	b.WriteString(table(results))
	setup(&b)
	return b.String()
}

// table has a row for each engine and each mode that only ours has, by size.
func table(results []*result) string {
	t := page.NewTable("", "1 word", "2 words", "3 words", "allocations", "build", "memory")
	for _, r := range results {
		t.Row("**"+page.Count(r.elements)+" elements**", "", "", "", "", "", "")
		base := r.engines[0]
		for i, e := range r.engines {
			cells := []string{engines[i].name}
			for k, times := range e.terms {
				cells = append(cells, page.Time(times.mean())+timesOurs(times.mean(), base.terms[k].mean()))
			}
			t.Row(append(cells, count(e.allocations), page.Time(e.time)+timesOurs(e.time, base.time), page.Bytes(e.memory)+timesOurs(e.memory, base.memory))...)
		}
		for _, m := range r.modes {
			t.Row(ours+", "+m.name, "", page.Time(m.mean()), "", "", "", "")
		}
	}
	return t.String()
}

// setup describes how it was measured.
func setup(b *strings.Builder) {
	b.WriteString(`
How it was measured:

- The texts are generated, with words as frequent as in a natural language. Each length has ` + fmt.Sprint(queriesOfEach) + ` queries of frequent, medium and rare words.
- Each query runs in rounds (at least 20; 8 with bluge, 3 with SQLite), with the engines taking turns. Its time is that of the best round; the table has the mean over the queries.
- All engines search for the same whole words and find the same number of elements. Rows with a comma add features that only ours has: word forms and incomplete words, or typos.
- Build is the best of several builds. Memory is the growth of Go's heap, or the pages of SQLite, without the texts.
- bleve: scorch in memory, one batch, BM25. bluge: in memory, one batch. sqlite: FTS5 in memory, contentless, optimised.
`)
}

// timesOurs formats the ratio to ours, empty for ours itself.
func timesOurs[T time.Duration | int64](of, base T) string {
	if of == base {
		return ""
	}
	return fmt.Sprintf(" (%.1f)", float64(of)/float64(base))
}

func count(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return page.Count(int(n + 0.5))
}
