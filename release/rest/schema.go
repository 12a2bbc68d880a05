package rest

import (
	"context"
	_ "embed" // a description

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/release/editorschema"
)

//go:embed schema.json
var schemaPart []byte

// InstanceSchema returns the route of the JSON Schema of the documents of a version, for editors:
//
//	GET /api/v2/schemas/{version}/instance.schema.json
//
// All locales that match the same language of the version share one response.
func InstanceSchema() httpapi.Route {
	return httpapi.Route{
		Pattern: "/api/v2/schemas/{version}/instance.schema.json",
		Params:  []string{"locale"},
		Read: func(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
			locale, err := r.Schema.MatchLocale(r.Param("locale"))
			if err != nil {
				return nil, err
			}
			r.SetParam("locale", locale)
			return &httpapi.Resource{Make: func(context.Context) (*httpapi.Body, error) {
				return &httpapi.Body{ContentType: "application/schema+json; charset=utf-8", Bytes: editorschema.New(r.Schema.Release(), locale)}, nil
			}}, nil
		},
		OpenAPI: schemaPart,
	}
}
