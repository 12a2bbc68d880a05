package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// The handler stands beside others of a program.
func ExampleNew() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	mux := http.NewServeMux()
	mux.Handle("/api/v2/", httpapi.New(datachain.New(store, nil), nil))
	server := httptest.NewServer(mux) // or http.ListenAndServe
	defer server.Close()

	res, err := http.Get(server.URL + "/api/v2/schemas/ai@latest/elements/purpose.triage?fields=title&locales=fr")
	if err != nil {
		panic(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, _ := io.ReadAll(res.Body)
	fmt.Println(res.StatusCode, string(body))
	// Output:
	// 200 {"ok":true,"version":"ai@2026-09-01-stable","element":{"id":"purpose.triage","title":[{"locale":"fr","value":"Tri médical"}]}}
}
