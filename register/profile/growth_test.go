//go:build !race

// The race detector changes how long work takes.

package profile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register/profile"
)

// manyFields writes a profile with n fields, each with choices and under a condition on the one
// before it.
func manyFields(n int) []byte {
	var b strings.Builder
	b.WriteString("id: own\ntypes: [ai]\nlocale: en\nfields:\n  - {name: f0, type: choice, choices: {y: \"Yes\", n: \"No\"}, from: [{is: y}]}\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {name: f%d, type: choice, required: true, only: {f%d: [y]}, choices: {y: \"Yes\", n: \"No\", m%d: Perhaps}, aliases: {y: \"Yes %d\"}, from: [{has: {role: risk}, then: y, else: n}]}\n", i+1, i, i, i)
	}
	return []byte(b.String())
}

// TestParseIsLinear reads profiles with many fields, with many choices, and with many mistakes.
func TestParseIsLinear(t *testing.T) {
	head := "id: own\ntypes: [ai]\nlocale: en\nfields:\n"
	for name, write := range map[string]func(n int) string{
		"fields": func(n int) string { return string(manyFields(n)) },
		"choices": func(n int) string {
			var choices, table []string
			for i := range 10 * n {
				choices, table = append(choices, fmt.Sprint("choice", i)), append(table, fmt.Sprintf("k%d: choice%d", i, i))
			}
			return head + "  - {name: a, type: choice, choices: [" + strings.Join(choices, ", ") + "], from: [{path: id, map: {" + strings.Join(table, ", ") + "}}]}\n"
		},
		"mistakes": func(n int) string { return head + "  - {name: a, " + manyKeys(10*n) + "}\n" },
	} {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, 100, func(n int) func() {
				text := []byte(write(n))
				require.Less(t, len(text), profile.MaxSize)
				_, issues := profile.Parse("own.yaml", text)
				require.Equal(t, name == "mistakes", len(issues) > 0, "%v", issues)
				return func() { profile.Parse("own.yaml", text) }
			})
		})
	}
}

// manyKeys writes members that no field has.
func manyKeys(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key%d: x", i)
	}
	return strings.Join(keys, ", ")
}

// TestReportIsLinear reports a document with many placements, assessments and answers, and a profile
// with many fields.
func TestReportIsLinear(t *testing.T) {
	swollen := func(n int) func(doc object) {
		return func(doc object) {
			elements := doc["elements"].([]any)
			var assessments []any
			answers := object{}
			for i := range n {
				elements = append(elements, object{
					"element_id": "oversight.spot_checks", "element_instance_id": fmt.Sprint("more-", i), "label": fmt.Sprint("Check number ", i),
					"variables": []any{object{"id": "frequency", "value": []any{"yearly"}}},
				})
				assessments = append(assessments, object{"name": fmt.Sprint("Assessment ", i), "kind": "privacy"})
				answers[fmt.Sprint("unknown", i)] = "x"
			}
			doc["elements"] = elements
			doc["register"].(object)["assessments"] = assessments
			doc["register"].(object)["filings"] = []any{object{"profile": dutch, "answers": answers}}
		}
	}
	p := builtIn(t, dutch)
	t.Run("placements", func(t *testing.T) {
		growthtest.Linear(t, 50, func(n int) func() {
			shown := present(t, housing(t, swollen(n)))
			return func() { p.Report(shown, nil) }
		})
	})
	t.Run("no choices", func(t *testing.T) {
		growthtest.Linear(t, 200, func(n int) func() {
			var choices, themes []any
			for i := range n {
				choices, themes = append(choices, fmt.Sprint("choice number ", i)), append(themes, fmt.Sprint("choise number ", i))
			}
			words, err := json.Marshal(choices)
			require.NoError(t, err)
			p := parse(t, "  - {name: a, type: choices, choices: "+string(words)+", from: [{list: register.themes, text: \"{.}\"}]}\n")
			shown := present(t, housing(t, func(doc object) { doc["register"].(object)["themes"] = themes }))
			return func() { require.False(t, p.Report(shown, nil).OK()) }
		})
	})
	t.Run("fields", func(t *testing.T) {
		shown := present(t, housing(t, nil))
		growthtest.Linear(t, 100, func(n int) func() {
			p, issues := profile.Parse("own.yaml", manyFields(n))
			require.Empty(t, issues)
			return func() { p.Report(shown, nil) }
		})
	})
}

// TestImportIsLinear imports entries with many items and unknown fields, and tables with many rows.
func TestImportIsLinear(t *testing.T) {
	p, r := builtIn(t, dutch), release(t, "ai@2026-11-15-stable")
	growthtest.Linear(t, 100, func(n int) func() {
		var unknown, items []string
		for i := range n {
			unknown, items = append(unknown, fmt.Sprintf(`"unknown%d": "value %d"`, i, i)), append(items, fmt.Sprintf("item %d", i))
		}
		entry := []byte(`{"name": "A", "goal": "` + strings.Join(items, `\n`) + `", "impacttoetsen_grouping": [{"title": "` + strings.Join(items, `"}, {"title": "`) + `"}], ` + strings.Join(unknown, ", ") + `}`)
		return func() {
			rows, err := p.Rows("entry.json", entry)
			require.NoError(t, err)
			_, err = p.Draft(&rows[0], r, &profile.Options{Date: "2026-11-15"})
			require.NoError(t, err)
		}
	})
	lines := parse(t, "  - {name: a, list: true, import: {category: purpose, variable: in_short}}\n")
	growthtest.Linear(t, 1000, func(n int) func() {
		entry := []byte(`{"a": ["x` + strings.Repeat(`", "a line of one text`, n) + `"]}`)
		return func() {
			rows, err := lines.Rows("entry.json", entry)
			require.NoError(t, err)
			d, err := lines.Draft(&rows[0], r, &profile.Options{Date: "2026-11-15"})
			require.NoError(t, err)
			require.Equal(t, profile.Drafted, d.Notes[n].Place)
		}
	})
	growthtest.Linear(t, 100, func(n int) func() {
		table := []byte("name,goal\n" + strings.Repeat("A,B\n", n))
		return func() {
			rows, err := p.Rows("entries.csv", table)
			require.NoError(t, err)
			require.Len(t, rows, n)
		}
	})
}
