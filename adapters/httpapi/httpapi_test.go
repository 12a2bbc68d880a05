package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

const stable, beta = "ai@2026-09-01-stable", "ai@2026-11-01-beta"

func serve(t *testing.T, store taxonomy.Store) string {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewServer(httpapi.New(datachain.New(store), &httpapi.Options{Logger: log}))
	t.Cleanup(server.Close)
	return server.URL + "/api/v2"
}

func samples(t *testing.T) taxonomy.Store {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	return store
}

type response struct {
	*http.Response
	body string
	json map[string]any
}

func do(t *testing.T, method, url string, header ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	r := response{Response: res, body: string(body)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") && len(body) > 0 {
		require.NoError(t, json.Unmarshal(body, &r.json))
	}
	return r
}

func TestReads(t *testing.T) {
	base := serve(t, samples(t))
	for _, tt := range []struct {
		path, cache, location string
		keys                  []string
	}{
		{"/schemas", "no-cache", "", []string{"ok", "versions"}},
		{"/schemas/ai@latest/manifest", "public, max-age=86400, immutable", "/api/v2/schemas/" + stable + "/manifest", []string{"ok", "version", "manifest"}},
		{"/schemas/ai%40latest/manifest", "public, max-age=86400, immutable", "/api/v2/schemas/" + stable + "/manifest", []string{"ok", "version", "manifest"}},
		{"/schemas/ai@latest-beta/manifest", "no-store", "/api/v2/schemas/" + beta + "/manifest", []string{"ok", "version", "manifest"}},
		{"/schemas/" + stable + "/categories", "public, max-age=86400, immutable", "/api/v2/schemas/" + stable + "/categories", []string{"ok", "version", "categories"}},
		{"/schemas/" + stable + "/elements/purpose.triage", "public, max-age=86400, immutable", "/api/v2/schemas/" + stable + "/elements/purpose.triage", []string{"ok", "version", "element"}},
		{"/schemas/" + stable + "/release", "public, max-age=86400, immutable", "/api/v2/schemas/" + stable + "/release", []string{"manifest", "datachain_type", "categories", "elements", "symbols"}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			res := do(t, "GET", base+tt.path)
			require.Equal(t, 200, res.StatusCode, res.body)
			require.Equal(t, tt.cache, res.Header.Get("Cache-Control"))
			require.Equal(t, tt.location, res.Header.Get("Content-Location"))
			require.Equal(t, tt.location != "", strings.HasPrefix(res.Header.Get("Service-Content-Hash"), "sha256-"))
			require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
			require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
			require.NotEmpty(t, res.Header.Get("X-Request-Id"))
			var keys []string
			for key := range res.json {
				keys = append(keys, key)
			}
			require.ElementsMatch(t, tt.keys, keys)

			again := do(t, "GET", base+tt.path, "If-None-Match", res.Header.Get("ETag"))
			require.Equal(t, 304, again.StatusCode)
			require.Empty(t, again.body)
			head := do(t, "HEAD", base+tt.path)
			require.Equal(t, 200, head.StatusCode)
			require.Equal(t, res.Header.Get("ETag"), head.Header.Get("ETag"))
		})
	}
}

func TestReleaseCanBeVerified(t *testing.T) {
	base := serve(t, samples(t))
	res := do(t, "GET", base+"/schemas/ai@latest/release")
	release, err := taxonomy.DecodeRelease([]byte(res.body), nil)
	require.NoError(t, err)
	require.Equal(t, res.Header.Get("Service-Content-Hash"), release.ContentHash().String())
	canonical, err := taxonomy.Canonical([]byte(res.body))
	require.NoError(t, err)
	require.Equal(t, string(canonical), res.body)
}

func TestProjection(t *testing.T) {
	base := serve(t, samples(t))
	element := do(t, "GET", base+"/schemas/"+stable+"/elements/purpose.triage?fields=title,nonsense&locales=FR,xx").json["element"].(map[string]any)
	require.Len(t, element, 2)
	require.Equal(t, "purpose.triage", element["id"])
	title := element["title"].([]any)
	require.Len(t, title, 1)
	require.Equal(t, "fr", title[0].(map[string]any)["locale"])

	res := do(t, "GET", base+"/schemas/"+stable+"/categories?locales=es")
	require.NotContains(t, res.body, `"locale":"en"`)
	require.Contains(t, res.body, `"locale":"es"`)
	require.Equal(t, res.body, do(t, "GET", base+"/schemas/"+stable+"/categories?locales=es").body)
}

func TestSymbol(t *testing.T) {
	base := serve(t, samples(t))
	res := do(t, "GET", base+"/schemas/ai@latest/symbols/robot.svg")
	require.Equal(t, 200, res.StatusCode)
	require.Equal(t, "image/svg+xml; charset=utf-8", res.Header.Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", res.Header.Get("Cache-Control"))
	require.Equal(t, "default-src 'none'; style-src 'unsafe-inline'; sandbox", res.Header.Get("Content-Security-Policy"))
	require.True(t, strings.HasPrefix(res.body, "<svg "))
	require.Equal(t, "public, max-age=3600", do(t, "GET", base+"/schemas/ai@latest-beta/symbols/robot.svg").Header.Get("Cache-Control"))
}

func TestFailures(t *testing.T) {
	base := serve(t, samples(t))
	for _, tt := range []struct {
		method, path string
		status       int
		code, hint   string
	}{
		{"GET", "/schemas/ai/manifest", 400, "bad_request", "ai@latest"},
		{"GET", "/schemas/ai@2026-13-01-stable/manifest", 400, "bad_request", ""},
		{"GET", "/schemas/ai@lates/manifest", 404, "not_found", "ai@latest"},
		{"GET", "/schemas/ai@latest/elements/purpose..triage", 400, "bad_request", "period"},
		{"GET", "/schemas/ai@latest/elements/purpose.nothing", 404, "not_found", "elements"},
		{"GET", "/schemas/ai@latest/symbols/robot", 404, "not_found", ".svg"},
		{"GET", "/schemas/ai@latest/symbols/ro.bot.svg", 400, "bad_request", "letters"},
		{"GET", "/schemas/ai@latest/symbols/nothing.svg", 404, "not_found", "symbol_id"},
		{"GET", "/nothing", 404, "not_found", "/schemas"},
		{"GET", "//schemas", 404, "not_found", "//"},
		{"PUT", "/schemas", 405, "method_not_allowed", "GET"},
	} {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			res := do(t, tt.method, base+tt.path, "X-Request-Id", "my-id.1")
			require.Equal(t, tt.status, res.StatusCode, res.body)
			require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
			require.Equal(t, "my-id.1", res.Header.Get("X-Request-Id"))
			require.Equal(t, false, res.json["ok"])
			issue := res.json["errors"].([]any)[0].(map[string]any)
			require.Equal(t, tt.code, issue["code"])
			require.NotEmpty(t, issue["message"])
			require.Contains(t, issue["fix_hint"], tt.hint)
			require.Equal(t, tt.status == 405, res.Header.Get("Allow") != "")
		})
	}
}

func TestPreflight(t *testing.T) {
	res := do(t, "OPTIONS", serve(t, samples(t))+"/schemas", "Origin", "https://example.org", "Access-Control-Request-Method", "GET")
	require.Equal(t, 204, res.StatusCode)
	require.Contains(t, res.Header.Get("Access-Control-Allow-Methods"), "GET")
}

// brokenStore fails, and panics where it is told to.
type brokenStore struct {
	taxonomy.Store
	panics bool
}

func (b brokenStore) Index(context.Context) (*taxonomy.Index, error) {
	if b.panics {
		panic("a bug")
	}
	return nil, errors.New("disk on fire at /secret/path")
}

func TestStoreFailures(t *testing.T) {
	res := do(t, "GET", serve(t, brokenStore{})+"/schemas")
	require.Equal(t, 502, res.StatusCode)
	require.Contains(t, res.body, "upstream_error")
	require.NotContains(t, res.body, "secret", "the cause stays in the log")

	res = do(t, "GET", serve(t, brokenStore{panics: true})+"/schemas")
	require.Equal(t, 500, res.StatusCode)
	require.Contains(t, res.body, "internal_error")
}
