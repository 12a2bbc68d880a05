package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Requests for what does not exist, or in the wrong form, get a JSON-RPC error with
// a sentence and our envelope.
func TestFailures(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for _, c := range []struct {
		method, params string
		code           int
		issue, want    string
	}{
		{"tools/call", `{"name":"validate_datachan"}`, -32602, "not_found", "use validate_datachain; the tools are list_schema_versions, "},
		{"tools/call", `{"name":"no"}`, -32602, "not_found", "the tools are list_schema_versions, "},
		{"tools/call", `{"name":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"tools/call", `{"Name":"list_schema_versions"}`, -32602, "invalid_arguments", "The param name of tools/call is missing"},
		{"tools/call", `{"name":"list_schema_versions","_meta":true}`, -32602, "invalid_arguments", "must be an object, but is a boolean"},
		{"resources/read", `{"uri":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"resources/read", `{"uri":"ui://other"}`, -32602, "not_found", "ui://service/datachain/view.html"},
		{"resources/subscribe", `{"uri":"ui://service/datachain/view.html"}`, -32601, "not_found", "is not available"},
		{"prompts/get", `{"name":"describe_sytem"}`, -32602, "not_found", "use describe_system; the prompts are"},
		{"prompts/get", `{"name":[]}`, -32602, "invalid_arguments", "must be a string, but is an array"},
		{"prompts/get", `{"name":"describe_system"}`, -32602, "invalid_arguments", "The argument type of describe_system is missing"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":"kiosk","description":"x","y":""}}`, -32602, "invalid_arguments", "takes type, description and language"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":"kiosks","description":"x"}}`, -32602, "not_found", "kiosk@latest"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":3}}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"prompts/get", `{"name":"review_datachain","arguments":{"version":"kiosk@latest","datachain":{"id":"SECRET"}}}`, -32602, "invalid_arguments", "a string that holds the JSON"},
		{"prompts/get", `{"name":"describe_system","arguments":[]}`, -32602, "invalid_arguments", "must be an object, but is an array"},
		{"completion/complete", `{"ref":3,"argument":{}}`, -32602, "invalid_arguments", "must be an object"},
		{"completion/complete", `{"ref":{"type":"SECRET"},"argument":{"name":"type","value":""}}`, -32602, "invalid_arguments", "completion/complete"},
		{"initialize", `{"protocolVersion":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"initialize", `{"protocolVersion":"2025-06-18","capabilities":{"roots":"SECRET"}}`, -32602, "invalid_arguments", "initialize"},
		{"subscriptions/listen", `{"notifications":"SECRET"}`, -32602, "invalid_arguments", "subscriptions/listen"},
		{"tools/list", `{"cursor":"no"}`, -32602, "bad_request", "omit the cursor"},
		{"tools/list", `{"cursor":{}}`, -32602, "invalid_arguments", "must be a string, but is an object"},
		{"tools/lists", `{}`, -32601, "not_found", "use tools/list"},
		{"no/such", `{}`, -32601, "not_found", "use tools/list, tools/call"},
	} {
		t.Run(c.method+c.params, func(t *testing.T) {
			got := (&host{t, h.url, h.log}).post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, c.method, c.params)).body
			var answer struct {
				Error struct {
					Code    int
					Message string
					Data    struct {
						OK     *bool
						Errors []struct {
							Code, Message string
							Hint          string `json:"fix_hint"`
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(got), &answer), got)
			e := answer.Error
			assert.Equal(t, c.code, e.Code, got)
			require.Len(t, e.Data.Errors, 1, got)
			require.NotNil(t, e.Data.OK)
			assert.False(t, *e.Data.OK)
			issue := e.Data.Errors[0]
			assert.Equal(t, c.issue, issue.Code, got)
			assert.Regexp(t, `^[A-Z].*\.$`, e.Message)
			assert.True(t, strings.HasPrefix(e.Message, issue.Message), got)
			assert.NotEmpty(t, issue.Hint)
			assert.Contains(t, issue.Message+" "+issue.Hint, c.want)
			assert.NotRegexp(t, "SECRET|unmarshal|json:|struct|mcp\\.", got)
		})
	}
}

// Data that the protocol requires is there beside the envelope.
func TestFailureData(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	got := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://other"}}`).body
	assert.Contains(t, got, `"data":{"ok":false,"errors":[{"code":"not_found"`)
	assert.Contains(t, got, `"uri":"ui://other"}`)
	// A method that a revision no longer has is unknown, whatever its params are.
	for _, method := range []string{"initialize", "logging/setLevel", "resources/subscribe"} {
		got := h.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method),
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
		assert.Equal(t, 404, got.status, got.body)
		assert.Contains(t, got.body, `"code":-32601`)
		assert.Contains(t, got.body, `"ok":false`)
	}
}
