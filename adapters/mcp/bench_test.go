package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCall measures calls of our tools beside one of the SDK that does
// nothing, behind the handler of the SDK alone.
func BenchmarkCall(b *testing.B) {
	empty := sdk.NewServer(&sdk.Implementation{Name: "empty"}, nil)
	empty.AddTool(&sdk.Tool{Name: "empty", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(`{"ok":true}`), Content: []sdk.Content{&sdk.TextContent{Text: `{"ok":true}`}}}, nil
	})
	bare := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return empty }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	o, _ := quiet(nil)
	ours := newServer(b, sampleService(b), o).Handler()
	for _, c := range []struct {
		name    string
		handler http.Handler
		body    string
	}{
		{"empty tool of the SDK", bare, call("empty", `{}`)},
		{"list_schema_versions", ours, call("list_schema_versions", `{}`)},
		{"get_element", ours, call("get_element", `{"version":"ai@latest","element_id":"decision.advised"}`)},
		{"list_elements", ours, call("list_elements", `{"version":"ai@latest","query":"a person decides","locales":["en"]}`)},
		{"page of elements", ours, call("list_elements", `{"version":"ai@latest","limit":50}`)},
		{"validate_datachain", ours, call("validate_datachain", with("ai@latest", string(document(b, "benefits.json"))))},
		{"render_datachain", ours, call("render_datachain", with("ai@latest", string(document(b, "benefits.json"))))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader([]byte(c.body)))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				c.handler.ServeHTTP(w, req)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
