package datachain_test

import (
	"bytes"
	"testing"

	"github.com/datachain-go/datachain/validate/validatetest"
)

// TestFrench tests the rule of the example.
func TestFrench(t *testing.T) {
	schema := must(samples(t).Open(t.Context(), "ai@2026-11-15-stable"))
	text := read(t, "benefits.json")
	english := bytes.Replace(text, []byte(`"locale": "fr", "value": "Examen des`), []byte(`"locale": "de", "value": "Examen des`), 1)
	validatetest.Run(t, french, []validatetest.Case{
		{Name: "in French", Release: schema.Release(), Document: string(text)},
		{Name: "without", Release: schema.Release(), Document: string(english), Want: []validatetest.Finding{
			{Code: codeFrenchMissing, Path: "title", Message: "is not translated into French"},
		}},
	})
}
