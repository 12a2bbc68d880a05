package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/search"
)

// page returns the page on search quality.
func (l *lab) page(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(pageIntro)
	b.WriteString("## Results\n\n")
	b.WriteString(l.byGroup(t))
	b.WriteString("\n## What each step contributes\n\n")
	b.WriteString(pageSteps)
	b.WriteString(l.bySteps(t))
	b.WriteString(pageSynonyms)
	b.WriteString(l.withSynonyms(t))
	return b.String()
}

// byGroup shows the results as shipped, by kind and by language.
func (l *lab) byGroup(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| queries | first set | nDCG@10 | recall@10 | held out | nDCG@10 | recall@10 | later | nDCG@10 | recall@10 |\n|---|" +
		strings.Repeat("--:|", 9) + "\n")
	row := func(name string, admit func(judgement) bool) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, queries := range [][]judgement{l.judged, l.heldOut, l.later} {
			if q, n := l.measure(t, queries, shipped, admit); n > 0 {
				fmt.Fprintf(&b, " %d | %.1f | %.1f |", n, q.ndcg, q.recall)
			} else {
				b.WriteString(" 0 | | |")
			}
		}
		b.WriteByte('\n')
	}
	for _, kind := range kinds {
		row(kind, func(q judgement) bool { return q.Kind == kind })
	}
	for _, language := range languages {
		row(language, func(q judgement) bool { return strings.HasPrefix(q.Locale, language) })
	}
	row("**all**", all)
	return b.String()
}

// bySteps shows what each step contributes, in the fourth set to texts without keywords.
func (l *lab) bySteps(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| nDCG@10 | first set | held out | later | without keywords |\n|---|" + strings.Repeat("--:|", 4) + "\n")
	for _, w := range ways {
		fmt.Fprintf(&b, "| %s |", w.name)
		bare := w.way
		bare.bare = true
		for _, set := range []struct {
			queries []judgement
			way     way
		}{{l.judged, w.way}, {l.heldOut, w.way}, {l.later, w.way}, {l.bare, bare}} {
			q, _ := l.measure(t, set.queries, set.way, all)
			fmt.Fprintf(&b, " %.1f |", q.ndcg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// withSynonyms shows what synonyms contribute to texts without keywords, for all queries and
// for those that the kind synonym is about.
func (l *lab) withSynonyms(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| texts without keywords | first set | held out | later | fourth | synonym, first set | synonym, held out | need, first set | need, held out |\n|---|" +
		strings.Repeat("--:|", 8) + "\n")
	kind := func(kind string) func(judgement) bool { return func(q judgement) bool { return q.Kind == kind } }
	for _, w := range []struct {
		name string
		way  way
	}{
		{"without synonyms", way{steps: shipped.steps, bare: true}},
		{"with synonyms", way{steps: shipped.steps, synonyms: true}},
	} {
		fmt.Fprintf(&b, "| %s |", w.name)
		for _, set := range []struct {
			queries []judgement
			admit   func(judgement) bool
		}{
			{l.judged, all},
			{l.heldOut, all},
			{l.later, all},
			{l.bare, all},
			{l.judged, kind("synonym")},
			{l.heldOut, kind("synonym")},
			{l.judged, kind("need")},
			{l.heldOut, kind("need")},
		} {
			q, _ := l.measure(t, set.queries, w.way, set.admit)
			fmt.Fprintf(&b, " %.1f |", q.ndcg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// ways are the configurations to compare: step by step, then all steps but one.
var ways = []struct {
	name string
	way  way
}{
	{"plain BM25, without keywords", way{bare: true}},
	{"plain BM25", way{}},
	{"+ incomplete last word", way{steps: search.Steps{Prefixes: true}}},
	{"+ typos", way{steps: search.Steps{Prefixes: true, Typos: true}}},
	{"+ other word forms", way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true}}},
	{"+ English plurals and numbers", way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true, Numbers: true}}},
	{"+ common words count less", way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true, Numbers: true, Damp: true}}},
	{"+ function words count less: **as shipped**", shipped},
	{"as shipped, without keywords", way{steps: shipped.steps, bare: true}},
	{"as shipped, without incomplete words", way{steps: search.Steps{Typos: true, Forms: true, Numbers: true, Damp: true, Function: true}}},
	{"as shipped, without typos", way{steps: search.Steps{Prefixes: true, Forms: true, Numbers: true, Damp: true, Function: true}}},
	{"as shipped, without other forms", way{steps: search.Steps{Prefixes: true, Typos: true, Numbers: true, Damp: true, Function: true}}},
	{"as shipped, with full weight for common words", way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true, Numbers: true, Function: true}}},
	{"as shipped, without English plurals and numbers", way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true, Damp: true, Function: true}}},
}

// The text of the page. Two single quotes stand for a backquote, so that these
// can be raw strings.
var (
	pageIntro = ticked(`# Search quality

How well search finds what people look for, measured with the [judged queries](README.md).
''make search-quality'' measures again and writes this page; a test fails if the results
differ from the page.

**nDCG@10** compares the order of the first ten hits with the ideal order: a hit gains
2^grade - 1 (7, 3 or 1), divided by log2(rank + 1). **recall@10** is the share of all
graded elements among the first ten hits. Both are means over the queries, in percent.
Differences of less than one point mean little.

`)

	pageSteps = `Plain BM25 finds only the words in the texts. Each step gains on at least one set, and loses
nothing on the held-out one.

`

	pageSynonyms = ticked(`
## Synonyms

The samples have keywords, so this measures the samples without their keywords, with and
without the groups of ''synonyms.json'' (nDCG@10).

`)
)

func ticked(text string) string { return strings.ReplaceAll(text, "''", "`") }
