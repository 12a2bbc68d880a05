package validate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

const stable = "trail@2026-03-01-stable"

// walk returns a valid document with further placements, as JSON.
func walk(further ...string) []byte {
	placements := append([]string{
		`{"element_id":"access.public"}`,
		`{"element_id":"access.permit","variables":[{"id":"office","value":[{"locale":"en","value":"Town hall"}]}]}`,
		`{"element_id":"surface.gravel"}`,
	}, further...)
	return fmt.Appendf(nil, `{"id":"walk","schema_version":%q,"created_at":"2026-06-01T10:00Z","elements":[%s]}`,
		stable, strings.Join(placements, ","))
}

// many repeats a placement; %d in it becomes the number of the repetition.
func many(n int, placement string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(placement, "%d", fmt.Sprint(i))
	}
	return list
}

func judge(t testing.TB, text []byte, o *validate.Options) *validate.Result {
	t.Helper()
	result, err := validate.Instance(trail(t)[stable], parsed(t, text), o)
	require.NoError(t, err)
	return result
}

func TestFindingsAreCapped(t *testing.T) {
	const (
		unknown = `{"element_id":"unknown %d"}`
		warned  = `{"element_id":"facility.hut"}`
	)
	for _, c := range []struct {
		name       string
		placements []string
		findings   int
		last       issue.Code
		ok         bool
	}{
		{"as many as fit", many(validate.MaxFindings, unknown), 1000, codes.InstanceElementUnknown, false},
		{"one more", many(validate.MaxFindings+1, unknown), 1001, codes.TooManyFindings, false},
		{"as many warnings as fit", many(validate.MaxFindings, warned), 1000, codes.ContextTypeMissing, true},
		// Any number of warnings leaves a document valid.
		{"one more warning", many(validate.MaxFindings+1, warned), 1001, codes.TooManyFindings, true},
		// The last rule reports its error after all warnings.
		{"an error after them", append(many(5_000, warned), `{"element_id":"surface.rock","element_instance_id":"surface.rock"}`), 1001, codes.TooManyFindings, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := judge(t, walk(c.placements...), nil)
			require.Len(t, result.Issues, c.findings)
			last := result.Issues[len(result.Issues)-1]
			require.Equal(t, c.last, last.Code)
			require.Equal(t, c.ok, result.OK())
			if !c.ok && last.Code == codes.TooManyFindings {
				require.Equal(t, issue.SeverityError, last.Severity)
				before := result.Issues[len(result.Issues)-2]
				require.Equal(t, issue.SeverityError, before.Severity, "an error must be listed: %v", before)
			}
		})
	}
}

// TestLongKeys has a key of 200 KB in the path of every finding.
func TestLongKeys(t *testing.T) {
	key := strings.Repeat("k", 200_000)
	rationale := map[string]int{}
	for i := range 2_000 {
		rationale[fmt.Sprint("v", i)] = 1
	}
	provenance, err := json.Marshal(map[string]any{"element_provenance": map[string]any{key: map[string]any{"variable_rationale": rationale}}})
	require.NoError(t, err)
	text := walk(fmt.Sprintf(`{"element_id":"surface.rock","element_instance_id":%q}`, key))
	text = fmt.Appendf(text[:len(text)-1], `,"authoring_provenance":%s}`, provenance)
	result := judge(t, text, nil)
	answer, err := json.Marshal(result.Issues)
	require.NoError(t, err)
	require.Less(t, len(answer), 2<<20)
	require.EqualValues(t, codes.TooManyFindings, result.Issues[len(result.Issues)-1].Code)
}

// TestLongListsAreCut has a schema with many names for every message.
func TestLongListsAreCut(t *testing.T) {
	values := make([]map[string]any, 5_000)
	for i := range values {
		values[i] = map[string]any{"id": fmt.Sprint("context-value-", i), "label": []any{}}
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal(walk(many(2_000, `{"element_id":"x"}`)...), &doc))
	doc["schema_snapshot"] = map[string]any{
		"datachain_type": map[string]any{"id": "trail", "name": []any{}, "categories": []any{}, "subchains": []any{}},
		"categories": []any{map[string]any{
			"id": "c", "name": []any{}, "description": []any{}, "shape": "circle", "context": map[string]any{"values": values},
		}},
		"elements": []any{map[string]any{
			"id": "x", "title": []any{}, "description": []any{}, "category_id": "c", "symbol_id": "s", "icon_variants": []any{}, "variables": []any{},
		}},
	}
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	result, err := validate.Resolved(nil, parsed(t, text), nil)
	require.NoError(t, err)
	for _, i := range result.Issues {
		require.Less(t, len(i.Message)+len(i.FixHint), 1_000)
	}
}

// TestLongLists has more variables than are searched one by one.
func TestLongLists(t *testing.T) {
	given := strings.Repeat(`{"id":"detail","value":[{"locale":"en","value":"x"}]},`, 20) + `{"id":"nothing","value":[]}`
	result := judge(t, walk(`{"element_id":"hazard.ice","context_type_id":"low","variables":[`+given+`]}`), nil)
	require.Len(t, result.Issues, 20)
	for i, finding := range result.Issues[:19] {
		require.EqualValues(t, codes.InstanceVariableDuplicate, finding.Code)
		require.Equal(t, fmt.Sprintf("elements[3].variables[%d].id", i+1), finding.Path.String(), "the first one counts")
	}
	require.EqualValues(t, codes.InstanceVariableUnknown, result.Issues[19].Code)
}

// TestManyLocales has as many texts as fit into a request.
func TestManyLocales(t *testing.T) {
	texts := many(20_000, `{"locale":"x%d","value":"x"}`)
	texts[19_999] = `{"locale":"X5","value":"x"}`
	var doc map[string]any
	require.NoError(t, json.Unmarshal(walk(), &doc))
	doc["title"] = json.RawMessage("[" + strings.Join(texts, ",") + "]")
	doc["schema_snapshot"] = map[string]any{ // without locales
		"datachain_type": map[string]any{"id": "trail", "name": []any{}, "categories": []any{}, "subchains": []any{}},
		"categories":     []any{}, "elements": []any{},
	}
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	result, err := validate.Resolved(nil, parsed(t, text), nil)
	require.NoError(t, err)
	warnings := result.Issues.With(issue.SeverityWarning)
	require.Len(t, warnings, 2) // the other one is that there is no version to compare with
	require.EqualValues(t, codes.InstanceLocaleDuplicate, warnings[0].Code)
	require.Equal(t, "title[19999].locale", warnings[0].Path.String())
	require.Contains(t, warnings[0].Message, "title[5]")
}

// TestManyHeads has as many unknown heads as fit.
func TestManyHeads(t *testing.T) {
	heads := strings.Join(many(20_000, `"head %d"`), ",")
	text := walk()
	text = fmt.Appendf(text[:len(text)-1], `,"subchain_instances":[{"id":"run","subchain_id":"approach","head_refs":[%s]}]}`, heads)
	result := judge(t, text, nil)
	require.True(t, result.OK(), "they are warnings")
	require.Len(t, result.Issues, validate.MaxFindings+1)
	require.Equal(t, "subchain_instances[0].head_refs[999]", result.Issues[999].Path.String())
}

// TestHostileNames has ids that a message must not print as they are.
func TestHostileNames(t *testing.T) {
	const hostile = "\x1b[31m\u202e\n\u0000"
	var doc map[string]any
	require.NoError(t, json.Unmarshal(walk(), &doc))
	name := hostile + strings.Repeat("long ", 1_000)
	doc["elements"] = []any{map[string]any{"element_id": name, "label": "", "variables": []any{map[string]any{"id": name, "value": []any{}}}}}
	doc["schema_snapshot"] = map[string]any{
		"datachain_type": map[string]any{"id": name, "name": []any{}, "categories": []any{}, "subchains": []any{}},
		"categories": []any{map[string]any{
			"id": name, "name": []any{}, "description": []any{}, "shape": "circle", "cardinality": map[string]any{"min": 2},
			"context": map[string]any{"required": true, "values": []any{map[string]any{"id": name, "label": []any{}}, map[string]any{"id": "b", "label": []any{}}}},
		}},
		"elements": []any{map[string]any{
			"id": name, "title": []any{}, "description": []any{}, "category_id": name, "symbol_id": "s", "icon_variants": []any{},
			"variables": []any{map[string]any{"id": name, "label": []any{}, "required": true, "type": "text"}},
		}},
	}
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	result, err := validate.Resolved(trail(t)[stable], parsed(t, text), nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(result.Issues), 5)
	for _, i := range result.Issues {
		require.NotContains(t, i.Message+i.FixHint, "\x1b", i.Code)
		require.NotContains(t, i.Message+i.FixHint, "\n", i.Code)
		require.Less(t, len(i.Message)+len(i.FixHint), 1_500, i.Code)
	}
}

// TestInterrupt interrupts a run at every call of Interrupt.
func TestInterrupt(t *testing.T) {
	stop := errors.New("stop")
	doc := parsed(t, walk(many(1_000, `{"element_id":"facility.hut","context_type_id":"free"}`)...))
	release := trail(t)[stable]
	asked := 0
	_, err := validate.Instance(release, doc, &validate.Options{Interrupt: func() error { asked++; return nil }})
	require.NoError(t, err)
	require.Greater(t, asked, 2*len(validate.Rules()), "rules that look at the placements, which most do, ask for every 256")
	for n := range asked {
		calls := 0
		result, err := validate.Instance(release, doc, &validate.Options{Interrupt: func() error {
			if calls++; calls > n {
				return stop
			}
			return nil
		}})
		require.ErrorIs(t, err, stop)
		require.Nil(t, result)
		require.Equal(t, n+1, calls, "once is enough")
	}
}

// TestHintsHaveABudget has more typos than the budget of hints.
func TestHintsHaveABudget(t *testing.T) {
	const known = 7_000
	instances := many(known, `{"id":"run-1%d","subchain_id":"approach"}`)
	text := walk(many(70, `{"element_id":"surface.rock","subchain_instance_id":"rn-1%d"}`)...)
	result := judge(t, fmt.Appendf(text[:len(text)-1], `,"subchain_instances":[%s]}`, strings.Join(instances, ",")), nil)
	require.Len(t, result.Issues, 70)
	for i, issue := range result.Issues {
		if i < 400_000/known {
			require.Equal(t, fmt.Sprintf("write run-1%d if that is meant", i), issue.FixHint)
		} else {
			// A guess from some of the names could be wrong.
			require.NotContains(t, issue.FixHint, "write", "typo %d", i)
		}
	}
}

// TestNamesHaveABudget has texts in place of options, and more of both than the budget
// of hints.
func TestNamesHaveABudget(t *testing.T) {
	for _, c := range []struct {
		n, labels int // the number of texts and options, and of labels of each option
		want      string
	}{
		{600, 0, `write ["option 599"]`},
		{700, 0, `write a list with one or more of "option 0"`},
		{190, 10, `write ["option 189"]`},
		{200, 10, `write a list with one or more of "option 0"`},
	} {
		texts := many(c.n, `{"locale":"en","value":"text %d"}`)
		texts[c.n-1] = fmt.Sprintf(`{"locale":"en","value":"option %d"}`, c.n-1)
		labels := strings.Join(many(c.labels, `{"locale":"x%d","value":"label"}`), ",")
		options := many(c.n, `{"id":"option %d","label":[`+labels+`]}`)
		result := judgeOwn(t, nil, `"x":0`, fmt.Sprintf(`{"element_id":"x","variables":[{"id":"v","value":[%s]}]}`, strings.Join(texts, ",")),
			fmt.Sprintf(`{"id":"v","label":[],"required":false,"type":"select","options":[%s]}`, strings.Join(options, ",")))
		require.EqualValues(t, codes.InstanceVariableValueShape, result.Issues[0].Code)
		require.Contains(t, result.Issues[0].FixHint, c.want)
	}
}

// TestManyTypos has as many typos as fit into a request, in an object with as many
// keys. It would not end if the time were not linear.
func TestManyTypos(t *testing.T) {
	keys := strings.Join(many(30_000, `"linked_instance_i%d":0`), ",")
	heads := strings.Join(many(30_000, `"camera-1%d"`), ",")
	result := judgeOwn(t, &validate.Options{Strict: true},
		keys+`,"subchain_instances":[{"id":"run","subchain_id":"s","head_refs":[`+heads+`]}]`, `{"element_id":"x","element_instance_id":"camera-1"}`, "")
	require.True(t, result.OK(), "they are warnings")
	require.Len(t, result.Issues, validate.MaxFindings+1)
	require.Equal(t, "write camera-1 if that is meant", result.Issues[0].FixHint)
}

// judgeOwn validates a document with its own schema: the element x with variables, and
// the subchain s.
func judgeOwn(t *testing.T, o *validate.Options, members, placements, variables string) *validate.Result {
	t.Helper()
	text := fmt.Appendf(nil, `{%s,"id":"own","schema_version":%q,"created_at":"2026-06-01T10:00Z","elements":[%s],"schema_snapshot":{
		"datachain_type":{"id":"trail","name":[],"categories":["c"],"subchains":[{"id":"s","name":[],"categories":["c"]}]},
		"categories":[{"id":"c","name":[],"description":[],"shape":"circle","context":{"values":[]}}],
		"elements":[{"id":"x","title":[],"description":[],"category_id":"c","symbol_id":"s","icon_variants":[],"variables":[%s]}]}}`,
		members, stable, placements, variables)
	result, err := validate.Resolved(nil, parsed(t, text), o)
	require.NoError(t, err)
	return result
}

// TestTyposAreCached has the same typo so often that the budget would not last for
// each.
func TestTyposAreCached(t *testing.T) {
	release := largeRelease(t, 500)
	placements := many(validate.MaxFindings, `{"element_id":"category-00.elemnt-000007"}`)
	doc := parsed(t, fmt.Appendf(nil, `{"id":"x","schema_version":%q,"created_at":"2026-06-01T10:00Z","elements":[%s]}`,
		release.Version(), strings.Join(placements, ",")))
	result, err := validate.Instance(release, doc, nil)
	require.NoError(t, err)
	require.Len(t, result.Issues, validate.MaxFindings, "the required category is not missing")
	for _, issue := range result.Issues {
		require.Equal(t, "write category-00.element-000007", issue.FixHint)
	}
}
