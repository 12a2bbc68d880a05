package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
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
