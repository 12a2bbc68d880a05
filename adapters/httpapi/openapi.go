package httpapi

import (
	"bytes"
	_ "embed" // openapi.json
	"strings"

	"github.com/go-json-experiment/json"
)

//go:embed openapi.json
var openAPI []byte

// here is the server in openapi.json.
const here = `"servers": [{"url": "/", "description": "This server."}]`

// OpenAPI returns the OpenAPI 3.1 description of the API as JSON, for a service at
// baseURL, as in [Options]. It must not be modified.
func OpenAPI(baseURL string) []byte {
	url, err := json.Marshal(strings.TrimSuffix(baseURL, "/"))
	if baseURL == "" || err != nil { // not UTF-8, so not a URL either
		return openAPI
	}
	return bytes.Replace(openAPI, []byte(here), append(append([]byte(`"servers": [{"url": `), url...), `}]`...), 1)
}
