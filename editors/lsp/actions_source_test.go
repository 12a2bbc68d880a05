package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSourceActions fixes what lint finds in a file of the source that is being edited.
func TestSourceActions(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	saved := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	text := strings.Replace(saved, "category_id: contact", "category_id: \"contct\" # who", 1)
	text = strings.Replace(text, "- id: data.battery", "- id: data.battery\n  status: depricated\n  replaced_by: [data.tripz]", 1)
	require.NotEqual(t, saved, text)
	e.open(elements, text)
	e.diagnostics(elements, 1)
	actions := func(part string, only ...string) []codeAction {
		t.Helper()
		var list []codeAction
		at := place(t, text, part)
		e.into(&list, "textDocument/codeAction", object{"textDocument": object{"uri": elements}, "range": span{at, at}, "context": object{"only": only}})
		return list
	}
	list := actions("contct", "quickfix")
	require.Len(t, list, 1)
	assert.Equal(t, "Write contact", list[0].Title)
	require.Len(t, list[0].Diagnostics, 1)
	assert.Equal(t, "category_unknown", list[0].Diagnostics[0].Code)
	assert.Equal(t, strings.Replace(text, "contct", "contact", 1), applied(t, text, list[0]))

	misspelt := strings.Replace(saved, "- id: data.battery\n", "- id: data.battery\n  keyword: {en: [power]}\n", 1)
	e.change(elements, 2, misspelt)
	e.diagnostics(elements, 2)
	before := text
	text = misspelt
	list = actions("keyword", "quickfix")
	require.Len(t, list, 1)
	assert.Equal(t, "Write keywords", list[0].Title)
	assert.Equal(t, strings.Replace(misspelt, "keyword:", "keywords:", 1), applied(t, text, list[0]))
	text = before
	e.change(elements, 3, text)
	e.diagnostics(elements, 3)

	list = actions("title", "source.fixAll")
	require.Len(t, list, 1)
	want := strings.NewReplacer("contct", "contact", "depricated", "deprecated", "tripz", "trips").Replace(text)
	assert.Equal(t, want, applied(t, text, list[0]))
	assert.Contains(t, list[0].Title, "3 findings")
	assert.Empty(t, actions("title", "quickfix"))

	e.change(elements, 4, want)
	e.diagnostics(elements, 4)
	assert.Empty(t, actions("contct"))
}

// applied makes the edits of an action in a text of one byte per character.
func applied(t *testing.T, text string, a codeAction) string {
	t.Helper()
	require.Len(t, a.Edit.DocumentChanges, 1)
	for _, edit := range slices.Backward(a.Edit.DocumentChanges[0].Edits) {
		from, to := offsetOf(text, edit.Range.Start), offsetOf(text, edit.Range.End)
		text = text[:from] + edit.NewText + text[to:]
	}
	return text
}

// TestSourceFields explains keys, and what became of an id.
func TestSourceFields(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	text := strings.Replace(string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data), "- id: data.battery",
		"- id: data.battery\n  status: deprecated\n  replaced_by: [{id: data.trips, note: {en: x}}, data.gone]\n  examples: []\n  variables: [{id: level, renamed_from: [charge, power], label: {en: Level}}]", 1)
	e.open(elements, text)
	hover := func(part string) string {
		t.Helper()
		var h struct{ Contents struct{ Value string } }
		e.into(&h, "textDocument/hover", object{"textDocument": object{"uri": elements}, "position": place(t, text, part)})
		return h.Contents.Value
	}
	for _, key := range []string{"status", "replaced_by", "examples", "renamed_from"} {
		assert.NotEmpty(t, hover(key+":"), key)
	}
	assert.Empty(t, hover("deprecated"))
	element := hover("data.battery")
	assert.Contains(t, element, "Deprecated")
	assert.Contains(t, element, "`data.trips` Trips")
	assert.Contains(t, element, "`data.gone` does not exist")
	assert.Contains(t, hover("level"), "charge, power")

	schema := schemas + "/bikes/2026-09-01-beta/schema.yaml"
	text = string(files["bikes/2026-09-01-beta/schema.yaml"].Data) + "removed:\n- id: data.speed\n  replaced_by: data.battery\n  since: 2026-09-01-beta\nnotes: {en: x}\nsynonyms: {en: [[a, b]]}\nreleased: 2026-09-01\n"
	e.open(schema, text)
	key := func(part string) string {
		return string(e.ask("textDocument/hover", object{"textDocument": object{"uri": schema}, "position": place(t, text, part)}))
	}
	for _, part := range []string{"removed:", "replaced_by:", "since:", "notes:", "synonyms:", "released:"} {
		assert.Contains(t, key(part), "contents", part)
	}
	assert.Contains(t, key("data.battery"), "data.battery", "a successor")
}
