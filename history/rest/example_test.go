package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/rest"
)

// A server moves documents between versions.
func ExampleRoutes() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	handler, err := httpapi.New(service, &httpapi.Options{Routes: rest.Routes()})
	if err != nil {
		panic(err) // the routes are valid
	}
	w := httptest.NewRecorder()
	document, _ := documents.Find("library-chat.json")
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v2/schemas/ai@2026-09-01-stable/upgrade?older=true&drop=true", strings.NewReader(string(document.Text))))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), "Dropped the placement of risk.footprint"))
	// Output:
	// 200 true
}
