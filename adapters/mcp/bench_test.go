package mcp_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkCall measures calls of tools. Compare it with an empty tool of the SDK, in tools/mcp-sdk.
func BenchmarkCall(b *testing.B) {
	o, _ := quiet(nil)
	handler := newServer(b, sampleService(b), o).Handler()
	for _, c := range []struct {
		name, body string
	}{
		{"list_schema_versions", call("list_schema_versions", `{}`)},
		{"get_element", call("get_element", `{"version":"ai@latest","element_id":"decision.advised"}`)},
		{"list_elements", call("list_elements", `{"version":"ai@latest","query":"a person decides","locales":["en"]}`)},
		{"page of elements", call("list_elements", `{"version":"ai@latest","limit":50}`)},
		{"validate_datachain", call("validate_datachain", with("ai@latest", string(document(b, "benefits.json"))))},
		{"render_datachain", call("render_datachain", with("ai@latest", string(document(b, "benefits.json"))))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader([]byte(c.body)))
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, req)
				if w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
