package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
)

// The API is one handler of a program among others.
func ExampleNew() {
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	handler, err := httpapi.New(service, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	mux := http.NewServeMux()
	mux.Handle("/api/v2/", handler)
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
	// 200 {"ok":true,"version":"ai@2026-11-15-stable","element":{"id":"purpose.triage","title":[{"locale":"fr","value":"Tri médical"}]}}
}

func ExampleOpenAPI() {
	text, err := httpapi.OpenAPI("https://datachain.example")
	if err != nil {
		panic(err) // the base URL is valid
	}
	var description struct {
		Servers []struct{ URL string }
	}
	if err := json.Unmarshal(text, &description); err != nil {
		panic(err)
	}
	fmt.Println(description.Servers[0].URL)
	// Output: https://datachain.example
}
