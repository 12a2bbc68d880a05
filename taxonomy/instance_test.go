package taxonomy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// thin is an instance with every known field, and unknown fields named u_.
const thin = `{
	"id": "chain-1", "u_instance": {"b": 1, "a": [null]},
	"title": [{"locale": "en", "value": "A camera"}], "description": [],
	"schema_version": "ai@2026-09-01-stable", "created_at": "2026-06-01T10:00Z", "updated_at": "2026-06-02T10:00Z",
	"instance_version": "3", "linked_instance_ids": ["chain-0"],
	"subchain_instances": [{"id": "s1", "subchain_id": "use", "head_refs": ["e1"], "order": 0, "u_run": 1}],
	"sources": [{"type": "web", "title": "Page", "url": "https://example.org", "citation": "p. 3", "licence": "CC0-1.0", "attribution": "A", "u_source": [0]}],
	"elements": [
		{"element_id": "purpose.safety"},
		{
			"element_id": "image", "context_type_id": "anonymous", "element_instance_id": "e1", "label": "", "priority": 0,
			"subchain_instance_id": "s1", "citation": "c", "u_placement": "kept",
			"variables": [{"id": "retention", "value": [{"locale": "en", "value": "a day"}]}, {"id": "method", "value": ["rules"], "u_value": null}],
			"actions": [{"type": "url", "label": "More", "target": "https://example.org", "u_action": {}}],
			"sources": [{"type": "web", "title": "Page"}]
		}
	],
	"authoring_provenance": {
		"kind": "ai_generated", "model": "m", "generated_at": "2026-06-01T10:00Z", "u_provenance": 0.25,
		"element_provenance": {
			"e1": {
				"rationale": "r", "confidence": "high", "u_entry": [1],
				"source_references": [{"quote": "q", "context": "c", "u_quote": "x"}],
				"variable_rationale": {"retention": {"any": "shape"}}
			},
			"purpose.safety": {}
		}
	}
}`

// resolvedText is thin with a snapshot.
func resolvedText(t testing.TB) string {
	t.Helper()
	return strings.TrimSuffix(thin, "}") + `,"schema_snapshot":` + string(snapshot(t, release(t), "purpose.safety", "image")) +
		`,"suggested_elements":[` + release(t).ElementJSON("purpose.comfort") + `],"u_resolved":true}`
}

func TestInstanceKeepsEverything(t *testing.T) {
	for name, codec := range codecs {
		t.Run(name, func(t *testing.T) {
			var i taxonomy.Instance
			require.NoError(t, codec.unmarshal([]byte(thin), &i))
			require.Empty(t, jsonfieldstest.Unset(i), "give the fields a value in thin in taxonomy/instance_test.go")
			text, err := codec.marshal(i)
			require.NoError(t, err)
			require.JSONEq(t, thin, string(text))
			text, err = codec.marshal(&i)
			require.NoError(t, err)
			require.JSONEq(t, thin, string(text))

			var r taxonomy.Resolved
			require.NoError(t, codec.unmarshal([]byte(resolvedText(t)), &r))
			require.JSONEq(t, "true", string(r.Extra["u_resolved"]))
			require.Len(t, r.SchemaSnapshot.Elements, 2)
			require.Len(t, r.SuggestedElements, 1)
			text, err = codec.marshal(r)
			require.NoError(t, err)
			require.JSONEq(t, resolvedText(t), string(text))
		})
	}
}

// A resolved document without the fields of resolving is the instance.
func TestStrippedResolvedIsTheInstance(t *testing.T) {
	var r taxonomy.Resolved
	require.NoError(t, json.Unmarshal([]byte(resolvedText(t)), &r))
	delete(r.Extra, "u_resolved")
	var i taxonomy.Instance
	require.NoError(t, json.Unmarshal([]byte(thin), &i))
	require.Equal(t, i, r.Instance)
	text, err := json.Marshal(r.Instance)
	require.NoError(t, err)
	require.JSONEq(t, thin, string(text))
}

func TestInstanceFields(t *testing.T) {
	var i taxonomy.Instance
	require.NoError(t, json.Unmarshal([]byte(thin), &i))
	require.Nil(t, i.Elements[0].Label)
	require.NotNil(t, i.Elements[1].Label)
	require.Empty(t, *i.Elements[1].Label)
	require.Equal(t, codes.KindAIGenerated, i.AuthoringProvenance.Kind)
	require.Contains(t, i.AuthoringProvenance.ElementProvenance, "purpose.safety")

	values := i.Elements[1].Variables
	require.Equal(t, en("a day"), values[0].Text)
	require.Nil(t, values[0].Options)
	require.Equal(t, []string{"rules"}, values[1].Options)
	require.Nil(t, values[1].Text)
	require.Equal(t, taxonomy.Extra{"u_value": json.RawMessage("null")}, values[1].Extra)
}

// A value is a localized text or a list of option ids, and nothing else. A missing one is for
// the shape to report.
func TestVariableValueForms(t *testing.T) {
	for name, codec := range codecs {
		for _, text := range []string{
			`{"id":"v","value":[]}`, `{"id":"v","value":["a","b"]}`, `{"id":"v","value":[{"locale":"en","value":""}],"x":[1]}`,
		} {
			var v taxonomy.VariableValue
			require.NoError(t, codec.unmarshal([]byte(text), &v), name)
			again, err := codec.marshal(v)
			require.NoError(t, err, name)
			require.JSONEq(t, text, string(again), name)
			require.Equal(t, strings.Contains(text, `"a"`), v.Options != nil, name)
		}
		var none taxonomy.VariableValue
		require.NoError(t, codec.unmarshal([]byte(`{"id":"v"}`), &none), name)
		require.Equal(t, taxonomy.VariableValue{ID: "v"}, none, name)
		for _, text := range []string{`{"id":"v","value":null}`, `{"id":"v","value":"a"}`, `{"id":"v","value":["a",{}]}`, `{"id":"v","value":[1]}`, `{"id":"v","value":{}}`, `{"id":1,"value":[]}`} {
			require.Error(t, codec.unmarshal([]byte(text), new(taxonomy.VariableValue)), "%s: %s", name, text)
		}
	}
}

// DecodeInstance gives the same values as UnmarshalJSON.
func TestDocumentLikeUnmarshal(t *testing.T) {
	doc, err := document.Parse([]byte(thin))
	require.NoError(t, err)
	got, err := taxonomy.DecodeInstance(doc)
	require.NoError(t, err)
	var want taxonomy.Instance
	require.NoError(t, json.Unmarshal([]byte(thin), &want))
	require.Empty(t, cmp.Diff(&want, got))

	doc, err = document.Parse([]byte(resolvedText(t)))
	require.NoError(t, err)
	resolved, err := taxonomy.DecodeResolved(doc)
	require.NoError(t, err)
	var wantResolved taxonomy.Resolved
	require.NoError(t, json.Unmarshal([]byte(resolvedText(t)), &wantResolved))
	require.Empty(t, cmp.Diff(&wantResolved, resolved))
}

// A minimal document; title and description get their default.
func TestInstanceDefaults(t *testing.T) {
	var i taxonomy.Instance
	require.NoError(t, json.Unmarshal([]byte(`{"id":"a","schema_version":"v","created_at":"c","elements":[{"element_id":"e"}]}`), &i))
	text, err := json.Marshal(i)
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"a","title":[],"description":[],"schema_version":"v","created_at":"c","elements":[{"element_id":"e"}]}`, string(text))
	text, err = json.Marshal(taxonomy.Resolved{Instance: i})
	require.NoError(t, err)
	require.Contains(t, string(text), `"suggested_elements":[]`)
}

// Values of the wrong type are errors.
func TestInstanceOfAnotherShape(t *testing.T) {
	fields := map[string][]string{
		"elements":             {`{}`, `"x"`, `[1]`, `[[]]`, `[{"element_id":1}]`, `[{"variables":{}}]`, `[{"priority":"1"}]`, `[{"priority":1.5}]`, `[{"label":1}]`, `[{"actions":[1]}]`},
		"title":                {`"x"`, `{}`, `[1]`, `[{"locale":1}]`},
		"id":                   {`1`, `[]`, `{}`, `true`},
		"subchain_instances":   {`{}`, `[{"head_refs":"a"}]`, `[{"order":[]}]`},
		"sources":              {`{}`, `[{"url":1}]`},
		"linked_instance_ids":  {`"a"`, `[1]`},
		"authoring_provenance": {`"x"`, `[]`, `{"kind":1}`, `{"element_provenance":[]}`, `{"element_provenance":{"a":1}}`, `{"element_provenance":{"a":{"variable_rationale":[]}}}`},
		"schema_snapshot":      {`[]`, `{"elements":{}}`, `{"elements":[1]}`, `{"categories":[{"context":[]}]}`, `{"datachain_type":"ai"}`},
		"suggested_elements":   {`{}`, `[{"title":"x"}]`},
	}
	for key, values := range fields {
		for _, value := range values {
			text := []byte(`{"` + key + `":` + value + `}`)
			for name, codec := range codecs {
				require.Error(t, codec.unmarshal(text, new(taxonomy.Resolved)), "%s: %s", name, text)
			}
			doc, err := document.Parse(text)
			require.NoError(t, err)
			_, err = taxonomy.DecodeResolved(doc)
			require.ErrorContains(t, err, key, "%s", text)
		}
	}
	for name, codec := range codecs {
		for _, into := range []any{
			new(taxonomy.Instance), new(taxonomy.Resolved), new(taxonomy.Placement), new(taxonomy.Provenance), new(taxonomy.ElementProvenance),
			new(taxonomy.Manifest), new(taxonomy.Type), new(taxonomy.Category), new(taxonomy.Element),
		} {
			for _, text := range []string{`[]`, `"x"`, `1`, `true`, `{`, ``} {
				require.Error(t, codec.unmarshal([]byte(text), into), "%s: %T %s", name, into, text)
			}
		}
	}
}

// Extra can neither break the JSON nor repeat a known field.
func TestExtraThatCanNotBeWritten(t *testing.T) {
	for name, codec := range codecs {
		for _, v := range []any{
			taxonomy.Instance{Extra: taxonomy.Extra{"x": []byte("{")}},
			taxonomy.Instance{Extra: taxonomy.Extra{"id": []byte("1")}},
			taxonomy.Resolved{Instance: taxonomy.Instance{Extra: taxonomy.Extra{"schema_snapshot": []byte("1")}}},
			taxonomy.Element{Extra: taxonomy.Extra{"\xff": []byte("1")}},
		} {
			_, err := codec.marshal(v)
			require.Error(t, err, "%s: %#v", name, v)
		}
	}
}

// TestLabel decodes and encodes labels of both forms, by both decoders.
func TestLabel(t *testing.T) {
	for text, want := range map[string]taxonomy.Label{
		`"At the door"`: {Plain: "At the door"},
		`""`:            {},
		`[]`:            {Text: taxonomy.Localized{}},
		`[{"locale":"en","value":"At the door"}]`: {Text: taxonomy.Localized{{Locale: "en", Value: "At the door"}}},
	} {
		t.Run(text, func(t *testing.T) {
			placement := `{"element_id":"a","label":` + text + `,"actions":[{"type":"url","label":` + text + `,"target":"b"}]}`
			doc, err := document.Parse([]byte(`{"elements":[` + placement + `]}`))
			require.NoError(t, err)
			decoded, err := taxonomy.DecodeInstance(doc)
			require.NoError(t, err)
			var unmarshalled taxonomy.Instance
			require.NoError(t, json.Unmarshal(doc.Text(), &unmarshalled))
			for _, i := range []*taxonomy.Instance{decoded, &unmarshalled} {
				require.Equal(t, &want, i.Elements[0].Label)
				require.Equal(t, want, i.Elements[0].Actions[0].Label)
				again, err := json.Marshal(i.Elements[0])
				require.NoError(t, err)
				require.JSONEq(t, placement, string(again))
			}
		})
	}
	for _, wrong := range []string{`5`, `{}`, `["a"]`} {
		var p taxonomy.Placement
		require.Error(t, json.Unmarshal([]byte(`{"label":`+wrong+`}`), &p))
	}
}

func TestFillIn(t *testing.T) {
	both := func(en, fr string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}}
	}
	e := taxonomy.Element{
		ID: "storage.kept", Title: both("Kept {{where}} for {{ days }}", "Gardé {{ days }} {{where}}"),
		Variables: []taxonomy.Variable{
			{ID: "days", Label: both("number of days", "nombre de jours"), Type: taxonomy.TextVariable},
			{ID: "where", Label: both("place", "lieu"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{
				{ID: "here", Label: both("on site", "sur place")}, {ID: "cloud", Label: both("in the cloud", "dans le nuage")},
			}},
		},
	}
	days := taxonomy.VariableValue{ID: "days", Text: both("30 days", "30 jours")}
	for name, c := range map[string]struct {
		values  []taxonomy.VariableValue
		locales []string
		want    string
	}{
		"no values":      {nil, []string{"en"}, "Kept place for number of days"},
		"another locale": {nil, []string{"fr", "en"}, "Gardé nombre de jours lieu"},
		"text":           {[]taxonomy.VariableValue{days}, []string{"en"}, "Kept place for 30 days"},
		"options": {
			[]taxonomy.VariableValue{{ID: "where", Options: []string{"cloud", "moon", "here"}}, days},
			[]string{"fr"},
			"Gardé 30 jours dans le nuage, moon, sur place",
		},
		"no locale":    {[]taxonomy.VariableValue{days}, nil, "Kept place for 30 days"},
		"empty values": {[]taxonomy.VariableValue{{ID: "days", Text: both(" ", "")}, {ID: "where", Options: []string{}}}, []string{"en"}, "Kept place for number of days"},
		"twice":        {[]taxonomy.VariableValue{days, {ID: "days", Text: both("a year", "un an")}}, []string{"en"}, "Kept place for 30 days"},
		"a variable in a value": {
			[]taxonomy.VariableValue{{ID: "days", Text: both("{{where}}", "")}}, []string{"en"}, "Kept place for {{where}}",
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, e.FillIn(e.Title, c.values, c.locales...)) })
	}
	require.Equal(t, "Kept by whom", e.FillIn(both("Kept by {{whom}}", ""), nil, "en"), "a variable that is not declared has no label")
	require.Equal(t, "Plain {{ }} text", e.FillIn(both("Plain {{ }} text", ""), []taxonomy.VariableValue{days}, "en"))
	require.Empty(t, e.FillIn(nil, nil, "en"))
}

func TestLocalizedGet(t *testing.T) {
	l := taxonomy.Localized{{Locale: "en", Value: "a"}, {Locale: "fr-CA", Value: ""}, {Locale: "EN", Value: "second"}}
	for _, c := range []struct {
		locale, value string
		ok            bool
	}{
		{"en", "a", true}, {"En", "a", true}, {"FR-ca", "", true}, {"fr", "", false}, {"", "", false},
	} {
		value, ok := l.Get(c.locale)
		require.Equal(t, c.ok, ok, c.locale)
		require.Equal(t, c.value, value, c.locale)
	}
}

func TestLabelPick(t *testing.T) {
	require.Equal(t, "City of Lindenau", taxonomy.Label{Plain: "City of Lindenau"}.Pick("fr"))
	require.Equal(t, "a (français)", taxonomy.Label{Text: three("a")}.Pick("fr-CA"))
	require.Empty(t, taxonomy.Label{}.Pick("fr"))
}

func TestLocalizedPick(t *testing.T) {
	l := three("a")
	require.Equal(t, "a (français)", l.Pick("de", "FR", "en"))
	require.Equal(t, "a", l.Pick("de"))
	require.Equal(t, "a", l.Pick())
	require.Empty(t, taxonomy.Localized(nil).Pick("en"))

	require.Equal(t, "a (français)", l.Pick("de", "fr-CA", "en"), "fr-CA matches fr")
	require.Equal(t, "a", l.Pick("not a tag", ""))
	chinese := taxonomy.Localized{{Locale: "zh-Hans", Value: "simplified"}, {Locale: "zh-Hant", Value: "traditional"}}
	require.Equal(t, "traditional", chinese.Pick("zh-TW"))
	require.Equal(t, "simplified", chinese.Pick("en"))
}
