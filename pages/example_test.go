package pages_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
)

func ExampleNew() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	site, err := pages.New(service, nil)
	if err != nil {
		log.Fatal(err)
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/t/ai@latest?lang=fr", http.NoBody))
	fmt.Println(w.Code, w.Header().Get("Content-Language"), w.Header().Get("Link"))
	// Output:
	// 200 fr </api/v2/schemas/ai@2026-11-15-stable/release>; rel="alternate"; type="application/json"
}
