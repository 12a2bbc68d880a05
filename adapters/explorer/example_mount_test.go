package explorer_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
)

// A program serves REST, MCP and pages below a path of its own, to those who are signed in. Pages
// have rate limits of their own: see [httpapi.Mount].
func Example_mounting() {
	const base = "/tools/datachain"
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	tools, err := mcp.New(service, &mcp.Options{BaseURL: base, Private: true})
	if err != nil {
		panic(err)
	}
	callable, prompts := mcp.Operations()
	description, err := httpapi.OpenAPI(base)
	if err != nil {
		panic(err)
	}
	pages, err := explorer.New(service, &explorer.Options{
		BaseURL: base, MCP: "/mcp", OpenAPI: description, Tools: callable, Prompts: prompts, Private: true,
	})
	if err != nil {
		panic(err)
	}
	handler, err := httpapi.New(service, &httpapi.Options{BaseURL: base, Private: true, Mounts: []httpapi.Mount{
		{Path: "/mcp", Handler: tools.Handler(), Refuse: tools.Refuse},
		{Path: "/", Handler: pages, Bucket: pages.Bucket, Refuse: pages.Refuse},
	}})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc(base+"/", func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "secret" { // a program has better
			w.Header().Set("WWW-Authenticate", "Basic")
			http.Error(w, "Sign in first.", http.StatusUnauthorized)
			return
		}
		http.StripPrefix(base, handler).ServeHTTP(w, r)
	})

	for _, request := range []*http.Request{
		httptest.NewRequest(http.MethodGet, base+"/api/v2/schemas", http.NoBody),
		httptest.NewRequest(http.MethodPost, base+"/mcp", strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}`)),
		httptest.NewRequest(http.MethodGet, base+"/t/ai@latest", http.NoBody),
	} {
		anonymous, signedIn := httptest.NewRecorder(), httptest.NewRecorder()
		mux.ServeHTTP(anonymous, request)
		request.SetBasicAuth("me", "secret")
		mux.ServeHTTP(signedIn, request)
		fmt.Println(request.URL.Path, anonymous.Code, signedIn.Code)
	}
	// Output:
	// /tools/datachain/api/v2/schemas 401 200
	// /tools/datachain/mcp 401 200
	// /tools/datachain/t/ai@latest 401 200
}
