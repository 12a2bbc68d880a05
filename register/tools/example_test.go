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
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/tools"
)

// A model finds published documents, and a host lists them as resources.
func ExampleNew() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	origin, err := register.OpenDirectory("../../examples/documents", nil)
	if err != nil {
		panic(err) // the directory is there
	}
	documents, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	if err != nil {
		panic(err) // the directory can be read
	}
	defer func() { _ = documents.Close() }() // it was only read
	server, err := mcp.New(service, &mcp.Options{Tools: tools.New(documents, "https://example.org"), Resources: tools.Resources(documents)})
	if err != nil {
		panic(err) // the tools are valid
	}
	body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_documents", "arguments": {"query": "traffic lights", "locales": ["en"], "limit": 1}}}`
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	var answer struct {
		Result struct {
			StructuredContent struct {
				Data struct{ Documents []struct{ Slug string } }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		panic(err) // the server answers with JSON
	}
	data := answer.Result.StructuredContent.Data
	fmt.Println(data.Documents[0].Slug)
	// Output:
	// mill-street-crossing
}
