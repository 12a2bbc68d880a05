package lsp_test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/lsp"
)

// advertised are requests for the capabilities of the server.
func advertised() map[string]object {
	at := at(position{0, 1})
	return map[string]object{
		"definitionProvider":         {"method": "textDocument/definition", "params": at},
		"hoverProvider":              {"method": "textDocument/hover", "params": at},
		"documentSymbolProvider":     {"method": "textDocument/documentSymbol", "params": at},
		"inlayHintProvider":          {"method": "textDocument/inlayHint", "params": object{"textDocument": at["textDocument"], "range": wholeText}},
		"documentFormattingProvider": {"method": "textDocument/formatting", "params": object{"textDocument": at["textDocument"], "options": object{"tabSize": 2, "insertSpaces": true}}},
		"completionProvider":         {"method": "textDocument/completion", "params": at},
		"codeLensProvider":           {"method": "textDocument/codeLens", "params": at},
		"executeCommandProvider":     {"method": "workspace/executeCommand", "params": object{"command": "datachain.preview", "arguments": []string{chain}}},
		"diagnosticProvider":         {"method": "textDocument/diagnostic", "params": object{"textDocument": at["textDocument"], "previousResultId": "x"}},
		"codeActionProvider":         {"method": "textDocument/codeAction", "params": object{"textDocument": at["textDocument"], "range": wholeText, "context": object{}}},
	}
}

// fullPulling are the capabilities of a client that can do everything, and asks for
// diagnostics.
func fullPulling() object {
	capabilities := maps.Clone(full)
	documents := maps.Clone(full["textDocument"].(object))
	documents["diagnostic"] = object{"relatedInformation": true}
	capabilities["textDocument"] = documents
	return capabilities
}

// TestAdvertised asks for everything that the server advertises, in documents of all
// kinds: every capability answers.
func TestAdvertised(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	var result struct {
		Capabilities map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(e.initialize(object{"capabilities": fullPulling()}), &result))
	delete(result.Capabilities, "positionEncoding")
	assert.JSONEq(t, `{"datachain": {"origin": "a test"}}`, string(result.Capabilities["experimental"]))
	delete(result.Capabilities, "experimental")
	delete(result.Capabilities, "textDocumentSync")
	delete(result.Capabilities, "workspace") // TestFolders
	requests := advertised()
	require.Len(t, requests, len(result.Capabilities))
	unpublished := strings.Replace(valid, "sensor@2026-11-15-stable", "unheard@2026-11-15-stable", 1)
	for i, text := range []string{valid, unpublished, "", "{", "[]", "7", `{"elements": {"element_id": 7}}`, `{"elements": [[[[{}]]], 7, {"element_id": {}, "variables": 7}], "schema_version": []}`} {
		e.open(chain, text)
		for name := range result.Capabilities {
			r, known := requests[name]
			require.True(t, known, "%s is advertised, but not tested", name)
			m := e.answer(e.request(r["method"].(string), r["params"]))
			assert.Nil(t, m.Error, "%s of text %d: %v\n%s", name, i, m.Error, e.logs[len(e.logs)-1])
		}
		assert.Contains(t, string(e.ask("workspace/diagnostic", object{"previousResultIds": []object{}})), chain)
		m := e.answer(e.request("textDocument/hover", object{"textDocument": object{"uri": "file:///closed"}, "position": position{}}))
		assert.Equal(t, -32602, m.Error.Code)
	}
}

// TestHalfTyped cuts a document at every byte, as if it were typed: everything
// answers, and nothing crashes.
func TestHalfTyped(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), fullPulling())
	requests := advertised()
	e.open(chain, "")
	before, _, found := strings.Cut(valid, "    {\n      \"element_id\": \"responsible")
	require.True(t, found)
	typed := strings.Join(strings.Fields(before), " ")
	for i := range len(typed) {
		e.change(chain, i+2, typed[:i])
		for _, r := range requests {
			params := object{}
			maps.Copy(params, r["params"].(object))
			if _, ok := params["position"]; ok {
				params["position"] = pointAt(typed, i)
			}
			m := e.answer(e.request(r["method"].(string), params))
			require.Nil(t, m.Error, "%s at %d: %v", r["method"], i, m.Error)
		}
	}
	require.Len(t, e.logs, 1, e.logs)
}

func TestFormatting(t *testing.T) {
	own := connect(t, lsp.New(opened(samples(t)), nil))
	answer := own.initialize(object{"capabilities": full, "initializationOptions": object{"formatting": false}})
	assert.NotContains(t, string(answer), "documentFormattingProvider")

	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, "")
	version := 1
	format := func(text string, options object) string {
		version++
		e.change(chain, version, text)
		var edits []textEdit
		e.into(&edits, "textDocument/formatting", object{"textDocument": object{"uri": chain}, "options": options})
		return apply(text, edits)
	}
	two := object{"tabSize": 2, "insertSpaces": true}
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name, text, want string
		options          object
	}{
		{"formatted already", valid, valid, two},
		{"spaces between tokens", `{ "b":1 ,"a" : [ 1,2 ] ,"c":{ } }`, "{\"b\": 1, \"a\": [1, 2], \"c\": {}}\n", two},
		{"what is on several lines stays there", "{\"b\": 1,\n \"a\": [1,\n2], \"c\": [1,2]}", "{\n  \"b\": 1,\n  \"a\": [\n    1,\n    2\n  ],\n  \"c\": [1, 2]\n}\n", two},
		{"what is too long is broken", `["` + long + `", [1]]`, "[\n\t\"" + long + "\",\n\t[1]\n]\n", object{"tabSize": 4, "insertSpaces": false}},
		{"placements", `{"elements": [{"element_id": "a", "variables": [{"id": "v", "value": ["o"]}]}, {"element_id": "b"}, 7]}`, "{\n  \"elements\": [\n    {\n      \"element_id\": \"a\",\n      \"variables\": [{\"id\": \"v\", \"value\": [\"o\"]}]\n    },\n    {\"element_id\": \"b\"},\n    7\n  ]\n}\n", two},
		{"placements without lists", `{"elements":[{"element_id":"a","variables":[],"priority":1}]}`, "{\"elements\": [{\"element_id\": \"a\", \"variables\": [], \"priority\": 1}]}\n", two},
		{"elements elsewhere", `{"x": {"elements":[{"a": 1, "b": 2}]}}`, "{\"x\": {\"elements\": [{\"a\": 1, \"b\": 2}]}}\n", two},
		{"strings stay as they are", `{"a":"\" : , {\\", "b":"\\"}`, `{"a": "\" : , {\\", "b": "\\"}` + "\n", two},
		{"not JSON", `{"a":}`, `{"a":}`, two},
		{"nothing", ``, ``, two},
		{"a number", ` 7`, "7\n", two},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := format(c.text, c.options)
			assert.Equal(t, c.want, got)
			assert.Equal(t, got, format(got, c.options), "formatting again changes nothing")
		})
	}
	files, err := os.ReadDir("../../examples/documents")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") || strings.Contains(f.Name(), "resolved") {
			continue
		}
		text, err := os.ReadFile("../../examples/documents/" + f.Name())
		require.NoError(t, err)
		if isASCII(string(text)) {
			got := format(string(text), two)
			assert.JSONEq(t, string(text), got, f.Name())
			assert.Equal(t, got, format(got, two), f.Name())
		}
	}
}

// TestLateChanges formats a document whose changes arrived out of order, as Helix sends
// them: the text with the highest version is the current one.
func TestLateChanges(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, "{}")
	formatted := func(text string) string {
		var edits []textEdit
		e.into(&edits, "textDocument/formatting", object{"textDocument": object{"uri": chain}, "options": object{"tabSize": 2, "insertSpaces": true}})
		return apply(text, edits)
	}
	e.change(chain, 22, `{"a":1,"bcd":[2,3]}`)
	e.change(chain, 20, `{"a":1}`)
	e.change(chain, 21, strings.Repeat(" ", maxMessage))                               // is too large to be read
	assert.Equal(t, "{\"a\": 1, \"bcd\": [2, 3]}\n", formatted(`{"a":1,"bcd":[2,3]}`)) //nolint:testifylint // the white space counts
	e.change(chain, 22, `{"e":4}`)                                                     // a version again is not late
	assert.Equal(t, "{\"e\": 4}\n", formatted(`{"e":4}`))
	e.notify("textDocument/didChange", object{ // older clients leave out the version
		"textDocument": object{"uri": chain, "version": nil}, "contentChanges": []object{{"text": `{"f":5}`}},
	})
	assert.Equal(t, "{\"f\": 5}\n", formatted(`{"f":5}`))
	e.open(chain, `{"g":6}`) // opening starts again
	assert.Equal(t, "{\"g\": 6}\n", formatted(`{"g":6}`))
}
