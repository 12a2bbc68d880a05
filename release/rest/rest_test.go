package rest_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/release/editorschema"
	"github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

func samples(t *testing.T) taxonomy.Store {
	t.Helper()
	return must(published.Store())
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// serve serves a store with routes.
func serve(t *testing.T, store taxonomy.Store, routes ...httpapi.Route) *resttest.Client {
	t.Helper()
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	h, err := httpapi.New(service, &httpapi.Options{Routes: routes, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return resttest.Serve(t, h)
}

func TestMappings(t *testing.T) {
	text := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (fr)"}}
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-stable"), taxonomy.Content{
		Title: text("T"), Description: text("T"), Locales: []string{"en", "fr"},
		Schemes: []taxonomy.Scheme{{ID: "law", Title: text("Law")}},
		Type:    taxonomy.Type{ID: "ai", Name: text("AI"), Categories: []string{"c"}},
		Categories: []taxonomy.Category{{
			ID: "c", Name: text("Rights"), Description: text("C"), Shape: taxonomy.Circle, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			Mappings: []taxonomy.Mapping{{Scheme: "law", ID: "Art. 13", Relation: "broad", Note: text("In part")}, {Scheme: "law", ID: "Art. 5", Relation: "close"}},
		}},
	})
	require.NoError(t, err)
	store, err := memstore.New(listing.Publication{Release: r})
	require.NoError(t, err)
	w := serve(t, store, rest.Mappings())
	const path, all = "/schemas/ai@latest/mappings", `[{"scheme":"law","id":"Art. 5","relation":"close","category_id":"c","title":[{"locale":"en","value":"Rights"},{"locale":"fr","value":"Rights (fr)"}]},`
	for query, want := range map[string]string{
		"?scheme=law&id=art.%2013&locales=fr": `[{"scheme":"law","id":"Art. 13","relation":"broad","note":[{"locale":"fr","value":"In part (fr)"}],"category_id":"c","title":[{"locale":"fr","value":"Rights (fr)"}]}]`,
		"?scheme=gdpr":                        `[]`,
		"?id=Art.%206":                        `[]`,
		"":                                    all,
	} {
		a := w.Get(path + query)
		require.Equal(t, 200, a.StatusCode, query)
		require.Contains(t, a.Text, `{"ok":true,"version":"ai@2026-09-01-stable","mappings":`+want, query)
	}
	for query, want := range map[string]string{"?scheme=a&scheme=b": "The parameter scheme is repeated.", "?id=%zz": "The query string is malformed"} {
		require.Contains(t, w.Wrong(http.MethodGet, path+query, "").Issue(t, 400, "bad_request")["message"], want)
	}
	a := w.Get(path + "?locales=fr&locales=en&id=Art.+5")
	require.Equal(t, "/api/v2/schemas/ai@2026-09-01-stable/mappings?id=Art.+5&locales=fr%2Cen", a.Header.Get("Content-Location"))
	require.Equal(t, "public, max-age=86400, immutable", a.Header.Get("Cache-Control"))
	require.Equal(t, r.ContentHash().String(), a.Header.Get("Service-Content-Hash"))
	require.Equal(t, http.StatusNotModified, w.Do(http.MethodGet, path+"?id=Art.+5&locales=fr,en", "", "If-None-Match", a.Header.Get("ETag")).StatusCode)
}

func TestInstanceSchema(t *testing.T) {
	t.Parallel()
	w := serve(t, samples(t), rest.InstanceSchema())
	schema, err := must(datachain.New(samples(t), nil)).Open(t.Context(), "ai@latest")
	require.NoError(t, err)
	for query, locale := range map[string]string{
		"": "en", "?locale=": "en", "?locale=fr": "fr", "?locale=fr-CA": "fr", "?locale=de": "de", "?locale=pt": "en", "?locale=fr&x=1": "fr",
	} {
		want := editorschema.New(schema.Release(), locale)
		a := w.Get("/schemas/ai@latest/instance.schema.json" + query)
		require.Equal(t, string(want), a.Text, query)
		require.Equal(t, "application/schema+json; charset=utf-8", a.Header.Get("Content-Type"))
		require.Equal(t, "public, max-age=86400, immutable", a.Header.Get("Cache-Control"))
		require.Equal(t, schema.Release().ContentHash().String(), a.Header.Get("Service-Content-Hash"))
		require.Equal(t, "/api/v2/schemas/ai@2026-11-15-stable/instance.schema.json?locale="+locale, a.Header.Get("Content-Location"))
		again := w.Do(http.MethodGet, "/schemas/ai@latest/instance.schema.json?locale="+locale, "", "If-None-Match", a.Header.Get("ETag"))
		require.Equal(t, 304, again.StatusCode, "languages that match the same locale share an answer")
	}
	require.Equal(t, "no-store", w.Get("/schemas/ai@latest-beta/instance.schema.json").Header.Get("Cache-Control"))
	for path, code := range map[string]string{
		"/schemas/ai@latest/instance.schema.json?locale=!":            "bad_request",
		"/schemas/ai@latest/instance.schema.json?locale=fr&locale=en": "bad_request",
		"/schemas/ai/instance.schema.json":                            "bad_request",
		"/schemas/ai@nope/instance.schema.json":                       "not_found",
		"/schemas/ai@latest/resolved.schema.json":                     "not_found",
	} {
		a := w.Wrong(http.MethodGet, path, "")
		a.Issue(t, a.StatusCode, code)
	}
}

// TestLog shows what the routes of the log answer, with a log and without.
func TestLog(t *testing.T) {
	t.Parallel()
	files := map[string]string{"checkpoint": "example.org/log\n1\n…\n", "tile/0/000": "full", "tile/entries/x001/234.p/5": "partial"}
	broken := errors.New("unreachable")
	w := serve(t, samples(t), rest.Log(func(_ context.Context, name string) ([]byte, error) {
		if name == "tile/1/000" {
			return nil, broken
		}
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}, slog.New(slog.DiscardHandler))...)
	for path, want := range map[string]struct {
		status                int
		body, caching, served string
	}{
		"/log/checkpoint":                {200, files["checkpoint"], "no-cache", "text/plain; charset=utf-8"},
		"/log/tile/0/000":                {200, "full", "public, max-age=31536000, immutable", "application/octet-stream"},
		"/log/tile/entries/x001/234.p/5": {200, "partial", "public, max-age=3600", "application/octet-stream"},
		"/log/tile/0/001":                {status: 404},
		"/log/tile/64/000":               {status: 404},
		"/log/tile/0/000.p/256":          {status: 404},
		"/log/tile/0/0":                  {status: 404},
		"/log/tile":                      {status: 404},
		"/log/pending":                   {status: 404},
		"/log/tile/1/000":                {status: 502},
	} {
		got := w.Do(http.MethodGet, path, "")
		require.Equal(t, want.status, got.StatusCode, path)
		if want.status == 200 {
			require.Equal(t, want.body, got.Text, path)
			require.Equal(t, want.caching, got.Header.Get("Cache-Control"), path)
			require.Equal(t, want.served, got.Header.Get("Content-Type"), path)
			require.NotEmpty(t, got.Header.Get("ETag"), path)
		}
	}
	none := serve(t, samples(t), rest.Log(nil, nil)...).Do(http.MethodGet, "/log/checkpoint", "")
	require.Equal(t, 404, none.StatusCode)
	require.Contains(t, none.Text, "The store of this server has no signed log.")
}
