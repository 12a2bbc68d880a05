package tools_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/release/tools"
)

// A model asks what a taxonomy says about a law.
func ExampleNew() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	server, err := mcp.New(service, &mcp.Options{Tools: tools.New()})
	if err != nil {
		panic(err) // the tools are valid
	}
	body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_mappings", "arguments": {"version": "sensor@latest", "scheme": "gdpr", "locales": ["en"]}}}`
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	var answer struct {
		Result struct {
			StructuredContent struct {
				Data struct{ Mappings []map[string]any }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		panic(err) // the server answers with JSON
	}
	data := answer.Result.StructuredContent.Data
	first := data.Mappings[0]
	fmt.Println(first["id"], first["relation"])
	// Output:
	// Art. 4(5) related
}
