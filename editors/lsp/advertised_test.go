package lsp_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// advertised are requests for the capabilities of the server.
func advertised() map[string]object {
	at := at(position{0, 1})
	return map[string]object{
		"definitionProvider":     {"method": "textDocument/definition", "params": at},
		"hoverProvider":          {"method": "textDocument/hover", "params": at},
		"documentSymbolProvider": {"method": "textDocument/documentSymbol", "params": at},
		"inlayHintProvider":      {"method": "textDocument/inlayHint", "params": object{"textDocument": at["textDocument"], "range": wholeText}},
		"completionProvider":     {"method": "textDocument/completion", "params": at},
		"codeLensProvider":       {"method": "textDocument/codeLens", "params": at},
		"executeCommandProvider": {"method": "workspace/executeCommand", "params": object{"command": "datachain.preview", "arguments": []string{chain}}},
		"codeActionProvider":     {"method": "textDocument/codeAction", "params": object{"textDocument": at["textDocument"], "range": wholeText, "context": object{}}},
	}
}

// TestAdvertised asks for everything that the server advertises, in documents of all
// kinds: every capability answers.
func TestAdvertised(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	var result struct {
		Capabilities map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(e.initialize(object{"capabilities": full}), &result))
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
		m := e.answer(e.request("textDocument/hover", object{"textDocument": object{"uri": "file:///closed"}, "position": position{}}))
		assert.Equal(t, -32602, m.Error.Code)
	}
}

// TestHalfTyped cuts a document at every byte, as if it were typed: everything
// answers, and nothing crashes.
func TestHalfTyped(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
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

// TestLateChanges asks about a document whose changes arrived out of order, as Helix sends
// them: the text with the highest version is the current one.
func TestLateChanges(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, "{}")
	pinned := func(typ string) string {
		return strings.Replace(valid, "sensor@2026-11-15-stable", typ+"@2020-01-01-stable", 1)
	}
	is := func(typ string) {
		t.Helper()
		shown := string(e.ask("workspace/executeCommand", object{"command": "datachain.preview", "arguments": []string{chain}}))
		assert.Contains(t, shown, "no schema version "+typ+"@2020-01-01-stable")
	}
	e.change(chain, 22, pinned("aa"))
	e.change(chain, 20, pinned("bb"))
	e.change(chain, 21, strings.Repeat(" ", maxMessage)) // is too large to be read
	is("aa")
	e.change(chain, 22, pinned("cc")) // a version again is not late
	is("cc")
	e.notify("textDocument/didChange", object{ // older clients leave out the version
		"textDocument": object{"uri": chain, "version": nil}, "contentChanges": []object{{"text": pinned("dd")}},
	})
	is("dd")
	e.open(chain, pinned("ee")) // opening starts again
	is("ee")
}
