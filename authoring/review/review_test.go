package review_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

const version = "park@2026-01-02-beta"

// base is a version without findings, over which cases write files.
var base = map[string]string{
	"schema.yaml": `
title: {en: Parks, fr: Parcs}
description: {en: What stands in a park., fr: Ce qui se trouve dans un parc.}
locales: [en, fr, es, de, it, ja]
datachain_type: {id: park, name: {en: Park}, categories: [thing]}
`,
	"categories/thing.yaml": `
id: thing
name: {en: Things}
description: {en: What you can see and touch.}
shape: circle
variables: [{id: who, label: {en: Who}}]
`,
	"elements/all.yaml":  "- {id: thing.bench, title: {en: Bench}, description: {en: A place to sit and look around.}, category_id: thing, symbol_id: bar}\n",
	"symbols/bar.svg":    drawing(`<path fill="currentColor" d="M9 16h18v4H9z"/>`),
	"symbols/ring.svg":   drawing(`<circle fill="none" stroke="currentColor" stroke-width="2" cx="18" cy="18" r="8"/>`),
	"symbols/ring2.svg":  drawing(`<circle fill="none" stroke="currentColor" stroke-width="2" cx="18" cy="18" r="8"/><circle fill="currentColor" cx="18" cy="18" r="1"/>`),
	"symbols/square.svg": drawing(`<path fill="currentColor" d="M9 9h18v18H9z"/>`),
}

func drawing(body string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">` + body + `</svg>`
}

// release compiles base with some files replaced.
func release(t testing.TB, files map[string]string) *taxonomy.Release {
	t.Helper()
	tree := fstest.MapFS{}
	for _, m := range []map[string]string{base, files} {
		for name, text := range m {
			tree["park/2026-01-02-beta/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	compiled, err := source.Compile(tree, taxonomy.MustVersion(version), nil)
	require.NoError(t, err)
	require.NotNil(t, compiled.Release, "%v", compiled.Issues)
	return compiled.Release
}

// printed prints the findings of a report.
func printed(r *review.Report) string {
	var b strings.Builder
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "%s %s: %s", s.Kind, s.ID, strings.Join(slices.DeleteFunc([]string{f.Sign, f.Locale, f.Field}, func(s string) bool { return s == "" }), " "))
			fmt.Fprintf(&b, " %g/%g: %s\n", f.Value, f.Limit, f.Message)
		}
	}
	return b.String()
}

// TestSigns runs the cases of testdata. Each directory is a sign, each file a version and
// its findings. Files are written over base; the part "want" has the findings.
func TestSigns(t *testing.T) {
	for _, sign := range review.Signs() {
		cases, err := filepath.Glob("testdata/" + sign.ID + "/*.txtar")
		require.NoError(t, err)
		require.NotEmpty(t, cases, "%s has no cases", sign.ID)
		for _, name := range cases {
			t.Run(sign.ID+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				text, err := os.ReadFile(name)
				require.NoError(t, err)
				archive, want, _ := strings.Cut(string(text), "-- want --\n")
				report, err := review.Release(release(t, files(archive)), &review.Options{Signs: []string{sign.ID}})
				require.NoError(t, err)
				got := printed(report)
				if goldentest.Updating() {
					require.NoError(t, os.WriteFile(name, []byte(archive+"-- want --\n"+got), 0o644))
					return
				}
				require.Equal(t, want, got)
			})
		}
	}
}

// files returns the files of a txtar archive.
func files(archive string) map[string]string {
	found := map[string]string{}
	name := ""
	for line := range strings.Lines(archive) {
		if at, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(line, " --\n") {
			name = strings.TrimSuffix(at, " --\n")
			continue
		}
		if name != "" {
			found[name] += line
		}
	}
	return found
}

// TestBase checks that base has no findings, so that those of cases are their own.
func TestBase(t *testing.T) {
	report, err := review.Release(release(t, nil), nil)
	require.NoError(t, err)
	require.False(t, report.Found(), "%s", printed(report))
}

// TestSignsAreDocumented checks what people read about signs.
func TestSignsAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range review.Signs() {
		require.Regexp(t, `^[a-z]+(-[a-z]+)*$`, s.ID)
		require.False(t, seen[s.ID], s.ID)
		seen[s.ID] = true
		require.Same(t, s, review.Lookup(s.ID))
		for _, text := range []string{s.Purpose, s.Advice} {
			require.Regexp(t, `^[A-Z"].*\.$`, text, s.ID)
		}
		require.NotEmpty(t, s.Unit, s.ID)
		require.NotEmpty(t, s.Group, s.ID)
		require.True(t, 1 <= s.Weight && s.Weight <= 3, s.ID)
	}
	require.Nil(t, review.Lookup("no-such"))
}

// TestPage checks that the page on reviewing has a row for each sign.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/reviewing.md")
	require.NoError(t, err)
	for _, s := range review.Signs() {
		bound := "at most"
		if s.AtLeast {
			bound = "at least"
		}
		require.Contains(t, string(page), fmt.Sprintf("| %#q | %s %g %s | %s |\n", s.ID, bound, s.Limit, s.Unit, s.Purpose))
	}
}

// TestOrder checks that what needs most attention comes first, and that limits can be
// changed.
func TestOrder(t *testing.T) {
	r := release(t, map[string]string{"elements/all.yaml": `
- {id: thing.one, title: {en: One two three four five six seven eight nine}, description: {en: A place to sit and look around.}, category_id: thing, symbol_id: bar}
- {id: thing.two, title: {en: One two three four five six seven eight nine ten eleven twelve thirteen}, description: {en: Nothing like the others at all.}, category_id: thing, symbol_id: ring}
`})
	o := &review.Options{Signs: []string{"title-length"}}
	report, err := review.Release(r, o)
	require.NoError(t, err)
	require.Equal(t, []string{"thing.two", "thing.one"}, ids(report))
	require.Greater(t, report.Subjects[0].Attention, report.Subjects[1].Attention)
	require.Equal(t, "One two three four five six seven eight nine", report.Subjects[1].Title)
	o.Limits = map[string]float64{"title-length": 9}
	report, err = review.Release(r, o)
	require.NoError(t, err)
	require.Equal(t, []string{"thing.two"}, ids(report))
	require.InDelta(t, 9, report.Subjects[0].Findings[0].Limit, 0)
}

func ids(r *review.Report) []string {
	var list []string
	for _, s := range r.Subjects {
		list = append(list, s.ID)
	}
	return list
}

// TestOptions checks locales, known abbreviations, and options that make no sense.
func TestOptions(t *testing.T) {
	r := release(t, map[string]string{"elements/all.yaml": `
- {id: thing.one, title: {en: A GPS receiver, fr: Un récepteur}, description: {en: It knows where it stands., fr: Il sait où il se trouve.}, category_id: thing, symbol_id: bar}
`})
	for _, o := range []*review.Options{{Known: []string{"GPS"}}, {Locales: []string{"FR"}}} {
		report, err := review.Release(r, o)
		require.NoError(t, err)
		require.Empty(t, report.Subjects, printed(report))
	}
	report, err := review.Release(r, &review.Options{Locales: []string{"fr", "en"}})
	require.NoError(t, err)
	require.Equal(t, []string{"fr", "en"}, report.Locales)
	for _, o := range []*review.Options{
		{Locales: []string{"xx"}}, {Signs: []string{"none"}}, {Limits: map[string]float64{"none": 1}}, {Limits: map[string]float64{"abbreviation": -1}},
	} {
		_, err := review.Release(r, o)
		require.ErrorContains(t, err, "review: ")
	}
}

// TestInterrupt checks that a review ends when it is told to.
func TestInterrupt(t *testing.T) {
	stop := errors.New("stop")
	for _, sign := range []string{"near-duplicate", "like-icon"} {
		_, err := review.Release(release(t, nil), &review.Options{Signs: []string{sign}, Interrupt: func() error { return stop }})
		require.ErrorIs(t, err, stop)
	}
}

// TestSamples reviews the sample taxonomies: the newest versions need little attention.
func TestSamples(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	for _, name := range []string{"ai@latest-beta", "sensor@latest-beta"} {
		ref, err := taxonomy.ParseRef(name)
		require.NoError(t, err)
		r, err := taxonomy.Open(t.Context(), store, ref)
		require.NoError(t, err)
		report, err := review.Release(r, nil)
		require.NoError(t, err)
		for _, s := range report.Subjects {
			require.NotEqual(t, review.KindElement, s.Kind, "%s", printed(report))
		}
	}
}

func Example() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	ref, _ := taxonomy.ParseRef("ai@latest-beta")
	release, err := taxonomy.Open(context.Background(), store, ref)
	if err != nil {
		panic(err)
	}
	report, err := review.Release(release, &review.Options{Locales: []string{"en"}})
	if err != nil {
		panic(err)
	}
	for _, s := range report.Subjects {
		for _, f := range s.Findings {
			fmt.Println(s.Kind, s.ID, f.Message)
		}
	}
	// Output: version ai@2026-12-15-beta AI is never spelled out; 8 parts use it: decision, decision.automated, decision.confirmed, decision.advised and 4 more.
}

// TestTwins shows that elements of two categories that say the same of two things are no near
// duplicates.
func TestTwins(t *testing.T) {
	t.Parallel()
	const text = "{en: %s}, description: {en: \"What doctors, nurses and insurers wrote about your body and mind%s.\"}, category_id: %s, symbol_id: bar}\n"
	element := func(id, title, more, category string) string {
		return "- {id: " + id + ", title: " + fmt.Sprintf(text, title, more, category)
	}
	filler := ""
	for i, words := range []string{"ducks swim", "cold rain falls", "paper burns", "swings creak", "benches rot", "gates open", "poets rhyme", "clocks strike"} {
		filler += fmt.Sprintf("- {id: thing.f%d, title: {en: F%d}, description: {en: \"Here %s every morning.\"}, category_id: thing, symbol_id: bar}\n", i, i, words)
	}
	for _, c := range []struct {
		name, elements string
		want           int
	}{
		{"one category", element("thing.a", "Health", " today", "thing") + element("thing.b", "Health data", "", "thing"), 1},
		{"two categories, other words", element("thing.a", "Health", " today", "thing") + element("result.b", "Health data", "", "result"), 1},
		{"the same title", element("thing.a", "Health", " today", "thing") + element("result.b", "health", "", "result"), 0},
		{"the same id", element("thing.a", "Health", " today", "thing") + element("result.a", "Health data", "", "result"), 0},
	} {
		r := release(t, map[string]string{
			"schema.yaml":            strings.Replace(base["schema.yaml"], "[thing]", "[thing, result]", 1),
			"categories/result.yaml": strings.Replace(base["categories/thing.yaml"], "id: thing", "id: result", 1),
			"elements/all.yaml":      c.elements + filler,
		})
		report, err := review.Release(r, &review.Options{Signs: []string{"near-duplicate"}, Locales: []string{"en"}})
		require.NoError(t, err)
		require.Len(t, report.Subjects, c.want, "%s: %s", c.name, printed(report))
	}
}

// TestManyAlike finds the two that say the same among many elements with nearly the same words.
func TestManyAlike(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 1200 {
		place := fmt.Sprintf("gate %d", i)
		if i == 7 || i == 1100 {
			place = "the northern harbour crane, beside the old lighthouse"
		}
		fmt.Fprintf(&all, "- {id: thing.e%d, title: {en: \"Camera at %s\"}, description: {en: \"A camera at %s that counts people who enter the building and leave it.\"}, category_id: thing, symbol_id: bar}\n", i, place, place)
	}
	report, err := review.Release(release(t, map[string]string{"elements/all.yaml": all.String()}), &review.Options{Signs: []string{"near-duplicate"}, Locales: []string{"en"}})
	require.NoError(t, err)
	require.Len(t, report.Subjects, 1, printed(report))
	require.Equal(t, "thing.e1100", report.Subjects[0].ID)
	require.Equal(t, []string{"thing.e7"}, report.Subjects[0].Findings[0].Others)
}

// TestAccept shows that accepted findings are not reported until the text changes, whatever
// else does.
func TestAccept(t *testing.T) {
	t.Parallel()
	elements := func(title, other string) map[string]string {
		return map[string]string{
			"categories/thing.yaml": strings.Replace(base["categories/thing.yaml"], "{en: What you can see and touch.}", "{en: The QZX says so twice a year.}", 1),
			"elements/all.yaml": "- {id: thing.a, title: {en: " + title + ", fr: Un}, description: {en: Short., fr: Bref.}, category_id: thing, symbol_id: ring}\n" +
				"- {id: thing.b, title: {en: B}, description: {en: " + other + "}, category_id: thing, symbol_id: ring2}\n" +
				"- {id: thing.c, title: {en: C}, description: {en: The third of these three parts.}, category_id: thing, symbol_id: ring2}\n",
		}
	}
	const long = "A title with more words than anyone reads in two seconds"
	before := release(t, elements(long, "Every part of this park is old."))
	report, err := review.Release(before, nil)
	require.NoError(t, err)
	var all []review.Acceptance
	for _, s := range report.Subjects {
		for _, f := range s.Findings {
			require.Regexp(t, "^[0-9a-f]{12}$", f.Text)
			all = append(all, review.Acceptance{Sign: f.Sign, Subject: s.Kind.Of(s.ID), Text: f.Text, Reason: "So be it."})
		}
	}
	signs := func(list []review.Acceptance) string {
		var names []string
		for _, a := range list {
			names = append(names, a.Sign)
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	require.Equal(t, "abbreviation description-short like-icon same-icon title-length translation-length", signs(all))

	report, err = review.Release(before, &review.Options{Accepted: all})
	require.NoError(t, err)
	require.False(t, report.Found(), printed(report))
	require.Equal(t, all, report.Accepted)
	require.Empty(t, report.Unused)

	// Another text changes: only what was read of it is reported again.
	report, err = review.Release(release(t, elements(long+"!", "Every part of this park is old.")), &review.Options{Accepted: all})
	require.NoError(t, err)
	require.Equal(t, "title-length translation-length", signs(report.Unused))
	require.Contains(t, printed(report), "element thing.a: title-length en title")
	require.Len(t, report.Subjects, 1)
	report, err = review.Release(release(t, elements(long, "Every part of this park is new.")), &review.Options{Accepted: all})
	require.NoError(t, err)
	require.False(t, report.Found(), printed(report))

	// A drawing changes.
	drawn := elements(long, "Every part of this park is old.")
	drawn["symbols/ring2.svg"] = strings.Replace(base["symbols/ring2.svg"], `r="1"`, `r="1.5"`, 1)
	report, err = review.Release(release(t, drawn), &review.Options{Accepted: all})
	require.NoError(t, err)
	require.Equal(t, "like-icon same-icon", signs(report.Unused))

	// What is not looked for is not unused.
	report, err = review.Release(before, &review.Options{Accepted: all, Signs: []string{"title-length"}})
	require.NoError(t, err)
	require.Empty(t, report.Unused)
	require.Equal(t, "title-length", signs(report.Accepted))
}

// TestAcceptIsNotContent shows that acceptances do not change the hash of a version.
func TestAcceptIsNotContent(t *testing.T) {
	t.Parallel()
	with := base["schema.yaml"] + "review: {accept: [{sign: title-length, subject: element/thing.bench, text: 0a3bfa1f9a3c, reason: Known}]}\n"
	require.Equal(t, release(t, nil).ContentHash(), release(t, map[string]string{"schema.yaml": with}).ContentHash())
}

// TestSignsOfSchema compares the signs with those that the JSON Schema of schema files lists.
func TestSignsOfSchema(t *testing.T) {
	text, ok := validate.JSONSchema("authoring_schema")
	require.True(t, ok)
	for _, s := range review.Signs() {
		require.Contains(t, string(text), `"`+s.ID+`"`)
	}
}
