package httpapi

import (
	"bytes"
	"context"
	_ "embed" // the description of the API
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

//go:embed openapi.json
var openAPI []byte

// here is the address of the service in the description, as one who found it at
// the root of a host would put it.
const here = `"servers": [{"url": "/", "description": "Where this description was found."}]`

// describe returns the description of the API for a service at an address, ""
// for the root of its host.
func describe(base string) []byte {
	if base == "" {
		return openAPI
	}
	url, err := json.Marshal(strings.TrimSuffix(base, "/"))
	if err != nil {
		return openAPI // it is no text that could be written
	}
	there := append(append([]byte(`"servers": [{"url": `), url...), `}]`...)
	return bytes.Replace(openAPI, []byte(here), there, 1)
}

// getOpenAPI answers with the description of the API. It changes with the
// program alone.
func (a *api) getOpenAPI(ctx context.Context, res *response, r *http.Request) error {
	return a.cached(ctx, res, r, nil, "", "", func() (*answer, error) {
		return newAnswer(typeJSON, "public, max-age=3600", a.description), nil
	})
}
