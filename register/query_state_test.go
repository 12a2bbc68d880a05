package register_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestStates finds documents that say nothing and those of which it is not known, and counts neither as
// anything else.
func TestStates(t *testing.T) {
	const withoutRoles = "sensor@2026-06-15-stable"
	elementsWithout := func(name, category string) []any {
		example, ok := documents.Find(name + ".json")
		require.True(t, ok)
		var doc struct{ Elements []any }
		require.NoError(t, json.Unmarshal(example.Text, &doc))
		return slices.DeleteFunc(doc.Elements, func(e any) bool {
			return strings.HasPrefix(e.(map[string]any)["element_id"].(string), category+".")
		})
	}
	dir := t.TempDir()
	registertest.Sample(t, dir, "crossing-camera", "camera", 1, nil)
	registertest.Sample(t, dir, "library-chat", "chat", 2, nil)
	registertest.Sample(t, dir, "library-chat", "silent", 3, map[string]any{"elements": elementsWithout("library-chat", "risk"), "authoring_provenance": map[string]any{"kind": "human"}})
	registertest.Sample(t, dir, "air-station", "old", 4, map[string]any{"schema_version": withoutRoles})
	registertest.Sample(t, dir, "air-station", "named", 5, map[string]any{"schema_version": withoutRoles, "register": map[string]any{"organisation": map[string]any{"name": "Harbour"}}})

	type rest struct{ notSaid, notKnown int } // -1 if the field is not a filter
	check := func(t *testing.T, states map[string]summary.State, found map[string]string, want map[register.Field]rest) {
		t.Helper()
		r := registertest.OpenDir(t, dir)
		s := r.State()
		require.Empty(t, s.Refused())
		for key, state := range states {
			slug, role, _ := strings.Cut(key, " ")
			sum := registertest.Find(t, r, slug).Summary
			require.Equal(t, state, sum.State(taxonomy.Role(role)), key)
		}
		for query, slugs := range found {
			field, value, _ := strings.Cut(query, "=")
			result, err := s.Find(register.Query{Sort: register.ByTitle, Values: map[register.Field][]string{register.Field(field): strings.Split(value, ",")}})
			require.NoError(t, err)
			got := strings.Fields(registertest.Found(result))
			slices.Sort(got)
			require.Equal(t, slugs, strings.Join(got, " "), query)
		}
		all, err := s.Find(register.Query{})
		require.NoError(t, err)
		for field, w := range want {
			i := slices.IndexFunc(all.Facets(), func(f register.Facet) bool { return f.Field == field })
			if w.notKnown < 0 {
				require.Negative(t, i, field)
				continue
			}
			require.GreaterOrEqual(t, i, 0, field)
			f := all.Facets()[i]
			sum := 0
			for _, v := range f.Values {
				require.False(t, strings.HasPrefix(v.Value, "."), v.Value)
				sum += v.Count
			}
			count := func(v *register.FacetValue) int {
				if v == nil {
					return 0
				}
				require.NotEmpty(t, v.Title)
				return v.Count
			}
			require.Equal(t, rest{count(f.NotSaid), count(f.NotKnown)}, w, field)
			require.Equal(t, all.Len(), sum+w.notSaid+w.notKnown, "each document counts once: %s", field)
		}
	}
	check(t,
		map[string]summary.State{
			"camera data": summary.Said, "camera risk": summary.NotKnown, "camera storage": summary.Said, "chat risk": summary.Said, "silent risk": summary.NotSaid,
			"old data": summary.NotKnown, "old purpose": summary.NotKnown, "old accountable": summary.NotKnown,
		},
		map[string]string{
			"risk=.not_said": "silent", "risk=.not_known": "camera named old", "risk=limited,.not_said": "chat silent",
			"data=.not_known": "named old", "data=.not_said": "", "organisation=.not_known": "old", "organisation=Harbour": "named",
		},
		map[register.Field]rest{register.ByData: {0, 2}, register.ByRisk: {1, 3}, register.ByOrganisation: {0, 1}},
	)

	require.Equal(t, []register.Unmarked{{Type: "sensor", Versions: []string{withoutRoles}, Documents: 2}}, registertest.OpenDir(t, dir).State().Unmarked())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte("roles: {sensor: {categories: {data: data, responsible: accountable}}}\n"), 0o600))
	check(t,
		map[string]summary.State{"old data": summary.Said, "old accountable": summary.Said, "old risk": summary.NotKnown, "camera risk": summary.NotKnown},
		map[string]string{"data=.not_known": "", "risk=.not_known": "camera named old", "data=does_not_identify_people": "named old"},
		map[register.Field]rest{register.ByData: {0, 0}, register.ByRisk: {1, 3}},
	)

	require.Empty(t, registertest.OpenDir(t, dir).State().Unmarked())

	// A filter without anything to choose is not one.
	for _, name := range []string{"camera", "chat", "silent"} {
		require.NoError(t, os.Remove(filepath.Join(dir, name+".json")))
	}
	check(t, nil, nil, map[register.Field]rest{register.ByRisk: {-1, -1}})
}
