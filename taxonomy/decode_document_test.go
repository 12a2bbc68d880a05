package taxonomy_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// fullInstance has every field of a document, and unknown ones.
const fullInstance = `{
	"id": "a\u0062c", "schema_version": "ai@2026-09-01-beta", "created_at": "2026-06-01T10:00Z",
	"title": [{"locale": "en", "value": "T\u00eftle \ud83d\ude00", "note": 1}], "description": [],
	"updated_at": "2026-06-02T10:00Z", "instance_version": "2", "linked_instance_ids": ["x", "\u0079"],
	"sources": [{"type": "law", "title": "Act", "url": "u", "citation": "§ 1", "more": 1}],
	"subchain_instances": [{"id": "run-1", "subchain_id": "use", "head_refs": ["a"], "order": 2}],
	"elements": [
		{"element_id": "purpose.safety", "context_type_id": "c", "element_instance_id": "one", "label": "", "priority": 3,
			"subchain_instance_id": "run-1", "citation": "p. 1", "x_kept": {"a": [1]},
			"actions": [{"type": "url", "label": "L", "target": "T"}], "sources": [{"type": "law", "title": "Act"}],
			"variables": [
				{"id": "retention", "value": [{"locale": "en", "value": "a year"}], "x_v": null},
				{"id": "method", "value": ["rules", "le\u0061rned"]},
				{"id": "none", "value": []}
			]},
		{"element_id": "image"}
	],
	"authoring_provenance": {"kind": "ai_generated", "model": "m", "generated_at": "2026-06-01T10:00Z", "x_p": 1,
		"element_provenance": {"one": {"rationale": "r", "confidence": "high", "x_e": 1,
			"source_references": [{"quote": "q", "context": "c"}], "variable_rationale": {"retention": {"free": true}}}}},
	"ID": "another field", "x_\u006bept": [true, null]
}`

// TestInstance compares DecodeInstance with UnmarshalJSON.
func TestInstance(t *testing.T) {
	for _, text := range []string{fullInstance, `{}`, `{"elements":[]}`, `{"elements":[{}]}`, `{"x":1}`} {
		doc, err := document.Parse([]byte(text))
		require.NoError(t, err)
		got, err := taxonomy.DecodeInstance(doc)
		require.NoError(t, err)
		var want taxonomy.Instance
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		require.Empty(t, cmp.Diff(&want, got, cmpopts.EquateEmpty()))
	}
}

// TestResolved compares DecodeResolved with UnmarshalJSON, for snapshots that are
// canonical and that are not.
func TestResolved(t *testing.T) {
	canonical := snapshot(t, release(t), "purpose.safety", "purpose.comfort", "image")
	var spaced any
	require.NoError(t, json.Unmarshal(canonical, &spaced))
	loose, err := json.Marshal(map[string]any{"x": 1, "categories": spaced.(map[string]any)["categories"], "elements": spaced.(map[string]any)["elements"], "datachain_type": spaced.(map[string]any)["datachain_type"]})
	require.NoError(t, err)
	edited := strings.ReplaceAll(string(canonical), `"value":"`, `"value":"Edited `)
	renamed := strings.ReplaceAll(string(canonical), `"id":"image"`, `"id":"purpose.safety"`)
	element := release(t).ElementJSON("image")
	for _, snapshot := range []string{string(canonical), string(loose), edited, renamed} {
		text := fullInstance[:len(fullInstance)-1] + `,"schema_snapshot":` + snapshot + `,"suggested_elements":[` + element + `, ` + element + `]}`
		doc, err := document.Parse([]byte(text))
		require.NoError(t, err)
		got, err := taxonomy.DecodeResolved(doc)
		require.NoError(t, err)
		var want taxonomy.Resolved
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		require.Len(t, got.SchemaSnapshot.Elements, 3)
		require.Len(t, got.SuggestedElements, 2)
		require.Empty(t, cmp.Diff(&want, got, cmpopts.EquateEmpty()))
		got, err = release(t).DecodeResolved(doc)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(&want, got, cmpopts.EquateEmpty()), "parts of the release are the same")
	}
}

// TestIntegers has integers in every notation of JSON.
func TestIntegers(t *testing.T) {
	for _, n := range []string{"20", "20.0", "2e1", "2E+1", "0.2e2", "200e-1"} {
		doc, err := document.Parse([]byte(`{
			"elements": [{"element_id": "x", "priority": ` + n + `}], "subchain_instances": [{"id": "a", "order": ` + n + `}],
			"schema_snapshot": {
				"categories": [{"id": "c", "cardinality": {"min": ` + n + `, "max": ` + n + `}}],
				"elements": [{"id": "x", "max_placements": ` + n + `, "order": ` + n + `}]
			}
		}`))
		require.NoError(t, err)
		r, err := taxonomy.DecodeResolved(doc)
		require.NoError(t, err, n)
		require.Equal(t, 20, *r.Elements[0].Priority)
		require.Equal(t, 20, *r.SubchainInstances[0].Order)
		require.Equal(t, taxonomy.Cardinality{Min: 20, Max: 20}, r.SchemaSnapshot.Categories[0].Cardinality)
		require.Equal(t, 20, r.SchemaSnapshot.Elements[0].MaxPlacements)
		require.Equal(t, 20, r.SchemaSnapshot.Elements[0].Order)
		var e taxonomy.Element
		require.NoError(t, json.Unmarshal([]byte(`{"order":`+n+`}`), &e), "the other way to decode takes the same")
		require.Equal(t, 20, e.Order)
	}
}

// TestOtherKinds has values of the wrong type. The error has the path.
func TestOtherKinds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, "must be an object"},
		{`null`, "must be an object"},
		{`{"id":1}`, "id: must be a string"},
		{`{"id":null}`, "id: must be a string"},
		{`{"title":"x"}`, "title: must be an array"},
		{`{"title":{}}`, "title: must be an array"},
		{`{"title":["x"]}`, "title[0]: must be an object"},
		{`{"title":[{"locale":1}]}`, "title[0].locale: must be a string"},
		{`{"elements":{}}`, "elements: must be an array"},
		{`{"elements":[1]}`, "elements[0]: must be an object"},
		{`{"elements":[{},{"element_id":[]}]}`, "elements[1].element_id: must be a string"},
		{`{"elements":[{"label":null}]}`, "elements[0].label: must be a string"},
		{`{"elements":[{"priority":1.5}]}`, "elements[0].priority: must be an integer"},
		{`{"elements":[{"priority":"1"}]}`, "elements[0].priority: must be an integer"},
		{`{"elements":[{"variables":[{"value":["a",1]}]}]}`, "elements[0].variables[0].value[1]: must be a string"},
		{`{"elements":[{"variables":[{"value":[{},"a"]}]}]}`, "elements[0].variables[0].value[1]: must be an object"},
		{`{"elements":[{"variables":[{"value":"a"}]}]}`, "elements[0].variables[0].value: must be an array"},
		{`{"linked_instance_ids":[1]}`, "linked_instance_ids[0]: must be a string"},
		{`{"sources":"x"}`, "sources: must be an array"},
		{`{"elements":[{"actions":[1]}]}`, "elements[0].actions[0]: must be an object"},
		{`{"elements":[{"actions":[{"label":0}]}]}`, "elements[0].actions[0].label: must be a string"},
		{`{"elements":[{"sources":[{"url":0}]}]}`, "elements[0].sources[0].url: must be a string"},
		{`{"subchain_instances":[{"head_refs":[0]}]}`, "subchain_instances[0].head_refs[0]: must be a string"},
		{`{"authoring_provenance":[]}`, "authoring_provenance: must be an object"},
		{`{"authoring_provenance":{"element_provenance":[]}}`, "authoring_provenance.element_provenance: must be an object"},
		{`{"authoring_provenance":{"element_provenance":{"a":0}}}`, "authoring_provenance.element_provenance.a: must be an object"},
		{`{"authoring_provenance":{"element_provenance":{"a":{"source_references":[0]}}}}`, "source_references[0]: must be an object"},
		{`{"authoring_provenance":{"element_provenance":{"a":{"variable_rationale":0}}}}`, "variable_rationale: must be an object"},
		{`{"schema_snapshot":null}`, "schema_snapshot: must be an object"},
		{`{"schema_snapshot":{"elements":{}}}`, "schema_snapshot.elements: must be an array"},
		{`{"schema_snapshot":{"elements":[{},1]}}`, "schema_snapshot.elements[1]: must be an object"},
		{`{"schema_snapshot":{"categories":[{"id":1}]}}`, "schema_snapshot.categories[0].id: must be a string"},
		{`{"schema_snapshot":{"categories":[{"required":"yes"}]}}`, "schema_snapshot.categories[0].required: must be true or false"},
		{`{"schema_snapshot":{"categories":[{"context":{"values":[{"color":0}]}}]}}`, "categories[0].context.values[0].color: must be a string"},
		{`{"schema_snapshot":{"categories":[{"variables":[{"options":[{"applies_to":0}]}]}]}}`, "variables[0].options[0].applies_to: must be an array"},
		{`{"schema_snapshot":{"categories":[{"cardinality":{"min":0.5}}]}}`, "categories[0].cardinality.min: must be an integer"},
		{`{"schema_snapshot":{"datachain_type":{"subchains":[{"categories":[0]}]}}}`, "datachain_type.subchains[0].categories[0]: must be a string"},
		{`{"schema_snapshot":{"datachain_type":1}}`, "schema_snapshot.datachain_type: must be an object"},
		{`{"suggested_elements":[{"id":1}]}`, "suggested_elements[0].id: must be a string"},
		{`{"id":1,"title":2}`, "id: "}, // the first of two
	} {
		t.Run(c.text, func(t *testing.T) {
			doc, err := document.Parse([]byte(c.text))
			require.NoError(t, err)
			_, err = taxonomy.DecodeResolved(doc)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, json.Unmarshal([]byte(c.text), new(taxonomy.Resolved)), c.want, "the other way to decode refuses the same")
		})
	}
}

// TestListsOfOtherKinds has a million zeros in place of objects.
func TestListsOfOtherKinds(t *testing.T) {
	zeros := "[" + strings.Repeat("0,", 1_000_000) + "0]"
	doc, err := document.Parse([]byte(`{"elements":` + zeros + `,"suggested_elements":` + zeros + `}`))
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = taxonomy.DecodeInstance(doc)
	require.ErrorContains(t, err, "elements[0]: must be an object")
	_, err = taxonomy.DecodeResolved(doc)
	require.ErrorContains(t, err, "elements[0]: must be an object")
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
}

// TestSuggestionsAreCompleted decodes suggested elements without the fields that only a
// release needs, before and after the snapshot.
func TestSuggestionsAreCompleted(t *testing.T) {
	const (
		snapshot = `"schema_snapshot":{"datachain_type":{"id":"t","name":[],"categories":["c"],"subchains":[]},` +
			`"categories":[{"id":"c","context":{"values":[{"id":"low"},{"id":"high"}]}},{"id":"c"}],"elements":[]}`
		suggested = `"suggested_elements":[{"id":"a","category_id":"c"},{"id":"b","category_id":"elsewhere"},` +
			`{"id":"d","category_id":"c","icon_variants":[],"variables":[{"id":"v"}]}]`
	)
	for name, text := range map[string]string{
		"snapshot first":    "{" + snapshot + "," + suggested + "}",
		"suggestions first": "{" + suggested + "," + snapshot + "}",
		"spaces":            "{ " + suggested + " ,\n" + snapshot + " }",
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(text))
			require.NoError(t, err)
			decoded, err := taxonomy.DecodeResolved(doc)
			require.NoError(t, err)
			var unmarshalled taxonomy.Resolved
			require.NoError(t, json.Unmarshal([]byte(text), &unmarshalled))
			for _, r := range []*taxonomy.Resolved{decoded, &unmarshalled} {
				e := r.SuggestedElements
				require.Equal(t, []string{"default", "dark", "low", "high"}, e[0].IconVariants)
				require.Equal(t, []taxonomy.Variable{}, e[0].Variables)
				require.Equal(t, []string{"default", "dark"}, e[1].IconVariants, "the category is not in the snapshot")
				require.Empty(t, e[2].IconVariants, "as given")
				require.Len(t, e[2].Variables, 1)
			}
		})
	}
}
