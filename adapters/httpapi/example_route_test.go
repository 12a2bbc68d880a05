package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A program adds a path to the API: how many elements a category of a version has.
func ExampleRoute() {
	count := httpapi.Route{
		Pattern: "/api/v2/schemas/{version}/categories/{category}/count",
		Read: func(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
			release, id := r.Schema.Release(), r.PathValue("category")
			if _, ok := release.Category(id); !ok {
				return nil, &datachain.Error{Issue: issue.Issue{
					Code: issue.CodeNotFound, Message: "There is no such category.", FixHint: "see " + r.URL("/api/v2/schemas/"+release.Version().String()+"/categories"),
				}}
			}
			return &httpapi.Resource{Make: func(context.Context) (*httpapi.Body, error) {
				return &httpapi.Body{Bytes: fmt.Appendf(nil, `{"ok":true,"count":%d}`, len(release.ElementsOf(id)))}, nil
			}}, nil
		},
		OpenAPI: []byte(`{"paths": {"/api/v2/schemas/{version}/categories/{category}/count": {
			"parameters": [
				{"$ref": "#/components/parameters/Version"},
				{"name": "category", "in": "path", "required": true, "schema": {"type": "string"}}
			],
			"get": {"summary": "Count the elements of a category", "responses": {
				"200": {"description": "The count.", "content": {"application/json": {"schema": {"type": "object"}}}}
			}}
		}}}`),
	}
	store, err := published.Store()
	if err != nil {
		panic(err) // the samples are in the program
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err) // the options are valid
	}
	handler, err := httpapi.New(service, &httpapi.Options{Routes: []httpapi.Route{count}})
	if err != nil {
		panic(err) // the route is valid
	}

	for _, path := range []string{"/ai@latest/categories/purpose/count", "/ai@latest/categories/cost/count", "/ai@1999-01-01-stable/categories/purpose/count"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v2/schemas"+path, http.NoBody))
		fmt.Println(w.Code, w.Header().Get("Cache-Control"), w.Body)
	}
	// Output:
	// 200 public, max-age=86400, immutable {"ok":true,"count":6}
	// 404 no-store {"ok":false,"errors":[{"code":"not_found","message":"There is no such category.","fix_hint":"see /api/v2/schemas/ai@2026-11-15-stable/categories"}]}
	// 404 no-store {"ok":false,"errors":[{"code":"not_found","message":"There is no schema version ai@1999-01-01-stable.","fix_hint":"use ai@2026-11-18-beta or ai@latest-beta or ai@2026-11-15-stable"}]}
}
