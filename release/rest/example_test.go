package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/release/rest"
)

// A server lists what its taxonomies are mapped to.
func ExampleMappings() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	handler, err := httpapi.New(service, &httpapi.Options{Routes: []httpapi.Route{rest.Mappings(), rest.InstanceSchema()}})
	if err != nil {
		panic(err) // the routes are valid
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/schemas/ai@latest/mappings?scheme=gdpr&id=Art.%2022(3)&locales=en", http.NoBody))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), `"element_id":"rights.person"`))
	// Output:
	// 200 true
}
