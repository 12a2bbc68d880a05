package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A call needs no handshake: one POST, one answer.
func Example() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	server, err := mcp.New(service, nil)
	if err != nil {
		panic(err)
	}
	handler := server.Handler()

	body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
		"name": "list_elements",
		"arguments": {"version": "ai@latest", "query": "a person decides", "locales": ["en"], "limit": 1}}}`
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))

	var answer struct {
		Result struct {
			StructuredContent struct {
				OK   bool
				Data struct{ Elements []struct{ ID string } }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		panic(err)
	}
	fmt.Println(answer.Result.StructuredContent.OK, answer.Result.StructuredContent.Data.Elements[0].ID)
	// Output: true decision.advised
}

// A program adds a tool of its own. It is listed and called as those of the server.
func ExampleOptions_tools() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	server, err := mcp.New(service, &mcp.Options{Tools: []mcp.Tool{{
		Name: "find_office", Title: "Find an office", ReadOnly: true,
		Description: "Returns the office that answers for a street.",
		InputSchema: json.RawMessage(`{"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}`),
		Call: func(_ context.Context, c *mcp.ToolCall) (any, error) {
			var arguments struct{ Street string }
			if err := json.Unmarshal(c.Arguments, &arguments); err != nil || arguments.Street == "" {
				return nil, &datachain.Error{Issue: issue.Issue{Code: "invalid_arguments", Message: "The street is missing.", FixHint: "add street"}}
			}
			return map[string]string{"office": "Roads, room 12"}, nil
		},
	}}})
	if err != nil {
		panic(err)
	}
	for _, arguments := range []string{`{"street": "Mill Street"}`, `{}`} {
		body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find_office", "arguments": ` + arguments + `}}`
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
		var answer struct {
			Result struct{ StructuredContent json.RawMessage }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			panic(err)
		}
		fmt.Println(string(answer.Result.StructuredContent))
	}
	// Output:
	// {"ok":true,"data":{"office":"Roads, room 12"},"meta":{}}
	// {"ok":false,"errors":[{"code":"invalid_arguments","message":"The street is missing.","fix_hint":"add street"}],"meta":{}}
}
