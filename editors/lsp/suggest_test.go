package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSuggestions applies the actions for findings that leave something to a person.
func TestSuggestions(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, valid)
	const pinned = `{"id": "x", "created_at": "2026-06-20T12:00:00Z", "schema_version": "sensor@2026-11-15-stable", `
	placed := func(placement string) string { return pinned + `"elements": [` + placement + `]}` }
	const measured = `{"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": [{"id": "measured", "value": `
	for i, c := range []struct{ name, text, at, title, old, with string }{
		{
			"a variable of a placement without any", placed(`{"element_id": "responsible.in_charge"}`), `{"element_id"`,
			"Add the required variables organisation and contact", `"responsible.in_charge"`,
			`"responsible.in_charge", "variables": [{"id": "organisation", "value": [{"locale": "en", "value": ""}]}, {"id": "contact", "value": [{"locale": "en", "value": ""}]}]`,
		},
		{
			"a variable beside others", placed(`{"element_id": "responsible.in_charge", "variables": [{"id": "contact", "value": [{"locale": "en", "value": "x"}]}]}`), `variables"`,
			"Add the required variable organisation", `"x"}]}`, `"x"}]}, {"id": "organisation", "value": [{"locale": "en", "value": ""}]}`,
		},
		{
			"a select variable", placed(`{"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": []}`), `variables"`,
			"Add the required variable measured", `[]`, `[{"id": "measured", "value": [""]}]`,
		},
		{
			"a context", placed(`{"element_id": "device.station"}`), `{"element_id"`,
			"Set the context “Always on” (always_on)", `"device.station"`, `"device.station", "context_type_id": "always_on"`,
		},
		{
			"another context", placed(`{"element_id": "device.station", "context_type_id": "blue"}`), `blue`,
			"Write “At set times” (set_hours)", `blue`, `set_hours`,
		},
		{
			"a context that a category does not have", placed(`{"element_id": "purpose.environment", "context_type_id": "blue", "priority": 1}`), `blue`,
			"Remove context_type_id", `"context_type_id": "blue", `, ``,
		},
		{"another option", placed(measured + `["blue", "water"]}]}`), `blue`, "Write “air quality” (air_quality)", "blue", "air_quality"},
		{"no option", placed(measured + `[]}]}`), `value"`, "Select “air quality” (air_quality)", "[]", `["air_quality"]`},
		{"a word instead of options", placed(measured + `"blue"}]}`), `blue`, "Select “air quality” (air_quality)", `"blue"`, `["air_quality"]`},
		{"a word that is an option", placed(measured + `"Water"}]}`), `Water`, `Write ["water"]`, `"Water"`, `["water"]`},
		{"a text that is an option", placed(measured + `[{"locale": "en", "value": "Air quality"}]}]}`), `value"`, `Write ["air_quality"]`, `[{"locale": "en", "value": "Air quality"}]`, `["air_quality"]`},
		{
			"an option instead of a text", placed(`{"element_id": "responsible.in_charge", "variables": [{"id": "organisation", "value": ["Town"]}]}`), `value"`,
			"Write it as a text in en", `["Town"]`, `[{"locale": "en", "value": "Town"}]`,
		},
		{"a string instead of a text", pinned + `"title": "Air", "elements": []}`, `Air`, "Write it as a text in en", `"Air"`, `[{"locale": "en", "value": "Air"}]`},
		{"a date without a time", strings.Replace(placed(""), "2026-06-20T12:00:00Z", "2026-06-20", 1), `2026-06-20"`, "Write 2026-06-20T10:00Z", `2026-06-20"`, `2026-06-20T10:00Z"`},
		{"an object instead of a text", pinned + `"title": {"fr": "Air"}, "elements": []}`, `title`, `Write [{"locale": "fr", "value": "Air"}]`, `{"fr": "Air"}`, `[{"locale": "fr", "value": "Air"}]`},
		{"a list instead of a string", placed(`{"element_id": ["device.station"]}`), `element_id`, `Write "device.station"`, `["device.station"]`, `"device.station"`},
		{"no id", strings.Replace(placed(""), `"id": "x", `, "", 1), `{`, "Add id", `{"c`, `{"id": "chain", "c`},
		{"no elements", pinned + `"title": []}`, `{`, "Add elements", `"title": []`, `"title": [], "elements": []`},
		{"no version", `{"id": "x", "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "a"}]}`, `{`, "Pin sensor@2026-11-15-stable", `"x"`, `"x", "schema_version": "sensor@2026-11-15-stable"`},
		{"a version that is not published", strings.Replace(placed(`{"element_id": "device.station"}`), "11-15-stable", "11-16-stable", 1), `sensor@`, "Write sensor@2026-11-15-stable", "sensor@2026-11-16-stable", "sensor@2026-11-15-stable"},
		{"no value", placed(`{"element_id": "data.surroundings", "variables": [{"id": "measured"}]}`), `{"id": "m`, "Add value", `"measured"`, `"measured", "value": [""]`},
		{"an unknown word", placed(`{"element_id": "device.station", "actions": [{"type": "pigeon", "label": "x", "target": "x"}]}`), `pigeon`, "Write postal", "pigeon", "postal"},
		{"a misspelled key", placed(`{"element_id": "device.station", "contextTypeId": "always_on"}`), `contextTypeId`, "Write context_type_id", "contextTypeId", "context_type_id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.change(chain, i+2, c.text)
			at := place(t, c.text, c.at)
			list := e.actions(span{at, at}, "quickfix")
			titles := make([]string, len(list))
			for k, a := range list {
				titles[k] = a.Title
			}
			k := slices.Index(titles, c.title)
			require.GreaterOrEqual(t, k, 0, titles)
			assert.Equal(t, 1, strings.Count(strings.Join(titles, "\n"), c.title))
			require.Equal(t, 1, strings.Count(c.text, c.old))
			assert.Equal(t, strings.Replace(c.text, c.old, c.with, 1), apply(c.text, list[k].Edit.DocumentChanges[0].Edits))
		})
	}
	t.Run("no date", func(t *testing.T) {
		text := strings.Replace(placed(""), `"created_at": "2026-06-20T12:00:00Z", `, "", 1)
		e.change(chain, 100, text)
		list := e.actions(span{}, "quickfix")
		k := slices.IndexFunc(list, func(a codeAction) bool { return a.Title == "Add created_at" })
		require.GreaterOrEqual(t, k, 0)
		assert.Regexp(t, `-stable", "created_at": "20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "elements"`, apply(text, list[k].Edit.DocumentChanges[0].Edits))
	})
	t.Run("none of them is made by fix all", func(t *testing.T) {
		e.change(chain, 101, placed(`{"element_id": "device.station"}, {"element_id": "responsible.in_charge"}`))
		assert.Empty(t, e.actions(wholeText, "source.fixAll"))
	})
}
