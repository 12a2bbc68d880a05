// Package rest provides the routes of package httpapi about what is derived from releases, and about
// how they are published.
//
// # Experimental
//
// This package may change in a minor version.
package rest

import (
	"context"
	_ "embed" // descriptions

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/release/crosswalk"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

//go:embed mappings.json
var mappingsPart []byte

// Mappings returns the route that lists what the categories and elements of a version are mapped to:
//
//	GET /api/v2/schemas/{version}/mappings
func Mappings() httpapi.Route {
	return httpapi.Route{
		Pattern: "/api/v2/schemas/{version}/mappings",
		Params:  []string{"scheme", "id"}, Lists: []string{"locales"},
		Read: func(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
			return &httpapi.Resource{Make: func(context.Context) (*httpapi.Body, error) { return mappings(r) }}, nil
		},
		OpenAPI: mappingsPart,
	}
}

func mappings(r *httpapi.Request) (*httpapi.Body, error) {
	release := r.Schema.Release()
	found, err := crosswalk.Mappings(release, r.Param("scheme"), r.Param("id"))
	if err != nil { // there is no such scheme, and so nothing that is mapped to it
		found = nil
	}
	body := append([]byte(`{"ok":true,"version":"`), release.Version().String()...)
	shown := lists.Projection{Locales: r.List("locales")}
	body, err = crosswalk.AppendMappings(append(body, `","mappings":`...), found, shown.Append)
	return &httpapi.Body{Bytes: append(body, '}')}, err
}
