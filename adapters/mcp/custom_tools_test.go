package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// TestOwnTools shows that tools of a program have the list, session, limits, time and envelope of
// those of the server.
func TestOwnTools(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	answer := func(data any, err error) func(context.Context, *mcp.ToolCall) (any, error) {
		return func(context.Context, *mcp.ToolCall) (any, error) { return data, err }
	}
	server, err := mcp.New(service, &mcp.Options{MaxAnswer: 1 << 10, Timeout: 50 * time.Millisecond, Tools: []mcp.Tool{
		{Name: "echo", Description: "Echoes.", Call: func(_ context.Context, c *mcp.ToolCall) (any, error) {
			return map[string]any{"arguments": c.Arguments, "session": c.Session}, nil
		}},
		{Name: "open", ReadOnly: true, Call: func(ctx context.Context, _ *mcp.ToolCall) (any, error) {
			_, err := service.Open(ctx, "ai@nowhere")
			return nil, err
		}},
		{Name: "slow", Work: true, Call: func(ctx context.Context, _ *mcp.ToolCall) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		{Name: "broken", Call: answer(nil, errors.New("the disk is broken"))},
		{Name: "list", Call: answer([]int{1}, nil)},
		{Name: "large", Call: answer(map[string]string{"text": strings.Repeat("x", 2<<10)}, nil)},
	}})
	require.NoError(t, err)
	send := func(method, params string) string {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
		r.Header.Set("Mcp-Session-Id", "mine")
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w.Body.String()
	}
	list := send("tools/list", "{}")
	assert.Contains(t, list, `{"annotations":{"title":"echo"},"description":"Echoes.","inputSchema":{"type":"object","properties":{},"required":[]},"name":"echo"`)
	assert.Contains(t, list, `"name":"validate_datachain"`)
	for call, want := range map[string]string{
		`{"name":"echo","arguments":{"version":"ai@nowhere","b":[1]}}`: `"structuredContent":{"ok":true,"data":{"arguments":{"version":"ai@nowhere","b":[1]},"session":"mine"},"meta":{}}}`,
		`{"name":"echo"}`: `"data":{"arguments":{},"session":"mine"}`,
		`{"name":"echo","arguments":{"a":1,"a":2}}`: `invalid_arguments`,
		`{"name":"echo","arguments":[]}`:            `The arguments must be an object.`,
		`{"name":"open"}`:                           `"code":"unknown_version"`,
		`{"name":"broken"}`:                         `"code":"internal_error"`,
		`{"name":"list"}`:                           `"code":"internal_error"`,
		`{"name":"large"}`:                          `"code":"payload_too_large"`,
		`{"name":"slow"}`:                           `"code":"timeout"`,
	} {
		got := send("tools/call", call)
		assert.Contains(t, got, want, call)
		assert.NotContains(t, got, "disk")
	}
	callable, _ := mcp.Operations(mcp.Tool{Name: "find", InputSchema: json.RawMessage(`{"type":"object","required":["b"],"properties":{"b":{"description":"A street."},"a":{}}}`)}, mcp.Tool{Name: "open"})
	assert.Equal(t, []manual.Operation{
		{Name: "find", Title: "find", Arguments: []manual.Argument{{Name: "b", Description: "A street.", Required: true}, {Name: "a"}}},
		{Name: "open", Title: "open"},
	}, callable[len(callable)-2:])
	call := answer(struct{}{}, nil)
	for name, c := range map[string]struct {
		tools []mcp.Tool
		want  string
	}{
		"name of ours":      {[]mcp.Tool{{Name: "validate_datachain", Call: call}}, "there is a tool validate_datachain already"},
		"name of documents": {[]mcp.Tool{{Name: "list_documents", Call: call}}, "there is a tool list_documents already"},
		"twice":             {[]mcp.Tool{{Name: "x", Call: call}, {Name: "x", Call: call}}, "there is a tool x already"},
		"no name":           {[]mcp.Tool{{Call: call}}, "must have a name"},
		"no call":           {[]mcp.Tool{{Name: "x"}}, "has no Call"},
		"schema":            {[]mcp.Tool{{Name: "x", Call: call, InputSchema: json.RawMessage(`[]`)}}, "must be a JSON object"},
	} {
		_, err := mcp.New(service, &mcp.Options{Tools: c.tools})
		require.ErrorContains(t, err, c.want, name)
	}
}
