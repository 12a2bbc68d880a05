package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDuplicateKeys shows that a key that occurs twice is refused wherever it is in
// a message, since a proxy might have read the other value.
func TestDuplicateKeys(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`:                                                                           `"id":1,"error":{"code":-32600,"message":"The key \"method\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`:                                                                                          `"id":null,"error":{"code":-32600,"message":"The key \"id\" occurs twice`,
		`{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}`:                                                                                 `"The key \"jsonrpc\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"x":2}`:                                                                                     `"The key \"x\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","\u0069d":1}`:                                                                                     `"The key \"id\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{},"params":null}`:                                                                 `"The key \"params\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[],"params":{}}`:                                                                   `"The key \"params\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","name":"list_schema_versions"}}`:                              `"The key \"name\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions","arguments":{},"arguments":{}}}`:                    `"The key \"arguments\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":1,"a":2}}}`:                                                          `"A key occurs twice in the value of \"_meta\"`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"b":[{"a":1,"a":2}]}}}`:                                                  `"A key occurs twice in the value of \"_meta\"`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"describe_system","arguments":{"type":"kiosk","type":"x"}}}`:              `"A key occurs twice in the value of \"arguments\"`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping","method":"ping"}]`:                                      `"id":1,"result":{}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"a","version":"kiosk@latest"}}}`:       `The argument version occurs twice.`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"kiosk@latest","x":{"a":1,"a":2}}}}`:   `A key occurs twice in the argument x.`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"kiosk@latest","x":[{"a":1,"a":2}]}}}`: `A key occurs twice in the argument x.`,
	} {
		answer := h.post(message)
		assert.Contains(t, answer.body, want, message)
	}
	require.Contains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1},"c":{"b":1}},"b":2}`).body, `"result":{}`, "the same key in different objects")
}
