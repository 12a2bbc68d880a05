package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/rest"
)

// A server lists the documents of a directory.
func ExampleRoutes() {
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
	handler, err := httpapi.New(service, &httpapi.Options{Routes: rest.Routes(documents)})
	if err != nil {
		panic(err) // the routes are valid
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/documents/mill-street-crossing/history", http.NoBody))
	fmt.Println(w.Code, w.Header().Get("Cache-Control"))
	// Output:
	// 200 public, max-age=60
}
