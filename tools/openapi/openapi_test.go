// Package openapi checks the description of the API with kin-openapi, in a module of its own,
// so that programs that import datachain do not inherit the library.
package openapi

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestDescriptionIsValid checks the description of all that the command serves, with its examples. The tests of
// adapters/httpapi compare it with the server.
func TestDescriptionIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("../../pages/server/testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("the version is %s", doc.OpenAPI)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
}
