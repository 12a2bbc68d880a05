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
	"github.com/datachain-go/datachain/pages/view/rest"
)

// A server shows documents as pages.
func ExampleRender() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	handler, err := httpapi.New(service, &httpapi.Options{Routes: []httpapi.Route{rest.Render()}})
	if err != nil {
		panic(err) // the routes are valid
	}
	w := httptest.NewRecorder()
	document, _ := documents.Find("benefits.json")
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v2/schemas/ai@latest/render?locale=fr", strings.NewReader(string(document.Text))))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output:
	// 200 text/html; charset=utf-8
}
