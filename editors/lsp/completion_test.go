package lsp_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type completion struct {
	IsIncomplete bool
	Items        []item
}

type item struct {
	Label        string
	LabelDetails struct{ Detail, Description string }
	Detail       string
	SortText     string
	FilterText   string
	Format       int                          `json:"insertTextFormat"`
	Doc          struct{ Kind, Value string } `json:"documentation"`
	TextEdit     textEdit
	Additional   []textEdit `json:"additionalTextEdits"`
}

// id returns what the item stands for.
func (i item) id() string {
	if i.LabelDetails.Detail != "" {
		return strings.TrimSpace(i.LabelDetails.Detail)
	}
	return i.Label
}

// typist types into a document with an editor. Its cursor is an offset.
type typist struct {
	*editor
	text    string
	cursor  int
	version int
}

func newTypist(t testing.TB, locale string) *typist {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	capabilities := maps.Clone(full)
	capabilities["general"] = object{"positionEncodings": []string{"utf-8"}} // the cursor is an offset
	e.initialize(object{"capabilities": capabilities, "locale": locale})
	e.open(chain, "")
	return &typist{editor: e, version: 1}
}

// set sets the text; ¦ is the cursor.
func (y *typist) set(text string) {
	y.t.Helper()
	y.cursor = strings.Index(text, "¦")
	require.GreaterOrEqual(y.t, y.cursor, 0)
	y.text = strings.Replace(text, "¦", "", 1)
	y.version++
	y.change(chain, y.version, y.text)
}

// write types a text.
func (y *typist) write(text string) {
	y.t.Helper()
	y.set(y.text[:y.cursor] + text + "¦" + y.text[y.cursor:])
}

func (y *typist) complete() completion {
	y.t.Helper()
	var list completion
	y.into(&list, "textDocument/completion", at(pointAt(y.text, y.cursor)))
	for i, item := range list.Items {
		require.LessOrEqual(y.t, offsetOf(y.text, item.TextEdit.Range.Start), y.cursor, item.Label)
		require.GreaterOrEqual(y.t, offsetOf(y.text, item.TextEdit.Range.End), y.cursor, item.Label)
		require.Equal(y.t, item.TextEdit.Range.Start.Line, item.TextEdit.Range.End.Line)
		if i > 0 {
			require.Less(y.t, list.Items[i-1].SortText, item.SortText)
		}
		// Clients compare what was typed with the filter text.
		typed := strings.ToLower(y.text[offsetOf(y.text, item.TextEdit.Range.Start):y.cursor])
		require.Contains(y.t, strings.ToLower(item.FilterText), strings.TrimSpace(typed), item.Label)
	}
	return list
}

func (y *typist) ids() []string {
	y.t.Helper()
	var ids []string
	for _, item := range y.complete().Items {
		ids = append(ids, item.id())
	}
	return ids
}

var stops = regexp.MustCompile(`\$(\d+)`)

// accept takes the item with an id. The cursor goes to the first stop, or to the end.
func (y *typist) accept(id string) {
	y.t.Helper()
	items := y.complete().Items
	i := slices.IndexFunc(items, func(i item) bool { return i.id() == id })
	require.GreaterOrEqual(y.t, i, 0, "%s in %v at %s¦%s", id, items, y.text[:y.cursor], y.text[y.cursor:])
	chosen := items[i]
	with := chosen.TextEdit.NewText
	if chosen.Format == 2 {
		line := y.text[strings.LastIndexByte(y.text[:y.cursor], '\n')+1 : y.cursor] // whose indentation editors add
		with = strings.ReplaceAll(with, "\n", "\n"+line[:len(line)-len(strings.TrimLeft(line, " \t"))])
		first := stops.FindStringIndex(with)
		with = with[:first[0]] + "¦" + with[first[1]:]
		with = stops.ReplaceAllString(with, "")
		with = strings.NewReplacer(`\\`, `\`, `\$`, `$`, `\}`, `}`).Replace(with)
	} else {
		with += "¦"
	}
	edits := append([]textEdit{{chosen.TextEdit.Range, with}}, chosen.Additional...)
	y.set(apply(y.text, edits))
}

// after moves the cursor behind the next part of the text.
func (y *typist) after(part string) {
	y.t.Helper()
	i := strings.Index(y.text[y.cursor:], part)
	require.GreaterOrEqual(y.t, i, 0, part)
	y.cursor += i + len(part)
}

// TestTypeDocument types a document from an empty file to a valid one by completions,
// and only its texts by hand.
func TestTypeDocument(t *testing.T) {
	y := newTypist(t, "en")
	y.set("¦")
	y.accept("sensor@2026-11-15-stable")
	y.write("my-square")
	y.after("[\n    ")
	y.write("noise") // finds by title
	y.accept("purpose.environment")
	y.write(",\n    ")
	y.accept("device.station")
	y.accept("always_on")
	y.after("}")
	y.write(",\n    ")
	y.accept("data.surroundings")
	y.accept("does_not_identify_people")
	y.after(`"value": ["`)
	y.accept("weather")
	y.after("\n    }")
	y.write(", ")
	y.accept("responsible.in_charge")
	y.write("Town of Lindenau")
	y.after(`"contact", "value": [{"locale": "en", "value": "`)
	y.write("town@lindenau.example")
	assert.Empty(t, y.diagnostics(chain, y.version), y.text)
	assert.Contains(t, y.text, `
    {
      "element_id": "data.surroundings",
      "context_type_id": "does_not_identify_people",
      "variables": [
        {"id": "measured", "value": ["weather"]}
      ]
    }, {
      "element_id": "responsible.in_charge",
      "variables": [
        {"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]},
`)
}

// TestPlacementLines checks that a placement with variables is written over several lines,
// indented as the document is, by completions and by actions.
func TestPlacementLines(t *testing.T) {
	const head = `{"schema_version": "sensor@2026-11-15-stable", `
	for name, c := range map[string]struct{ text, want string }{
		"tabs": {
			"{\n\t\"schema_version\": \"sensor@2026-11-15-stable\",\n\t\"elements\": [\n\t\t¦\n\t]\n}",
			"\n\t\t{\n\t\t\t\"element_id\": \"responsible.in_charge\",\n\t\t\t\"variables\": [\n\t\t\t\t{\"id\": \"organisation\", \"value\": [{\"locale\": \"en\", \"value\": \"\"}]},\n",
		},
		"after a bracket": {
			"{\n  \"schema_version\": \"sensor@2026-11-15-stable\",\n  \"elements\": [¦]\n}",
			"\n  \"elements\": [{\n    \"element_id\": \"responsible.in_charge\",\n    \"variables\": [\n      {\"id\": \"organisation\", \"value\": [{\"locale\": \"en\", \"value\": \"\"}]},\n",
		},
		"on one line": {
			head + `"elements": [¦]}`,
			`[{"element_id": "responsible.in_charge", "variables": [{"id": "organisation", "value": [{"locale": "en", "value": ""}]}, `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTypist(t, "en")
			y.set(c.text)
			y.accept("responsible.in_charge")
			assert.Contains(t, y.text, c.want)
			simple := &typist{editor: start(t, lsp.New(opened(samples(t)), nil), nil), version: 1}
			simple.open(chain, "")
			simple.set(c.text)
			simple.accept("Organisation in charge (responsible.in_charge)")
			assert.Contains(t, simple.text, c.want, "without snippets")
		})
	}
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	for i, c := range []struct{ elements, want string }{
		{"[]", "[{\r\n    \"element_id\": \"responsible.in_charge\",\r\n    \"variables\": [\r\n      {"},
		{"[\r\n    {\"element_id\": \"device.station\"}\r\n  ]", "},\r\n    {\r\n      \"element_id\": \"responsible.in_charge\",\r\n      \"variables\": [\r\n        {"},
	} {
		text := "{\r\n  \"id\": \"x\", \"created_at\": \"2026-06-20T12:00:00Z\",\r\n  \"schema_version\": \"sensor@2026-11-15-stable\",\r\n  \"elements\": " + c.elements + "\r\n}\r\n"
		if i == 0 {
			e.open(chain, text)
		} else {
			e.change(chain, i+1, text)
		}
		list := e.actions(wholeText, "quickfix")
		k := slices.IndexFunc(list, func(a codeAction) bool { return strings.Contains(a.Title, "“Organisation in charge”") })
		require.GreaterOrEqual(t, k, 0, list)
		got := apply(text, list[k].Edit.DocumentChanges[0].Edits)
		assert.Contains(t, got, c.want)
		assert.True(t, json.Valid([]byte(got)), got)
	}
}

func TestCompletion(t *testing.T) {
	y := newTypist(t, "fr")
	pinned := `{"schema_version": "sensor@2026-11-15-stable", `
	for _, c := range []struct {
		name, text string
		want       []string // the first ids
		not        []string
	}{
		{"keys of the document, required first", `{¦}`, []string{"id", "schema_version", "created_at", "elements", "$schema", "title"}, []string{"schema_snapshot"}},
		{"keys that are not there yet", `{"id": "x", ¦}`, []string{"schema_version", "created_at"}, []string{"id"}},
		{"a key that is being typed", `{"id": "x", "elem¦}`, []string{"elements"}, []string{"title"}},
		{"keys of a placement", pinned + `"elements": [{¦}]}`, []string{"element_id", "context_type_id", "variables"}, nil},
		{"keys of an action", pinned + `"elements": [{"actions": [{"¦"}]}]}`, []string{"type", "label", "target"}, nil},
		{"keys of provenance", pinned + `"authoring_provenance": {¦}}`, []string{"kind"}, nil},
		{"placements in provenance", pinned + `"elements": [{"element_id": "device.station"}, {"element_id": "device.station", "element_instance_id": "two"}, {"element_id": "data.pollen"}], "authoring_provenance": {"element_provenance": {"¦"}}}`, []string{"two", "data.pollen"}, []string{"device.station"}},
		{"variables in provenance", pinned + `"elements": [{"element_id": "data.surroundings"}], "authoring_provenance": {"element_provenance": {"data.surroundings": {"variable_rationale": {¦}}}}}`, []string{"measured"}, nil},
		{"versions, stable ones first", `{"schema_version": "sensor¦"}`, []string{"sensor@2026-11-15-stable", "sensor@2026-06-15-stable"}, []string{"ai@latest"}},
		{"a misspelled element", pinned + `"elements": [{"element_id": "purpose.enviroment¦"}]}`, []string{"purpose.environment"}, nil},
		{"a misspelled element that is being typed", pinned + `"elements": [{"element_id": "porpose.envi¦"}]}`, []string{"purpose.environment"}, []string{"purpose.safety"}},
		{"a misspelled context", pinned + `"elements": [{"element_id": "device.station", "context_type_id": "allways_on¦"}]}`, []string{"always_on"}, []string{"set_hours"}},
		{"a misspelled key", `{"elemnts¦"}`, []string{"elements"}, []string{"title"}},
		{"texts as a list", pinned + `"title": ¦}`, []string{"en", "fr", "es"}, nil},
		{"texts in place of a string", pinned + `"description": "¦"}`, []string{"en", "fr", "es"}, nil},
		{"placements as a list", pinned + `"elements": ¦}`, []string{"purpose.safety"}, nil},
		{"variables as a list", pinned + `"elements": [{"element_id": "data.surroundings", "variables": ¦}]}`, []string{"measured"}, nil},
		{"options as a list", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ¦}]}]}`, []string{"air_quality"}, nil},
		{"a list, if nothing else is known", `{"elements": ¦}`, []string{"[ ]"}, nil},
		{"elements of required categories first", pinned + `"elements": [{"element_id": "¦"}]}`, []string{"purpose.safety"}, nil},
		{"elements by id", pinned + `"elements": [{"element_id": "purpose.env¦"}]}`, []string{"purpose.environment"}, []string{"purpose.safety"}},
		{"elements by title, in the user's language", pinned + `"elements": [{"element_id": "bruit et mé¦"}]}`, []string{"purpose.environment"}, nil},
		{"elements by search", pinned + `"elements": [{"element_id": "baromètre¦"}]}`, []string{"device.station"}, nil},
		{"elements without a value", pinned + `"elements": [{"element_id": ¦}]}`, []string{"purpose.safety"}, nil},
		{"elements that may still be placed", pinned + `"elements": [{"element_id": "responsible.in_charge"}, {"element_id": "responsible.in_charge"}, {"element_id": "responsible.¦"}]}`, nil, []string{"responsible.in_charge"}},
		{"contexts", pinned + `"elements": [{"element_id": "device.station", "context_type_id": "¦"}]}`, []string{"always_on", "set_hours", "when_triggered"}, nil},
		{"contexts by label", pinned + `"elements": [{"element_id": "device.station", "context_type_id": "heures f¦"}]}`, []string{"set_hours"}, []string{"always_on"}},
		{"variables", pinned + `"elements": [{"element_id": "responsible.in_charge", "variables": [{"id": "organisation"}, {"id": "¦"}]}]}`, []string{"contact"}, []string{"organisation"}},
		{"the variable itself", pinned + `"elements": [{"element_id": "responsible.in_charge", "variables": [{"id": "organisation¦"}]}]}`, []string{"organisation"}, nil},
		{"whole variables", pinned + `"elements": [{"element_id": "responsible.in_charge", "variables": [{"id": "organisation"}, ¦]}]}`, []string{"contact"}, []string{"organisation"}},
		{"options", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ["weather", "¦"]}]}]}`, []string{"air_quality", "water"}, []string{"weather"}},
		{"options by label", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ["qualité¦"]}]}]}`, []string{"air_quality"}, []string{"water"}},
		{"locales", pinned + `"title": [{"locale": "en", "value": ""}, {"locale": "¦"}]}`, []string{"fr", "es"}, []string{"en"}},
		{"texts", pinned + `"title": [{"locale": "en", "value": ""}, ¦]}`, []string{"fr", "es"}, []string{"en"}},
		{"subchains", pinned + `"subchain_instances": [{"subchain_id": "¦"}]}`, []string{"collect", "use", "answer"}, nil},
		{"subchain instances", pinned + `"subchain_instances": [{"id": "a"}], "elements": [{"subchain_instance_id": "¦"}]}`, []string{"a"}, nil},
		{"heads", pinned + `"elements": [{"element_id": "device.station"}], "subchain_instances": [{"id": "a", "head_refs": ["¦"]}]}`, []string{"device.station", "a"}, nil},
		{"types of actions", pinned + `"elements": [{"actions": [{"type": "¦"}]}]}`, []string{"email"}, nil},
		{"confidence", pinned + `"authoring_provenance": {"element_provenance": {"x": {"confidence": "¦"}}}}`, []string{"high", "medium", "low"}, nil},
		{"kinds", pinned + `"authoring_provenance": {"kind": "¦"}}`, []string{"human", "ai_generated"}, nil},
		{"nothing for a version that is not published", `{"schema_version": "unheard@2026-01-01-beta", "elements": [{"element_id": "¦"}]}`, nil, nil},
		{"nothing in free text", `{"id": "¦"}`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			y.set(c.text)
			got := y.ids()
			if c.want != nil {
				require.GreaterOrEqual(t, len(got), len(c.want), got)
				assert.Equal(t, c.want, got[:len(c.want)])
			}
			for _, id := range c.not {
				assert.NotContains(t, got, id)
			}
			if c.want == nil && c.not == nil {
				assert.Empty(t, got)
			}
		})
	}
}

// TestInsert shows what accepting an item makes of the text.
func TestInsert(t *testing.T) {
	y := newTypist(t, "en")
	pinned := `{"schema_version": "sensor@2026-11-15-stable", `
	for _, c := range []struct{ name, text, id, want string }{
		{"a key", `{"id": "x", ¦}`, "elements", `{"id": "x", "elements": [¦]}`},
		{"a key in quotes", `{"id": "x", "¦"}`, "elements", `{"id": "x", "elements": [¦]}`},
		{"a key of a string in quotes", `{"¦"}`, "id", `{"id": "¦"}`},
		{"texts as a list", pinned + `"title": ¦}`, "fr", pinned + `"title": [{"locale": "fr", "value": "¦"}]}`},
		{"placements as a list", pinned + `"elements": ¦}`, "device.station", pinned + `"elements": [{"element_id": "device.station", "context_type_id": "¦"}]}`},
		{"options as a list", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ¦}]}]}`, "water", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ["water"]¦}]}]}`},
		{"a key without a closing quote", "{\"id\": \"x\", \"ele¦}\n", "elements", "{\"id\": \"x\", \"elements\": [¦]}\n"},
		{"a key without a comma", `{"id": "x" "¦"}`, "elements", `{"id": "x" , "elements": [¦]}`},
		{"another key before a value", `{"¦": 7}`, "id", `{"id¦": 7}`},
		{"a value", pinned + `"elements": [{"element_id": ¦}]}`, "device.station", pinned + `"elements": [{"element_id": "device.station"¦}]}`},
		{"a value in quotes, which stay outside of the edit", pinned + `"elements": [{"element_id": "sta¦tion"}]}`, "device.station", pinned + `"elements": [{"element_id": "device.station¦"}]}`},
		{"a value in quotes without a comma", pinned + `"elements": [{"element_id": "sta¦" "priority": 1}]}`, "device.station", pinned + `"elements": [{"element_id": "device.station¦", "priority": 1}]}`},
		{"a placement", pinned + `"elements": [¦]}`, "device.station", pinned + `"elements": [{"element_id": "device.station", "context_type_id": "¦"}]}`},
		{"a placement before another", pinned + `"elements": [¦ {}]}`, "purpose.safety", pinned + `"elements": [{"element_id": "purpose.safety"},¦ {}]}`},
		{"a text", pinned + `"title": [¦]}`, "fr", pinned + `"title": [{"locale": "fr", "value": "¦"}]}`},
		{"the value of a select variable", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", ¦}]}]}`, "value", pinned + `"elements": [{"element_id": "data.surroundings", "variables": [{"id": "measured", "value": ["¦"]}]}]}`},
		{"a source", pinned + `"sources": [¦]}`, "{ }", pinned + `"sources": [{"type": "¦", "title": ""}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			y.set(c.text)
			y.accept(c.id)
			assert.Equal(t, c.want, y.text[:y.cursor]+"¦"+y.text[y.cursor:])
		})
	}
	t.Run("clients without snippets", func(t *testing.T) {
		e := start(t, lsp.New(opened(samples(t)), nil), nil)
		e.open(chain, pinned+`"elements": []}`)
		simple := &typist{editor: e, version: 1}
		simple.set(pinned + `"elements": [¦]}`)
		list := simple.complete().Items
		i := slices.IndexFunc(list, func(i item) bool { return i.Label == "Air and weather station (device.station)" })
		require.GreaterOrEqual(t, i, 0)
		assert.Equal(t, 1, list[i].Format)
		assert.JSONEq(t, `{"element_id": "device.station", "context_type_id": ""}`, list[i].TextEdit.NewText)
	})
}
