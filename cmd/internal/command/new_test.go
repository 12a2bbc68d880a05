package command

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/questions"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// found is a finding in the answer of validate.
type found struct {
	Code issue.Code
	Path string
}

// validateText returns the findings in a document of the samples.
func validateText(t *testing.T, sys system, text []byte) (ok bool, list []found) {
	t.Helper()
	sys.Stdin = strings.NewReader(string(text))
	_, stdout, stderr := execute(t.Context(), sys, "validate", "-", "--samples", "--format", "json")
	var answer struct {
		OK    bool
		Files []struct{ Issues []found }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stderr)
	require.Len(t, answer.Files, 1)
	return answer.OK, answer.Files[0].Issues
}

// TestNew walks the way of an author: each gap of a starter document is reported, until
// all are filled in.
func TestNew(t *testing.T) {
	t.Parallel()
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, entry := range index.Entries() {
		t.Run(entry.ID.String(), func(t *testing.T) {
			t.Parallel()
			r, err := store.Release(t.Context(), entry.ID)
			require.NoError(t, err)
			sys := testSystem(t.TempDir())
			code, stdout, stderr := execute(t.Context(), sys, "new", entry.ID.String(), "--samples")
			require.Zero(t, code, stderr)
			var doc taxonomy.Instance
			require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
			require.Equal(t, entry.ID.String(), doc.SchemaVersion)

			ok, list := validateText(t, sys, []byte(stdout))
			require.False(t, ok)
			asked := 0
			for _, c := range questions.Required(r) {
				require.Contains(t, strings.Join(strings.Fields(stderr), " "), c.Prompt.Pick("en"))
				asked++
			}
			require.Contains(t, stderr, fmt.Sprintf("\n%d. ", asked))
			var gaps []found
			for i := range doc.Elements {
				gaps = append(gaps, found{codes.InstanceElementUnknown, fmt.Sprintf("elements[%d].element_id", i)})
			}
			require.Equal(t, gaps, list, "each gap once")

			placeElements(r, &doc)
			_, list = validateText(t, sys, marshal(t, doc))
			for i, placed := range doc.Elements {
				for k := range placed.Variables {
					require.True(t, slices.ContainsFunc(list, func(f found) bool {
						return strings.HasPrefix(f.Path, fmt.Sprintf("elements[%d].variables[%d]", i, k))
					}), "%v", list)
				}
			}

			fillValues(r, &doc)
			ok, list = validateText(t, sys, marshal(t, doc))
			require.True(t, ok, "%v", list)
		})
	}
}

func marshal(t *testing.T, doc taxonomy.Instance) []byte {
	t.Helper()
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	return text
}

// placeElements chooses an element for each placement, another one each time.
func placeElements(r *taxonomy.Release, doc *taxonomy.Instance) {
	used := map[string]int{}
	for i := range doc.Elements {
		placed := &doc.Elements[i]
		category, _ := r.Category(placed.ElementID)
		placed.ElementID = r.ElementsOf(category.ID)[used[category.ID]].ID
		used[category.ID]++
		if values := category.Context.Values; len(values) > 0 {
			placed.ContextTypeID = values[0].ID
		}
	}
}

// fillValues gives every required variable a value.
func fillValues(r *taxonomy.Release, doc *taxonomy.Instance) {
	for i := range doc.Elements {
		placed := &doc.Elements[i]
		e, _ := r.Element(placed.ElementID)
		placed.Variables = nil
		for _, v := range e.Variables {
			if !v.Required {
				continue
			}
			value := taxonomy.VariableValue{ID: v.ID, Text: taxonomy.Localized{{Locale: "en", Value: "something"}}}
			if v.Type == taxonomy.SelectVariable {
				value.Text, value.Options = nil, []string{v.Options[0].ID}
			}
			placed.Variables = append(placed.Variables, value)
		}
	}
}

// TestNewFile shows the file that is written, and that none is overwritten.
func TestNewFile(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	args := []string{"new", "bikes@latest-beta", "--schemas", "schemas", "-o", "pilot.json"}
	code, stdout, stderr := execute(t.Context(), p.sys, args...)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "Wrote pilot.json for bikes@2026-09-01-beta.")
	text, err := os.ReadFile(p.sys.Path("pilot.json"))
	require.NoError(t, err)
	require.Contains(t, string(text), `"id": "pilot"`)
	code, _, stderr = execute(t.Context(), p.sys, args...)
	require.Equal(t, console.ExitFailed, code)
	require.Equal(t, "datachain: --out pilot.json: already exists: name another file\n", stderr)
	again, err := os.ReadFile(p.sys.Path("pilot.json"))
	require.NoError(t, err)
	require.Equal(t, string(text), string(again))
}

// TestNewRepeatsLocation prints a next command that finds the version.
func TestNewRepeatsLocation(t *testing.T) {
	p := newPlayer(t)
	code, _, stderr := execute(t.Context(), p.sys, "new", "bikes@latest", "--schemas", "schemas", "-o", "red.json")
	require.Zero(t, code, stderr)
	require.True(t, strings.HasSuffix(strings.TrimSpace(stderr), "datachain validate red.json --schemas schemas"), stderr)
	code, stdout, stderr := execute(t.Context(), p.sys, "validate", "red.json", "--schemas", "schemas")
	require.Equal(t, 1, code)
	require.NotContains(t, stdout+stderr, "no schema version")
}
