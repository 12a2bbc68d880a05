package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/server"
)

// A program serves the API, MCP and pages below a path of its own, to those who are signed in.
func ExampleNew() {
	store, err := published.Store() // or fsstore.OpenDir("published", nil)
	if err != nil {
		panic(err)
	}
	signedIn := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer secret" { // a program has better
				http.Error(w, "Sign in first.", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	handler, err := server.New(store, &server.Options{Prefix: "/taxonomies", Authenticate: signedIn})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux() // for http.ListenAndServe
	mux.Handle("/taxonomies/", handler)

	for _, path := range []string{"/taxonomies/api/v2/schemas", "/taxonomies/mcp", "/taxonomies/t/ai@latest"} {
		anonymous, permitted := httptest.NewRecorder(), httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		mux.ServeHTTP(anonymous, r)
		r.Header.Set("Authorization", "Bearer secret")
		mux.ServeHTTP(permitted, r)
		fmt.Println(path, anonymous.Code, permitted.Code)
	}
	// Output:
	// /taxonomies/api/v2/schemas 401 200
	// /taxonomies/mcp 401 405
	// /taxonomies/t/ai@latest 401 200
}
