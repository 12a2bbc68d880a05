package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// page writes the results as Markdown.
func page(results []*result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Speed of search\n\n"+
		"Written by `make bench-search` on a machine with %d cores (%s), %s for %s/%s. Do not edit.\n\n"+
		"This page compares the package `search` with other engines, in one process and one run. Each query returns the best %d elements by BM25 over title (weight %d) "+
		"and description, and the exact number of matches. Queries have 1, 2 or 3 words and match elements with any of them.\n\n",
		runtime.NumCPU(), cpu(), runtime.Version(), runtime.GOOS, runtime.GOARCH, top, titleBoost)
	summary(&b, results)
	for _, r := range results {
		fmt.Fprintf(&b, "\n## %s elements, %s distinct words\n\n", thousands(r.elements), thousands(r.words))
		engineTable(&b, r)
	}
	modes(&b, results)
	setup(&b)
	return b.String()
}

// summary compares our engine with the reference.
func summary(b *strings.Builder, results []*result) {
	fmt.Fprintf(b, "%s compared with %s:\n\n| elements | 1 word | 2 words | 3 words | build | memory | allocations per query |\n|---:|---:|---:|---:|---:|---:|---:|\n", ours, reference)
	for _, r := range results {
		we, they := r.engines[0], r.engines[1]
		fmt.Fprintf(b, "| %s |", thousands(r.elements))
		for k := range we.terms {
			fmt.Fprintf(b, " %.1f times faster |", quotient(they.terms[k].mean(), we.terms[k].mean()))
		}
		fmt.Fprintf(b, " %.1f times faster | %.2f times as much | %s instead of %s |\n", quotient(they.time, we.time),
			quotient(we.memory, they.memory), count(we.allocations), count(they.allocations))
	}
}

// engineTable has a row for each engine.
func engineTable(b *strings.Builder, r *result) {
	b.WriteString("| | 1 word | p95 | 2 words | p95 | 3 words | p95 | allocations | build | memory |\n|---|" + strings.Repeat("---:|", 9) + "\n")
	base := r.engines[0]
	for i, e := range r.engines {
		fmt.Fprintf(b, "| %s |", engines[i].name)
		for k, t := range e.terms {
			fmt.Fprintf(b, " %s%s | %s |", rounded(t.mean()), timesOurs(t.mean(), base.terms[k].mean()), rounded(t.p95()))
		}
		fmt.Fprintf(b, " %s | %s%s | %s%s |\n", count(e.allocations),
			rounded(e.time), timesOurs(e.time, base.time), megabytes(e.memory), timesOurs(e.memory, base.memory))
	}
}

// modes has a row for each mode that only ours has, and a column for each size.
func modes(b *strings.Builder, results []*result) {
	fmt.Fprintf(b, "\n## Features of %s\n\nQueries of two words: mean (95th percentile).\n\n|", ours)
	for _, r := range results {
		fmt.Fprintf(b, " | %s elements", thousands(r.elements))
	}
	b.WriteString(" |\n|---|" + strings.Repeat("---:|", len(results)) + "\n")
	row := func(name string, cell func(r *result) string) {
		fmt.Fprintf(b, "| %s |", name)
		for _, r := range results {
			fmt.Fprintf(b, " %s |", cell(r))
		}
		b.WriteByte('\n')
	}
	both := func(t times) string { return fmt.Sprintf("%s (%s)", rounded(t.mean()), rounded(t.p95())) }
	row("as above: whole words only", func(r *result) string { return both(r.engines[0].terms[1]) })
	for i, m := range results[0].modes {
		row(m.name, func(r *result) string { return both(r.modes[i].times) })
	}
	row("loading a serialised index", func(r *result) string { return rounded(r.load) + " for " + megabytes(int64(r.stored)) })
}

// setup describes the machine and the method.
func setup(b *strings.Builder) {
	fmt.Fprintf(b, `
## Method

- The corpus is generated from a fixed seed. Its words follow Zipf's law, the vocabulary grows with the square root of the text, titles have %d to %d words, descriptions %d to %d.
- There are %d queries of each length, the same for all engines. The words of the corpus are divided into frequent, medium and rare ones, each of which makes up a third of the text; the queries cover all combinations of these.
- Each query runs in several rounds (at least 20; 8 with bluge, 3 with SQLite), with the engines taking turns. Its time is that of the best round; the tables have the mean and the 95th percentile over the queries. All engines find the same number of elements, which a test in bench/search checks; the details of their formulas differ, and so does the order.
- Build time is the best of %d builds; of three for more than 1,000 elements, and for more than 10,000 elements of two with bleve and of one with bluge and SQLite. Memory is the growth of Go's heap by a build, after garbage collection, and for SQLite its pages; the texts themselves are not counted.
- Numbers in parentheses are multiples of datachain's.

`, minTitle, maxTitle, minDescription, maxDescription, queriesOfEach, maxBuildRounds)
	for _, e := range engines {
		fmt.Fprintf(b, "- **%s**: %s.\n", e.name, e.setup)
	}
}

// cpu returns the name of the CPU if the system provides it.
func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func quotient[T time.Duration | int64](a, b T) float64 { return float64(a) / float64(b) }

// timesOurs formats the ratio to ours, empty for ours itself.
func timesOurs[T time.Duration | int64](of, base T) string {
	if of == base {
		return ""
	}
	return fmt.Sprintf(" (%.1f)", quotient(of, base))
}

func count(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// rounded formats a duration with three digits.
func rounded(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/float64(time.Microsecond))
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

func megabytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
