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
	"github.com/datachain-go/datachain/history/tools"
)

// A model moves a datachain to the newest version of its taxonomy.
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
	body := `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "upgrade_datachain", "arguments": {
		"to": "sensor@latest", "datachain": {"schema_version": "sensor@2026-06-15-stable", "title": [], "elements": []}}}}`
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	var answer struct {
		Result struct {
			StructuredContent struct {
				Data struct{ Report struct{ From, To string } }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		panic(err) // the server answers with JSON
	}
	data := answer.Result.StructuredContent.Data
	fmt.Println(data.Report.From, "to", data.Report.To)
	// Output:
	// sensor@2026-06-15-stable to sensor@2026-11-15-stable
}
