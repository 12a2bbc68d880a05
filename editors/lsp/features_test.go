package lsp_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full are the capabilities of a modern editor.
var full = object{
	"general":   object{"markdown": object{"parser": "marked"}},
	"window":    object{"showDocument": object{"support": true}},
	"workspace": object{"applyEdit": true, "workspaceEdit": object{"documentChanges": true, "resourceOperations": []string{"create"}}},
	"textDocument": object{
		"codeLens":           object{"dynamicRegistration": true},
		"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
		"documentSymbol":     object{"hierarchicalDocumentSymbolSupport": true},
		"codeAction":         object{"codeActionLiteralSupport": object{}},
		"completion":         object{"completionItem": object{"snippetSupport": true, "labelDetailsSupport": true, "documentationFormat": []string{"markdown"}}},
		"publishDiagnostics": object{"relatedInformation": true},
	},
}

// place returns the position just after the start of a part of an ASCII text.
func place(t testing.TB, text, part string) position {
	t.Helper()
	i := strings.Index(text, part)
	require.GreaterOrEqual(t, i, 0, part)
	return pointAt(text, i+1)
}

// pointAt returns the position of an offset in an ASCII text.
func pointAt(text string, offset int) position {
	before := text[:offset]
	return position{strings.Count(before, "\n"), offset - strings.LastIndexByte(before, '\n') - 1}
}

// offsetOf is the inverse of pointAt.
func offsetOf(text string, p position) int {
	offset := 0
	for range p.Line {
		offset += strings.IndexByte(text[offset:], '\n') + 1
	}
	return offset + p.Character
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// apply makes edits that do not overlap.
func apply(text string, edits []textEdit) string {
	slices.SortFunc(edits, func(a, b textEdit) int { return offsetOf(text, b.Range.Start) - offsetOf(text, a.Range.Start) })
	for _, e := range edits {
		text = text[:offsetOf(text, e.Range.Start)] + e.NewText + text[offsetOf(text, e.Range.End):]
	}
	return text
}

func (e *editor) into(target any, method string, params any) {
	e.t.Helper()
	require.NoError(e.t, json.Unmarshal(e.ask(method, params), target))
}

func at(p position) object {
	return object{"textDocument": object{"uri": chain}, "position": p}
}

func document() object { return object{"textDocument": object{"uri": chain}} }

// wholeText is a range that contains every text.
var wholeText = span{position{0, 0}, position{1 << 20, 0}}

func TestHover(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	e.initialize(object{"capabilities": full, "locale": "fr-CA"})
	text := edited(t, `"created_at": "2026-06-20T12:00:00Z",`, `"created_at": "2026-06-20T12:00:00Z", "extra": 1,
  "subchain_instances": [{"id": "a", "subchain_id": "collect"}],
  "authoring_provenance": {"kind": "human", "element_provenance": {"data.surroundings": {"variable_rationale": {"measured": "x"}}}},`)
	e.open(chain, text)
	for _, c := range []struct {
		at    string
		wants []string
	}{
		{"purpose.environment", []string{"![icon](data:image/svg+xml;base64,", "**Air, bruit et météo** `purpose.environment`", "Finalité", "Defined in sensor@2026-11-15-stable, from a test."}},
		{"always_on", []string{"**Toujours en marche**", "Quand il fonctionne"}},
		{`measured", "value`, []string{"**Ce qui est mesuré** `measured`", "list of options, required", "- `air_quality` qualité de l’air"}},
		{`air_quality", "weather`, []string{"**qualité de l’air** `air_quality`"}},
		{"sensor@2026-11-15-stable", []string{"`sensor@2026-11-15-stable`"}},
		{"collect", []string{"Ce qui se passe ici", "`purpose` Finalité"}},
		{`data.surroundings": {`, []string{"Mesures du milieu ambiant"}},
		{`measured": "x"`, []string{"Ce qui est mesuré"}},
		{`extra`, []string{"- `unknown_field` "}},
	} {
		t.Run(c.at, func(t *testing.T) {
			var h struct {
				Contents struct{ Kind, Value string }
				Range    span
			}
			p := place(t, text, c.at)
			e.into(&h, "textDocument/hover", at(p))
			assert.Equal(t, "markdown", h.Contents.Kind)
			for _, want := range c.wants {
				assert.Contains(t, h.Contents.Value, want)
			}
			assert.LessOrEqual(t, offsetOf(text, h.Range.Start), offsetOf(text, p))
			assert.GreaterOrEqual(t, offsetOf(text, h.Range.End), offsetOf(text, p))
		})
	}
	assert.JSONEq(t, "null", string(e.ask("textDocument/hover", at(place(t, text, `"elements"`)))))

	t.Run("plain text for simple clients", func(t *testing.T) {
		e := start(t, lsp.New(opened(samples(t)), nil), nil)
		e.open(chain, valid)
		answer := string(e.ask("textDocument/hover", at(place(t, valid, "purpose.environment"))))
		assert.Contains(t, answer, `"kind":"plaintext"`)
		assert.Contains(t, answer, "Air, noise and weather (purpose.environment)")
		assert.NotContains(t, answer, "base64")
	})
}

type codeAction struct {
	Title       string       `json:"title"`
	Kind        string       `json:"kind"`
	Diagnostics []diagnostic `json:"diagnostics"`
	Edit        struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version int
			}
			Edits []textEdit
		} `json:"documentChanges"`
		Changes map[string][]textEdit `json:"changes"`
	} `json:"edit"`
}

func (e *editor) actions(at span, only ...string) []codeAction {
	e.t.Helper()
	var list []codeAction
	e.into(&list, "textDocument/codeAction", object{"textDocument": object{"uri": chain}, "range": at, "context": object{"diagnostics": []any{}, "only": only}})
	return list
}

func TestCodeActions(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	text := strings.Replace(edited(t, "purpose.environment", "purpose.enviroment"), "always_on", "allways_on", 1)
	e.open(chain, text)
	require.Len(t, e.diagnostics(chain, 1), 2)

	at := place(t, text, "purpose.enviroment")
	list := e.actions(span{at, at}, "quickfix")
	require.Len(t, list, 1)
	assert.Equal(t, "Write purpose.environment", list[0].Title)
	assert.Equal(t, "INSTANCE_ELEMENT_UNKNOWN", list[0].Diagnostics[0].Code)
	change := list[0].Edit.DocumentChanges[0]
	assert.Equal(t, 1, change.TextDocument.Version)
	assert.Equal(t, strings.Replace(text, "purpose.enviroment", "purpose.environment", 1), apply(text, change.Edits))

	all := e.actions(wholeText, "source.fixAll")
	require.Len(t, all, 1)
	assert.Contains(t, all[0].Title, "2 findings")
	assert.JSONEq(t, valid, apply(text, all[0].Edit.DocumentChanges[0].Edits))
	assert.Empty(t, e.actions(wholeText, "refactor.extract"))

	t.Run("not JSON yet", func(t *testing.T) {
		e := start(t, lsp.New(opened(samples(t)), nil), full)
		typed := text[:len(text)-3]
		e.open(chain, typed)
		found := e.diagnostics(chain, 1)
		require.Len(t, found, 3)
		assert.Equal(t, "bad_request", found[0].Code)
		list := e.actions(wholeText)
		require.NotEmpty(t, list)
		assert.Equal(t, strings.Replace(typed, "enviroment", "environment", 1), apply(typed, list[0].Edit.DocumentChanges[0].Edits))
		for _, a := range list {
			assert.NotContains(t, a.Title, "Fix all")
		}
		e.change(chain, 2, strings.Replace(typed, `"purpose.enviroment"`, `,"purpose.enviroment"`, 1))
		for _, d := range e.diagnostics(chain, 2) {
			assert.NotEqual(t, "INSTANCE_ELEMENT_UNKNOWN", d.Code, "it can't be read")
		}
		at := place(t, typed, "purpose.enviroment")
		assert.Empty(t, e.actions(span{at, at}, "quickfix"))
	})
	t.Run("pin the latest version", func(t *testing.T) {
		old := edited(t, "sensor@2026-11-15-stable", "sensor@2026-01-01-stable")
		e.change(chain, 2, old)
		at := place(t, old, "sensor@")
		list := e.actions(span{at, at}, "refactor")
		require.Len(t, list, 1, "one name for one edit")
		assert.Equal(t, "Upgrade to sensor@2026-11-15-stable (read the whole document, since its old version is not available)", list[0].Title)
		assert.JSONEq(t, valid, apply(old, list[0].Edit.DocumentChanges[0].Edits))
		edits := make(map[string]string) // by what they make
		for _, action := range e.actions(span{at, at}) {
			after := apply(old, action.Edit.DocumentChanges[0].Edits)
			assert.NotContains(t, edits, after, "%s and %s", action.Title, edits[after])
			edits[after] = action.Title
		}
		assert.Equal(t, "Write sensor@2026-11-15-stable", edits[valid])
		elsewhere := place(t, old, "always_on")
		assert.Empty(t, e.actions(span{elsewhere, elsewhere}, "refactor"))
	})
	t.Run("upgrade with a gap", func(t *testing.T) {
		const old = `{"id": "x", "schema_version": "sensor@2026-06-15-stable", "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "data.imagess"}]}`
		e.change(chain, 3, old)
		at := place(t, old, "sensor@")
		list := e.actions(span{at, at}, "refactor")
		require.Len(t, list, 1)
		assert.Regexp(t, `^Upgrade to sensor@2026-11-15-stable \(\d places? left for you\)$`, list[0].Title)
	})
	t.Run("place what is required", func(t *testing.T) {
		const head = `{"id": "x", "schema_version": "sensor@2026-11-15-stable", "created_at": "2026-06-20T12:00:00Z", "elements": `
		for i, c := range []struct{ text, want, code string }{
			{
				edited(t, `    {"element_id": "purpose.environment"},`+"\n", ""),
				"    }" + ",\n    " + `{"element_id": "purpose.environment"}` + "\n  ]", "REQUIRED_CATEGORY_MISSING",
			},
			{head + `[{"element_id": "data.images"}]}`, `[{"element_id": "data.images"}, {"element_id": "purpose.environment"}]`, "REQUIRED_CATEGORY_MISSING"},
			{head + `[]}`, `[{"element_id": "purpose.environment"}]`, "parse_error"},
		} {
			e.change(chain, 10+i, c.text)
			at := place(t, c.text, `"elements"`)
			to := at
			to.Character += len(`"elements": [`)
			list := e.actions(span{at, to}, "quickfix")
			k := slices.IndexFunc(list, func(a codeAction) bool { return a.Title == "Place “Air, noise and weather” (Purpose)" })
			require.GreaterOrEqual(t, k, 0, list)
			assert.Contains(t, apply(c.text, list[k].Edit.DocumentChanges[0].Edits), c.want)
			assert.Equal(t, c.code, list[k].Diagnostics[0].Code)
		}
	})
	t.Run("no JSON, no fixes", func(t *testing.T) {
		e.change(chain, 20, text[:200])
		assert.Empty(t, e.actions(wholeText))
	})
	t.Run("the latest version is older", func(t *testing.T) {
		const pin = "sensor@2027-12-01-stable"
		newer := edited(t, "sensor@2026-11-15-stable", pin)
		e.change(chain, 21, newer)
		at := place(t, newer, "sensor@")
		assert.Empty(t, e.actions(span{at, at}, "refactor"))
		assert.NotContains(t, string(e.ask("textDocument/hover", object{"textDocument": object{"uri": chain}, "position": at})), "The latest version is")
	})
	t.Run("simple clients", func(t *testing.T) {
		e := connect(t, lsp.New(opened(samples(t)), nil))
		assert.NotContains(t, string(e.initialize(object{})), "codeActionProvider")
	})
}

// TestEveryFix applies the fix of every sample and case that has one: the edited text
// must be what the library makes.
func TestEveryFix(t *testing.T) {
	files, err := os.ReadDir("../../examples/documents/_invalid")
	require.NoError(t, err)
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	version, fixes := 1, 0
	e.open(chain, "{}")
	for _, f := range files {
		text, err := os.ReadFile("../../examples/documents/_invalid/" + f.Name())
		require.NoError(t, err)
		if !isASCII(string(text)) {
			continue // apply counts bytes
		}
		version++
		e.change(chain, version, string(text))
		for _, a := range e.actions(wholeText, "quickfix") {
			fixes++
			version++
			e.change(chain, version, apply(string(text), a.Edit.DocumentChanges[0].Edits))
			for _, d := range e.diagnostics(chain, version) {
				assert.NotEqual(t, a.Diagnostics[0].Data.Path+a.Diagnostics[0].Code, d.Data.Path+d.Code, "%s: %s", f.Name(), a.Title)
			}
		}
	}
	assert.Greater(t, fixes, 5)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 127 })
}

type symbol struct {
	Name, Detail          string
	Range, SelectionRange span
	Children              []symbol
	Location              location
	ContainerName         string
}

func TestSymbols(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, valid)
	var list []symbol
	e.into(&list, "textDocument/documentSymbol", document())
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"id", "title", "schema_version", "created_at", "elements"}, names)
	placements := list[4].Children
	require.Len(t, placements, 4)
	assert.Equal(t, "Air, noise and weather", placements[0].Name)
	assert.Equal(t, "purpose.environment", placements[0].Detail)
	assert.Equal(t, "Name of the organisation", placements[3].Children[0].Name)
	assert.Equal(t, "Town of Lindenau", placements[3].Children[0].Detail)
	var within func(outer span, list []symbol)
	within = func(outer span, list []symbol) {
		for _, s := range list {
			assert.True(t, contains(outer, s.Range) && contains(s.Range, s.SelectionRange), s.Name)
			within(s.Range, s.Children)
		}
	}
	within(wholeText, list)

	simple := start(t, lsp.New(opened(samples(t)), nil), nil)
	simple.open(chain, valid)
	var flat []symbol
	simple.into(&flat, "textDocument/documentSymbol", document())
	i := slices.IndexFunc(flat, func(s symbol) bool { return s.Name == "Air, noise and weather" })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, "elements", flat[i].ContainerName)
	assert.Equal(t, chain, flat[i].Location.URI)
}

func contains(outer, inner span) bool {
	before := func(a, b position) bool { return a.Line < b.Line || a.Line == b.Line && a.Character <= b.Character }
	return before(outer.Start, inner.Start) && before(inner.End, outer.End)
}

func TestHints(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, valid)
	var hints []struct {
		Position position
		Label    string
	}
	e.into(&hints, "textDocument/inlayHint", object{"textDocument": object{"uri": chain}, "range": wholeText})
	var labels []string
	for _, h := range hints {
		labels = append(labels, h.Label)
		assert.Equal(t, byte('"'), valid[offsetOf(valid, h.Position)-1])
	}
	assert.Equal(t, []string{
		"Air, noise and weather", "Air and weather station", "Always on", "Measurements of the surroundings", "Does not identify people",
		"What is measured", "air quality", "temperature and weather", "Organisation in charge", "Name of the organisation", "Contact for questions",
	}, labels)
	e.into(&hints, "textDocument/inlayHint", object{"textDocument": object{"uri": chain}, "range": span{position{6, 0}, position{7, 0}}})
	assert.Len(t, hints, 1)
}
