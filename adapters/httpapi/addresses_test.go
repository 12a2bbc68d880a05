package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

func TestVersions(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, version := range []string{
		"lager_1", "@", "lager_1@", "@latest", "lager_1@latest@x", "lager_1@2026-13-01-stable", "lager_1@2026-02-30-beta", "lager_1@2026-03-01-draft",
		"lager_1@2026-03-01", "lager_1@2026-03-01-", "lager_1@-x", "lager_1@.x", "l%C3%A4ger@latest", "%00", "%ff", "a%2Fb@latest", "lager_1%2540latest", "%20lager_1@latest",
		"lager_1@lat%20est", strings.Repeat("a", 129) + "@latest", "a@" + strings.Repeat("a", 129), strings.Repeat("a", 5000),
	} {
		for _, rest := range []string{"/manifest", "/elements", "/elements/zweck.Lagern/icon.svg"} {
			issue := w.do(request{path: "/schemas/" + version + rest, wrong: true}).issue(t, 400, "bad_request")
			require.Less(t, len(issue["message"].(string)), 500, "a long path is cut")
		}
		w.do(request{method: "POST", path: "/schemas/" + version + "/validate", body: strings.NewReader("no JSON"), wrong: true}).issue(t, 400, "bad_request")
	}
	for version, hint := range map[string]string{"lager_1@lates": "lager_1@latest", "lager_1@2024-02-28-stable": "lager_1@2024-02-29-stable", "Lager_1@latest": "lager_1@latest", "zzzzzzzzzzzz@v1": "list of schemas"} {
		issue := w.do(request{path: "/schemas/" + version + "/manifest"}).issue(t, 404, "not_found")
		require.Contains(t, issue["fix_hint"], hint)
		require.Contains(t, issue["message"], version)
	}
}

func TestPathTricks(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, path := range []string{
		"", "/", "/nothing", "/schemas/", "//schemas", "/schemas//", "/./schemas", "/x/../schemas", "/schemas/..", "/schemas/%2e%2e", "/%2e%2e/%2e%2e/etc/passwd",
		"/schemas/" + oddStable, "/schemas/" + oddStable + "/", "/schemas/" + oddStable + "/manifest/", "/schemas/" + oddStable + "//manifest", "/schemas/" + oddStable + "/Manifest",
		"/schemas/" + oddStable + "/elements/", "/schemas/" + oddStable + "/elements/zweck.Lagern/", "/schemas/" + oddStable + "/elements/../manifest",
		"/schemas/" + oddStable + "/elements/%2e%2e/manifest", "/schemas%2F" + oddStable + "%2Fmanifest", "/schemas/" + oddStable + "%2Fmanifest",
		"/shapes/..%2fcircle.svg", "/shapes/circle.svg/", "/shapes/circle.svg%00", "/json-schemas/..%2f..%2fgo.mod", "/json-schemas/%ff.json", "/json-schemas/instance",
		"/schemas/" + oddStable + "/symbols/..%2f..%2fx.svg", "/" + strings.Repeat("a/", 3000), "/schemas;x=1", "/%00",
	} {
		a := w.do(request{path: path, wrong: true})
		require.Contains(t, []int{400, 404}, a.StatusCode, path)
		if a.StatusCode == http.StatusNotFound {
			a.issue(t, 404, "not_found")
		} else {
			a.issue(t, 400, "bad_request")
		}
	}
	// Outside the API, too.
	res, err := client.Get(w.url + "/etc/passwd")
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, 404, res.StatusCode)
	require.Equal(t, "application/json; charset=utf-8", res.Header.Get("Content-Type"))
}

func TestMethods(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "get", "BREW"} {
		for _, path := range everyRead {
			a := w.do(request{method: method, path: path})
			a.issue(t, 405, "method_not_allowed")
			require.Equal(t, "GET, HEAD, OPTIONS", a.Header.Get("Allow"))
		}
	}
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE"} {
		for _, operation := range []string{"validate", "resolve", "validate_resolved"} {
			a := w.do(request{method: method, path: "/schemas/" + oddStable + "/" + operation})
			require.Equal(t, 405, a.StatusCode)
			require.Equal(t, "POST, OPTIONS", a.Header.Get("Allow"))
		}
	}
	w.do(request{method: "DELETE", path: "/nothing"}).issue(t, 404, "not_found")
}

func TestCORS(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, path := range append([]string{"/nothing", "/schemas/" + oddStable + "/validate"}, everyRead...) {
		a := w.do(request{method: "OPTIONS", path: path, header: map[string]string{
			"Origin": "https://example.org", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,service-client",
		}})
		require.Equal(t, 204, a.StatusCode)
		require.Empty(t, a.raw)
		for _, method := range []string{"GET", "HEAD", "POST"} {
			require.Contains(t, a.Header.Get("Access-Control-Allow-Methods"), method)
		}
		for _, name := range []string{"Content-Type", "Service-Client", "X-Request-Id", "If-None-Match"} {
			require.Contains(t, a.Header.Get("Access-Control-Allow-Headers"), name)
		}
		require.NotEmpty(t, a.Header.Get("Access-Control-Max-Age"))
		exposed := w.do(request{path: path, wrong: true}).Header.Get("Access-Control-Expose-Headers")
		for _, name := range []string{"X-Request-Id", "Service-Content-Hash", "Retry-After"} {
			require.Contains(t, exposed, name)
		}
	}
}

// TestPrivate shows that behind authentication nothing is for other origins or shared
// caches.
func TestPrivate(t *testing.T) {
	t.Parallel()
	h := handler(t, &httpapi.Options{Private: true, AliasMaxAge: time.Minute})
	header := func(method, path, body string) http.Header {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, api+path, strings.NewReader(body)))
		for name := range w.Header() {
			require.NotContains(t, name, "Access-Control", "%s %s", method, path)
		}
		return w.Header()
	}
	at := "/schemas/" + oddStable
	for path, want := range map[string]string{
		"/schemas": "private, no-cache", at + "/manifest": "private, max-age=86400, immutable",
		at + "/elements/zweck.Lagern/icon.svg": "private, max-age=31536000, immutable", "/schemas/lager_1@latest/manifest": "private, max-age=60",
		"/shapes/circle.svg": "private, max-age=31536000, immutable", "/openapi.json": "private, max-age=3600", "/nothing": "no-store",
	} {
		require.Equal(t, want, header(http.MethodGet, path, "").Get("Cache-Control"), path)
		header(http.MethodOptions, path, "")
	}
	require.Equal(t, "no-store", header(http.MethodPost, at+"/validate", oddDocument(oddStable)).Get("Cache-Control"))
}

// TestNoLimits shows that a negative number is no limit.
func TestNoLimits(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{
		MaxBody: -1, MaxRequests: -1, MaxClientRequests: -1, MaxWork: -1, ReadTimeout: -1, WorkTimeout: -1, WriteTimeout: -1, LimiterBudget: -1,
		Limiter: limiterFunc(func(context.Context) (ratelimit.Decision, error) { return ratelimit.Decision{Allowed: true}, nil }),
	})
	require.Equal(t, 200, w.get("/schemas").StatusCode)
	padded := strings.Repeat(" ", 2<<20) + oddDocument(oddStable)
	require.Equal(t, 200, w.post("/schemas/"+oddStable+"/validate", padded).StatusCode)
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, id := range []string{"a", "my-id.1_X", strings.Repeat("x", 128)} {
		require.Equal(t, id, w.get("/schemas", "X-Request-Id", id).Header.Get("X-Request-Id"))
	}
	seen := map[string]bool{}
	for _, id := range []string{"", "a b", "ä", strings.Repeat("x", 129), "a;b", "<script>"} {
		got := w.get("/schemas", "X-Request-Id", id).Header.Get("X-Request-Id")
		require.NotEqual(t, id, got)
		seen[got] = true
	}
	require.Len(t, seen, 6, "each request has its own")
}

func TestMountedUnderAPrefix(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"https://example.org/data/chain", "https://example.org/data/chain/", "/data/chain"} {
		t.Run(base, func(t *testing.T) {
			handler := handler(t, &httpapi.Options{BaseURL: base})
			mux := http.NewServeMux()
			mux.Handle("/data/chain/", http.StripPrefix("/data/chain", handler))
			server := httptest.NewServer(mux)
			defer server.Close()
			at := "/data/chain/api/v2/schemas/" + oddStable + "/elements/zweck.Lagern"
			res, err := client.Get(server.URL + strings.Replace(at, oddStable, "lager_1%40latest", 1))
			require.NoError(t, err)
			defer res.Body.Close()
			require.Equal(t, 200, res.StatusCode)
			require.Equal(t, at, res.Header.Get("Content-Location"))
			again, err := client.Get(server.URL + res.Header.Get("Content-Location"))
			require.NoError(t, err)
			defer again.Body.Close()
			require.Equal(t, 200, again.StatusCode)
		})
	}
}
