package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A call needs no handshake: one POST, one answer.
func Example() {
	store, err := published.Store()
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
	store, err := published.Store()
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
		Takes:       []mcp.Argument{{Name: "street", Kind: mcp.Text("the name of a street", 1), Required: true, Example: `"Mill Street"`, Description: "The street."}},
		Returns:     "office: its name and room.",
		Call: func(_ context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
			if c.Text("street") != "Mill Street" {
				return nil, &datachain.Error{Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no such street.", FixHint: "ask the user for the street"}}
			}
			return &mcp.Answer{Data: map[string]string{"office": "Roads, room 12"}}, nil
		},
	}}})
	if err != nil {
		panic(err)
	}
	for _, arguments := range []string{`{"street": "Mill Street"}`, `{"street": 7}`, `{"street": "Mill"}`} {
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
	// {"ok":false,"errors":[{"code":"invalid_arguments","message":"The argument street must be the name of a street, but is 7.","path":"street","fix_hint":"use the name of a street, such as \"Mill Street\""}],"meta":{}}
	// {"ok":false,"errors":[{"code":"not_found","message":"There is no such street.","fix_hint":"ask the user for the street"}],"meta":{}}
}

// A host starts a program and talks to it on its standard input and output.
func ExampleServer_ServeStdio() {
	store, err := published.Store()
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
	in := strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}` + "\n") // or os.Stdin
	if err := server.ServeStdio(context.Background(), in, os.Stdout); err != nil {
		panic(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
}
