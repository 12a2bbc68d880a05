package search_test

import (
	gocmp "cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// qualityPage has the results of the judged queries.
const qualityPage = "testdata/quality.md"

// TestQuality measures search with the judged queries and compares the results with the
// page, so that every change of the ranking is visible.
func TestQuality(t *testing.T) {
	l := newLab(t)
	goldentest.File(t, qualityPage, l.page(t))
	l.logWorst(t)
}

// TestJudgedQueriesAreSound checks that the judged queries are unique and name existing elements.
func TestJudgedQueriesAreSound(t *testing.T) {
	l := newLab(t)
	require.GreaterOrEqual(t, len(l.judged), 120)
	seen := map[[3]string]bool{}
	for _, q := range slices.Concat(l.judged, l.heldOut, l.later, l.bare) {
		r := l.releases[q.Version]
		require.NotNil(t, r, q.ID)
		require.Contains(t, kinds, q.Kind, q.ID)
		require.NotEmpty(t, q.Relevant, q.ID)
		for id, grade := range q.Relevant {
			_, ok := r.Element(id)
			require.True(t, ok, "%s: %s has no element %s", q.ID, q.Version, id)
			require.True(t, 1 <= grade && grade <= 3, "%s: %s has grade %d", q.ID, id, grade)
		}
		key := [3]string{q.Version, q.Locale, q.Query}
		require.False(t, seen[key], "%s has been asked before", q.ID)
		seen[key] = true
	}
}

// kinds and languages of the judged queries, in the order of the page.
var (
	kinds     = []string{"word", "prefix", "typo", "plural", "need", "accent", "synonym", "cross"}
	languages = []string{"en", "fr", "es"}
)

// judgement is a query with the elements that should come first.
type judgement struct {
	ID, Version, Locale, Kind, Query string
	// Relevant has grades from 1 (related) to 3 (exactly what was looked for).
	Relevant map[string]int
}

// lab has everything that is measured.
type lab struct {
	judged, heldOut, later []judgement
	bare                   []judgement // asked without keywords
	releases               map[string]*taxonomy.Release
	indexes                map[string]*search.Index // by version, locale and whether without keywords
	answers                map[asked]answer         // those that have been given
}

// asked is a query, by its id, and the way it was run.
type asked struct {
	id string
	way
}

// answer is the result of a query and its quality.
type answer struct {
	ids []string // of the ten best elements
	quality
}

func newLab(t *testing.T) *lab {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	var synonyms map[string]map[string][][]string // groups by type and locale
	readTestdata(t, "testdata/synonyms.json", &synonyms)
	l := &lab{releases: map[string]*taxonomy.Release{}, indexes: map[string]*search.Index{}, answers: map[asked]answer{}}
	for _, e := range index.Entries() {
		r, err := store.Release(t.Context(), e.ID)
		require.NoError(t, err)
		l.releases[r.Version().String()] = r
		for _, locale := range r.Locales() {
			if synonyms[r.Version().Type()][locale] == nil {
				continue // no query in this language is judged
			}
			key := r.Version().String() + " " + locale
			l.indexes[key], err = search.Build(r, locale)
			require.NoError(t, err)
			bare := content(r)
			for i := range bare.Elements {
				bare.Elements[i].Keywords = nil
			}
			l.indexes[key+" bare"] = indexed(t, r.Version(), bare, locale)
			bare.Synonyms = []taxonomy.Synonyms{{Locale: locale, Groups: synonyms[r.Version().Type()][locale]}}
			l.indexes[key+" bare synonyms"] = indexed(t, r.Version(), bare, locale)
		}
	}
	l.judged, l.heldOut = readJudged(t, "testdata/judged.json"), readJudged(t, "testdata/judged_heldout.json")
	l.later, l.bare = readJudged(t, "testdata/judged_later.json"), readJudged(t, "testdata/judged_bare.json")
	return l
}

func readJudged(t *testing.T, path string) []judgement {
	t.Helper()
	var file struct{ Queries []judgement }
	readTestdata(t, path, &file)
	require.NotEmpty(t, file.Queries)
	return file.Queries
}

func readTestdata(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, v))
}

// indexed indexes what a release is made of.
func indexed(t *testing.T, v taxonomy.Version, c taxonomy.Content, locale string) *search.Index {
	t.Helper()
	r, err := taxonomy.NewRelease(v, c)
	require.NoError(t, err)
	x, err := search.Build(r, locale)
	require.NoError(t, err)
	return x
}

// way is a way to search.
type way struct {
	steps search.Steps
	// bare ignores the keywords of elements.
	bare bool
	// synonyms adds the groups of testdata/synonyms.json; it implies bare.
	synonyms bool
}

// shipped is the default way.
var shipped = way{steps: search.Steps{Prefixes: true, Typos: true, Forms: true, Numbers: true, Damp: true, Function: true, Synonyms: true}}

// ask runs a query.
func (l *lab) ask(t *testing.T, q judgement, w way) answer {
	t.Helper()
	if a, ok := l.answers[asked{q.ID, w}]; ok {
		return a
	}
	locale, err := taxonomy.MatchLocale(l.releases[q.Version].Locales(), q.Locale)
	require.NoError(t, err)
	key := q.Version + " " + locale
	switch {
	case w.synonyms:
		key += " bare synonyms"
	case w.bare:
		key += " bare"
	}
	x := l.indexes[key]
	require.NotNil(t, x, q.ID)
	var ids []string
	for _, h := range must(x.With(w.steps).Search(search.Query{Text: q.Query, Limit: 10})).Hits {
		ids = append(ids, h.Element.ID)
	}
	a := answer{ids, quality{100 * ndcg(ids, q.Relevant), 100 * recall(ids, q.Relevant)}}
	l.answers[asked{q.ID, w}] = a
	return a
}

// quality is the quality of one query, or the mean of several, in percent.
type quality struct{ ndcg, recall float64 }

// measure runs the queries that a filter admits, and returns their number. The quality of no
// queries is 0.
func (l *lab) measure(t *testing.T, queries []judgement, w way, admit func(judgement) bool) (quality, int) {
	t.Helper()
	var sum quality
	n := 0
	for _, q := range queries {
		if !admit(q) {
			continue
		}
		a := l.ask(t, q, w)
		sum.ndcg += a.ndcg
		sum.recall += a.recall
		n++
	}
	some := float64(max(1, n))
	return quality{sum.ndcg / some, sum.recall / some}, n
}

func all(judgement) bool { return true }

// ndcg is the normalized discounted cumulative gain: each element gains 2^grade-1, divided
// by the logarithm of its rank, and the sum is compared with that of the best order.
func ndcg(ids []string, grades map[string]int) float64 {
	var got, best []int
	for _, id := range ids {
		got = append(got, grades[id])
	}
	for _, grade := range grades {
		best = append(best, grade)
	}
	slices.SortFunc(best, func(a, b int) int { return b - a })
	return gain(got) / gain(best[:min(10, len(best))])
}

func gain(grades []int) float64 {
	sum := 0.0
	for i, grade := range grades {
		sum += float64(int(1)<<grade-1) / math.Log2(float64(i+2))
	}
	return sum
}

// recall is the share of graded elements that is found.
func recall(ids []string, grades map[string]int) float64 {
	found := 0
	for _, id := range ids {
		if grades[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(min(10, len(grades)))
}

// logWorst logs the queries with the lowest quality.
func (l *lab) logWorst(t *testing.T) {
	t.Helper()
	worst := slices.Clone(l.judged)
	slices.SortStableFunc(worst, func(p, q judgement) int {
		return gocmp.Compare(l.ask(t, p, shipped).ndcg, l.ask(t, q, shipped).ndcg)
	})
	for _, q := range worst[:15] {
		a := l.ask(t, q, shipped)
		t.Logf("%.0f  %s (%s): %q finds %v; wanted are %v", a.ndcg, q.ID, q.Version, q.Query, a.ids[:min(3, len(a.ids))], q.Relevant)
	}
}
