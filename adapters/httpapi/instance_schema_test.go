package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
)

func TestInstanceSchema(t *testing.T) {
	t.Parallel()
	w := open(t, samples(t), nil)
	schema, err := must(datachain.New(samples(t), nil)).Open(t.Context(), "ai@latest")
	require.NoError(t, err)
	for query, locale := range map[string]string{
		"": "en", "?locale=": "en", "?locale=fr": "fr", "?locale=fr-CA": "fr", "?locale=de": "en", "?locale=fr&x=1": "fr",
	} {
		want, err := schema.JSONSchema(locale)
		require.NoError(t, err)
		a := w.get("/schemas/ai@latest/instance.schema.json" + query)
		require.Equal(t, string(want), a.text, query)
		require.Equal(t, "application/schema+json; charset=utf-8", a.Header.Get("Content-Type"))
		require.Equal(t, "public, max-age=86400, immutable", a.Header.Get("Cache-Control"))
		require.Equal(t, schema.Release().ContentHash().String(), a.Header.Get("Service-Content-Hash"))
		require.Equal(t, "/api/v2/schemas/ai@2026-11-15-stable/instance.schema.json?locale="+locale, a.Header.Get("Content-Location"))
		again := w.do(request{path: "/schemas/ai@latest/instance.schema.json?locale=" + locale, header: map[string]string{"If-None-Match": a.Header.Get("ETag")}})
		require.Equal(t, 304, again.StatusCode, "languages that match the same locale share an answer")
	}
	require.Equal(t, "no-store", w.get("/schemas/ai@latest-beta/instance.schema.json").Header.Get("Cache-Control"))
	for path, code := range map[string]string{
		"/schemas/ai@latest/instance.schema.json?locale=!":            "bad_request",
		"/schemas/ai@latest/instance.schema.json?locale=fr&locale=en": "bad_request",
		"/schemas/ai/instance.schema.json":                            "bad_request",
		"/schemas/ai@nope/instance.schema.json":                       "not_found",
		"/schemas/ai@latest/resolved.schema.json":                     "not_found",
	} {
		a := w.do(request{path: path, wrong: true})
		a.issue(t, a.StatusCode, code)
	}
}
