package datachain_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/documents"
)

// A program serves REST, MCP and pages below a path of its own, to those who are signed in. Pages
// have rate limits of their own: see [httpapi.Mount].
func Example_mounting() {
	const base = "/tools/datachain"
	tools, err := mcp.New(newService(), &mcp.Options{BaseURL: base, Private: true})
	if err != nil {
		panic(err)
	}
	callable, prompts := mcp.Operations()
	pages, err := explorer.New(newService(), &explorer.Options{
		BaseURL: base, MCP: "/mcp", OpenAPI: httpapi.OpenAPI(base), Tools: callable, Prompts: prompts, Private: true,
	})
	if err != nil {
		panic(err)
	}
	handler, err := httpapi.New(newService(), &httpapi.Options{BaseURL: base, Private: true, Mounts: []httpapi.Mount{
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

// A presentation is a valid document with what is needed to show it. Packages view and sheet
// make pages of it; a program can also write its own.
func ExampleSchema_Present() {
	ctx := context.Background()
	document, _ := documents.Find("library-chat.json")
	schema, err := newService().OpenFor(ctx, document.Text)
	if err != nil {
		panic(err)
	}
	verdict, shown, err := schema.Present(ctx, document.Text)
	if err != nil || !verdict.OK() {
		panic(fmt.Sprint(verdict, err))
	}
	fmt.Println(shown.Datachain.Title.Pick("en"))
	for _, point := range shown.Summary(nil).Points[:2] {
		fmt.Println(point.Category.Name.Pick("en")+":", point.Entries[0].Element.Title.Pick("en"))
	}
	// Output:
	// The library’s chat assistant
	// What it is for: Answering your questions
	// Data it uses: What you tell the service
}
