package upgrade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// trails returns two versions with a bit of everything.
func trails(t testing.TB) (from, to *taxonomy.Release) {
	t.Helper()
	a := readArchive(t, "testdata/references.txtar")
	return readSchema(t, a.files["old.yaml"]), readSchema(t, a.files["new.yaml"])
}

func TestAnotherType(t *testing.T) {
	from, to := trails(t)
	other := schemaSpec{Version: "sensor@2026-01-01-stable", Categories: []categorySpec{{ID: "a", Elements: []elementSpec{{ID: "a.one"}}}}}
	const text = `{"id":"d","schema_version":"sensor@2026-01-01-stable","created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.one"}]}`
	for name, old := range map[string]*taxonomy.Release{"pinned": nil, "given": other.release(t)} {
		t.Run(name, func(t *testing.T) {
			_, err := upgrade.Document(parsed(t, text), old, to, nil)
			require.ErrorIs(t, err, upgrade.ErrAnotherType)
			require.ErrorContains(t, err, "sensor")
		})
	}
	// What the caller says counts more than the pin.
	r, err := upgrade.Document(parsed(t, text), from, to, nil)
	require.NoError(t, err)
	require.Equal(t, "trail@2026-01-01-stable", r.Report.From)
}

// TestPin shows that any text is replaced by the new version, and that anything else is a
// wrong shape.
func TestPin(t *testing.T) {
	from, to := trails(t)
	for pin, replaced := range map[string]bool{
		`"trail@2026-01-01-stable"`: true, `"nonsense"`: true, `""`: true,
		`null`: false, `5`: false, `true`: false, `[]`: false, `{}`: false, `["trail@2026-01-01-stable"]`: false,
	} {
		text := `{"id":"d","schema_version":` + pin + `,"created_at":"2026-02-01T10:00Z","elements":[{"element_id":"nothing.here"}]}`
		for _, old := range []*taxonomy.Release{from, nil} {
			r, err := upgrade.Document(parsed(t, text), old, to, nil)
			require.NoError(t, err, pin)
			require.Equal(t, replaced, r.Report.Changed, pin)
			if !replaced {
				require.EqualValues(t, "shape", r.Report.Entries[0].Kind, pin)
			}
		}
	}
}

func TestInterrupt(t *testing.T) {
	from, to := trails(t)
	text := readArchive(t, "testdata/references.txtar").files["document.json"]
	stop := errors.New("stop")
	calls := 0
	_, err := upgrade.Document(parsed(t, text), from, to, &upgrade.Options{Interrupt: func() error { calls++; return nil }})
	require.NoError(t, err)
	require.Greater(t, calls, 2)
	for n := range calls {
		left := n
		_, err := upgrade.Document(parsed(t, text), from, to, &upgrade.Options{Interrupt: func() error {
			if left--; left < 0 {
				return stop
			}
			return nil
		}})
		require.ErrorIs(t, err, stop, "after %d calls", n)
	}
}

// TestRules announces the findings of further rules, too.
func TestRules(t *testing.T) {
	_, to := trails(t)
	rule := &validate.Rule{Name: "mine", Codes: []issue.Code{"mine"}, Run: func(_ context.Context, p *validate.Pass) error {
		p.Report(issue.Issue{Code: "mine", Path: issue.Root.Key("id"), Message: "No."})
		return nil
	}}
	doc := parsed(t, `{"id":"d","schema_version":"trail@2026-06-01-stable","created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.uno"}]}`)
	r, err := upgrade.Document(doc, to, to, &upgrade.Options{Validate: &validate.Options{Rules: []*validate.Rule{rule}}})
	require.NoError(t, err)
	require.False(t, r.OK())
	require.Same(t, doc, r.Document)
	require.Equal(t, issue.Code("mine"), r.Report.Entries[0].Code)
}

// TestMaxBytes writes a resolved document thin if it would become too large.
func TestMaxBytes(t *testing.T) {
	for _, archive := range []string{"pending", "resolved"} {
		a := readArchive(t, "testdata/"+archive+".txtar")
		to := readSchema(t, a.files["new.yaml"])
		size := len(parsed(t, a.files["want"]).Root().AppendCanonical(nil))
		for limit, form := range map[int]string{size: "resolved", size - 1: "thin"} {
			r, err := upgrade.Document(parsed(t, a.files["document.json"]), to, to, &upgrade.Options{MaxBytes: limit})
			require.NoError(t, err)
			require.Equal(t, form, r.Report.Form)
			explained := slices.ContainsFunc(r.Report.Entries, func(e upgrade.ReportEntry) bool {
				return strings.Contains(e.Message, fmt.Sprintf("the resolved document would have %d bytes, and at most %d are allowed.", size, limit))
			})
			require.Equal(t, form == "thin", explained, "%v", r.Report.Entries)
		}
		large := strings.Replace(a.files["document.json"], "{", `{"x":"`+strings.Repeat("x", 512<<10)+`",`, 1)
		for limit, form := range map[int]string{0: "thin", -1: "resolved"} {
			r, err := upgrade.Document(parsed(t, large), to, to, &upgrade.Options{MaxBytes: limit})
			require.NoError(t, err)
			require.Equal(t, form, r.Report.Form)
		}
	}
}

// TestThousandRenames follows long chains of successors, and long lists of renames.
func TestThousandRenames(t *testing.T) {
	const n = 5000
	s := schemaSpec{Version: "trail@2026-06-01-stable", Categories: []categorySpec{{ID: "a", Elements: []elementSpec{{ID: "a.last", Variables: []variableSpec{{ID: "v"}}}}}}}
	category := &s.Categories[0]
	for i := range n {
		next := fmt.Sprintf("a.e%d", i+1)
		if i == n-1 {
			next = "a.last"
		}
		s.Removed = append(s.Removed, removalSpec{ID: fmt.Sprintf("a.e%d", i), ReplacedBy: []successorSpec{{ID: next}}})
		category.RenamedFrom = append(category.RenamedFrom, fmt.Sprintf("c%d", i))
		category.Elements[0].Variables[0].RenamedFrom = append(category.Elements[0].Variables[0].RenamedFrom, fmt.Sprintf("v%d", i))
	}
	to := s.release(t)
	text := `{"id":"d","schema_version":"trail@2026-01-01-stable","created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.e0","variables":[{"id":"v4999","value":[{"locale":"en","value":"x"}]}]}],` +
		`"suggested_elements":[` + suggested("mine", "c4999") + `]}`
	r := upgraded(t, text, nil, to, nil)
	require.True(t, r.OK(), lines(&r.Report))
	require.Contains(t, string(r.Document.Text()), `{"element_id":"a.last","variables":[{"id":"v",`)
	require.Contains(t, string(r.Document.Text()), suggested("mine", "a"))
}

// suggested returns a suggested element.
func suggested(id, category string) string {
	return fmt.Sprintf(`{"id":%q,"category_id":%q,"title":[{"locale":"en","value":"Mine"}],"description":[{"locale":"en","value":"My own"}],"symbol_id":"dot"}`, id, category)
}

// TestThousandOfEach renames a thousand categories, each with a suggested element, a
// thousand variables, each with an option, and a thousand context values.
func TestThousandOfEach(t *testing.T) {
	const n = 1000
	versions := [2]schemaSpec{{Version: "trail@2026-01-01-stable"}, {Version: "trail@2026-06-01-stable"}}
	for k := range versions {
		c := categorySpec{ID: "a", Elements: []elementSpec{{ID: "a.one"}}}
		var others []categorySpec
		for i := range n {
			other := categorySpec{ID: fmt.Sprintf("c%d_%d", k, i), Elements: []elementSpec{{ID: fmt.Sprintf("e%d", i)}}}
			v := variableSpec{ID: fmt.Sprintf("v%d_%d", k, i), Options: []optionSpec{{ID: fmt.Sprintf("o%d_%d", k, i)}}}
			x := valueSpec{ID: fmt.Sprintf("x%d_%d", k, i)}
			if k > 0 { // the last one has the first id
				v.RenamedFrom = []string{fmt.Sprintf("v0_%d", n-1-i)}
				v.Options[0].RenamedFrom = []string{fmt.Sprintf("o0_%d", n-1-i)}
				x.RenamedFrom = []string{fmt.Sprintf("x0_%d", n-1-i)}
				other.RenamedFrom = []string{fmt.Sprintf("c0_%d", n-1-i)}
			}
			others = append(others, other)
			c.Elements[0].Variables, c.Context.Values = append(c.Elements[0].Variables, v), append(c.Context.Values, x)
		}
		versions[k].Categories = append([]categorySpec{c}, others...)
	}
	document := func(k int, number func(i int) int) string {
		var variables, suggestions []string
		for i := range n {
			suggestions = append(suggestions, suggested(fmt.Sprintf("mine%d", i), fmt.Sprintf("c%d_%d", k, number(i))))
			variables = append(variables, fmt.Sprintf(`{"id":"v%d_%d","value":["o%d_%d"]}`, k, number(i), k, number(i)))
		}
		return fmt.Sprintf(`{"id":"d","schema_version":%q,"created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.one","context_type_id":"x%d_%d","variables":[%s]}],"suggested_elements":[%s]}`,
			versions[k].Version, k, number(0), strings.Join(variables, ","), strings.Join(suggestions, ","))
	}
	r := upgraded(t, document(0, func(i int) int { return i }), versions[0].release(t), versions[1].release(t), nil)
	require.Equal(t, document(1, func(i int) int { return n - 1 - i }), string(r.Document.Text()))
	require.True(t, r.OK())
	require.Equal(t, 3*n+2, r.Report.Counts.Done)
}

// TestManyEntries lists the most serious entries if there are too many.
func TestManyEntries(t *testing.T) {
	from, to := trails(t)
	var placements []string
	for i := range 3000 {
		id := "a.one"
		if i%3 == 0 {
			id = "a.gone"
		}
		placements = append(placements, fmt.Sprintf(`{"element_id":%q}`, id))
	}
	text := fmt.Sprintf(`{"id":"d","schema_version":%q,"created_at":"2026-02-01T10:00Z","elements":[%s]}`, from.Version(), strings.Join(placements, ","))
	r := upgraded(t, text, from, to, nil)
	require.Len(t, r.Report.Entries, maxEntries+1)
	require.Equal(t, 1000, r.Report.Counts.Cannot)
	require.Equal(t, 2001, r.Report.Counts.Done)
	require.Equal(t, upgrade.Cannot, r.Report.Entries[0].Class)
	require.EqualValues(t, "more", r.Report.Entries[maxEntries].Kind)

	r = upgraded(t, text, from, to, &upgrade.Options{Drop: true})
	elements, _ := r.Document.Root().Get("elements")
	require.Equal(t, 2000, elements.Len())
	require.Zero(t, r.Report.Counts.Cannot)
}

// TestLongKeys has a long key with many entries below it: the report stays small.
func TestLongKeys(t *testing.T) {
	from, to := trails(t)
	long := strings.Repeat(`k\u0061`, 50_000)
	var rationale []string
	for i := range 3000 {
		rationale = append(rationale, fmt.Sprintf(`"x%d":1`, i))
	}
	text := fmt.Sprintf(`{"id":"d","schema_version":%q,"created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.five","element_instance_id":"%s"}],
		"authoring_provenance":{"kind":"human","element_provenance":{"%s":{"variable_rationale":{"who":1,"why":2,%s}}}}}`, from.Version(), long, long, strings.Join(rationale, ","))
	r, err := upgrade.Document(parsed(t, text), from, to, nil)
	require.NoError(t, err)
	out, err := json.Marshal(r.Report)
	require.NoError(t, err)
	require.Less(t, len(out), 4*len(text)+8<<20)
	require.Less(t, len(r.Report.Entries), 1000)
}

// TestReportJSON pins the names of the report on the wire.
func TestReportJSON(t *testing.T) {
	_, to := trails(t)
	doc := parsed(t, `{"id":"d","schema_version":"trail@2026-01-01-stable","created_at":"2026-02-01T10:00Z","elements":[{"element_id":"a.what"}]}`)
	r, err := upgrade.Document(doc, nil, to, nil)
	require.NoError(t, err)
	r.Report.Entries = r.Report.Entries[2:]
	text, err := json.Marshal(r.Report)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"from": "trail@2026-01-01-stable", "to": "trail@2026-06-01-stable", "changed": true, "form": "thin",
		"counts": {"done": 1, "review": 1, "needs_person": 1, "cannot": 0},
		"entries": [{
			"kind": "finding", "class": "needs_person", "path": "elements[0].element_id", "position": {"line": 1, "column": 113},
			"message": "There is no element \"a.what\" in trail@2026-06-01-stable.",
			"fix_hint": "search the elements of trail@2026-06-01-stable for the right id",
			"code": "INSTANCE_ELEMENT_UNKNOWN"
		}]
	}`, string(text))
}

// TestKinds compares the list of kinds with the documentation and the constants.
func TestKinds(t *testing.T) {
	docs, err := os.ReadFile("../../docs/upgrading.md")
	require.NoError(t, err)
	source, err := os.ReadFile("report.go")
	require.NoError(t, err)
	seen := make(map[upgrade.Kind]bool)
	for _, k := range upgrade.Kinds() {
		require.False(t, seen[k.Kind], k.Kind)
		seen[k.Kind] = true
		require.Contains(t, []upgrade.Class{upgrade.Cannot, upgrade.NeedsPerson, upgrade.Review, upgrade.Done}, k.Class)
		_, section, found := strings.Cut(string(docs), "\n### "+string(k.Class)+"\n")
		require.True(t, found, k.Class)
		section, _, _ = strings.Cut(section, "\n### ")
		require.Contains(t, section, fmt.Sprintf("- %#q: %s\n", k.Kind, k.Doc))
	}
	require.Len(t, seen, strings.Count(string(source), `Kind = "`))
}

// FuzzDocument upgrades any text. Whatever it is, the result is what every upgrade is.
func FuzzDocument(f *testing.F) {
	for _, name := range []string{"references", "variables", "resolved", "unresolved", "pending", "retired"} {
		a := readArchive(f, "testdata/"+name+".txtar")
		f.Add([]byte(a.files["document.json"]), false)
		f.Add([]byte(a.files["document.json"]), true)
	}
	from, to := trails(f)
	f.Fuzz(func(t *testing.T, text []byte, drop bool) {
		if _, err := document.Parse(text); err != nil {
			return
		}
		for _, old := range []*taxonomy.Release{from, nil} {
			r, err := upgrade.Document(parsed(t, string(text)), old, to, &upgrade.Options{Drop: drop})
			if errors.Is(err, upgrade.ErrAnotherType) {
				continue
			}
			require.NoError(t, err)
			if r.Report.Counts.Cannot > 0 && r.Report.Entries[0].Kind == "shape" {
				require.False(t, r.Report.Changed)
				continue
			}
			upgraded(t, string(text), old, to, &upgrade.Options{Drop: drop})
		}
	})
}

func TestNewer(t *testing.T) {
	v := taxonomy.MustVersion
	var entries []taxonomy.Entry
	for _, id := range []string{"walk@2026-01-01-beta", "walk@2026-01-01-stable", "walk@2026-06-01-beta"} {
		entries = append(entries, taxonomy.Entry{ID: v(id), ContentHash: taxonomy.Hash{1}})
	}
	x, err := taxonomy.NewIndex(entries)
	require.NoError(t, err)
	for pinned, want := range map[string]string{
		"walk@2025-01-01-stable": "walk@2026-01-01-stable", // not published
		"walk@2026-01-01-beta":   "walk@2026-01-01-stable",
		"walk@2026-03-01-beta":   "walk@2026-06-01-beta",
		"walk@2026-01-01-stable": "",
		"walk@2026-06-01-beta":   "",
		"walk@2026-07-01-beta":   "", // newer than anything that is published
		"walk@2026-07-01-stable": "",
		"ride@2026-01-01-stable": "",
	} {
		next, ok := upgrade.Newer(x, v(pinned))
		require.Equal(t, want != "", ok, pinned)
		require.Equal(t, want, next.String(), pinned)
	}
}

func TestNil(t *testing.T) {
	release, _ := trails(t)
	_, err := upgrade.Document(nil, nil, release, nil)
	require.ErrorContains(t, err, "upgrade: the document is nil")
	_, err = upgrade.Document(parsed(t, `{}`), release, nil, nil)
	require.ErrorContains(t, err, "upgrade: the release to move to is nil")
	require.False(t, new(upgrade.Result).OK())
}
