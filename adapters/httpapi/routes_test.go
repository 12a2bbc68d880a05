package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// reference is the standard mux with the same patterns.
func reference() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern := range httpapi.Patterns() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("pattern", pattern)
			h.Set("version", r.PathValue("version"))
			h.Set("name", r.PathValue("element_id")+r.PathValue("slug")+r.PathValue("type"))
			h.Set("file", r.PathValue("file"))
		})
	}
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	return mux
}

// FuzzRoute shows that a path has the same route as in the standard mux.
func FuzzRoute(f *testing.F) {
	for pattern := range httpapi.Patterns() {
		f.Add(pattern)
		f.Add(pattern + "/")
		f.Add(pattern + "/more")
	}
	const s = api + "/schemas/"
	for _, seed := range []string{
		"/", "/api", api, api + "/", s, s + "v/", s + "v/elements/a%2Fb", s + "v/elements/a%2fb/icon.svg", s + "a%2Fmanifest", s + "%2F/manifest",
		s + "v/element%73", s + "v%2Felements", s + "v/elements/%00", s + "v/elements/%25", s + "v/elements/%2525", s + "v/elements/é", s + "v/elements/%C3%A9",
		s + "v/elements/a b", s + "v/elements/%20", s + "v/elements/%ff/icon.svg", s + "v/elements/a+b", s + "v/elements/a;b", s + "v/elements/a:b@c",
		s + "%2E%2E/manifest", s + "../manifest", s + "./manifest", s + ".well/manifest", s + "v//manifest", s + "v/manifest%2F", s + "v/elements/..%2F..",
		"/a/b/c/d/e/f/g/h/i/j/k/l", "/api/v2/schemas/a/b/c/d/e/f/g", "/API/v2/schemas", "/api%2Fv2/schemas", "/{version}", api + "/shapes/{file}",
	} {
		f.Add(seed)
	}
	mux := reference()
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || u.Opaque != "" || len(u.Path) == 0 || u.Path[0] != '/' {
			return
		}
		r := &http.Request{Method: http.MethodGet, URL: u, Host: "host", RequestURI: target}
		pattern, version, name, file := httpapi.Find(r)
		if escaped := u.EscapedPath(); escaped != path.Clean(escaped) {
			require.Empty(t, pattern, "the mux would redirect")
			return
		}
		if u.Path != path.Clean(u.Path) {
			return // the mux redirects, and here an encoded slash belongs to a malformed name
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		h := w.Header()
		if w.Code != http.StatusOK {
			require.Empty(t, pattern, "the mux would redirect")
			return
		}
		require.Equal(t, []string{h.Get("pattern"), h.Get("version"), h.Get("name"), h.Get("file")},
			[]string{pattern, version, name, file}, "%s", target)
	})
}

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

// TestPathsUnderAPrefix checks that messages and hints have the paths that clients use.
func TestPathsUnderAPrefix(t *testing.T) {
	w := open(t, samples(t), &httpapi.Options{BaseURL: "https://example.org/data/chain"})
	for path, want := range map[string][2]string{
		"/nothing":                       {"There is no resource at /data/chain/api/v2/nothing.", "see /data/chain/api/v2/schemas for the schema versions, or /data/chain/api/v2/openapi.json for all routes"},
		"/shapes/circle":                 {"There is no resource at /data/chain/api/v2/shapes/circle.", "end the URL in .svg"},
		"/schemas/ai@latest/symbols/eye": {"There is no resource at /data/chain/api/v2/schemas/ai@latest/symbols/eye.", "end the URL in .svg"},
		"/schemas/ai@latest/elements/purpose.triage/a.svg": {
			"There is no resource at /data/chain/api/v2/schemas/ai@latest/elements/purpose.triage/a.svg.", "use icon.svg or icon.<variant>.svg",
		},
	} {
		issue := w.do(request{path: path, wrong: true}).issue(t, 404, "not_found")
		assert.Equal(t, want, [2]string{issue["message"].(string), issue["fix_hint"].(string)}, path)
	}
}

// other is a handler of another protocol.
type other struct{}

func (other) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Service-Client") == "panic" {
		panic("a mistake")
	}
	_, _ = fmt.Fprintf(w, "other %s", r.Method)
}

func refuseOther(w http.ResponseWriter, _ *http.Request, status int, issue issue.Issue) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "other refuses: %s", issue.Code)
}

// mounted serves mounts and returns what becomes of a request: status and body, and
// the header.
func mounted(t *testing.T, o *httpapi.Options) func(method, path, name string) (string, http.Header) {
	t.Helper()
	h := handler(t, o)
	return func(method, path, name string) (string, http.Header) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		r.Header.Set("Service-Client", name)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.NotEmpty(t, w.Header().Get("X-Request-Id"))
		assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		return fmt.Sprint(w.Code, " ", w.Body), w.Header()
	}
}

// TestMount shows that mounted handlers are limited, observed and recovered like
// the API, and answer in their own words.
func TestMount(t *testing.T) {
	m, _ := limiter(t, ratelimit.Limits{Read: 2})
	var seen []httpapi.Observation
	ask := mounted(t, &httpapi.Options{
		Limiter: m, Mounts: []httpapi.Mount{{Path: "/other", Handler: other{}, Refuse: refuseOther}}, Observe: func(o httpapi.Observation) { seen = append(seen, o) },
	})
	for _, tt := range [][3]string{
		{"PUT", "a", "200 other PUT"},
		{"OPTIONS", "a", "200 other OPTIONS"}, // is not charged
		{"POST", "a", "200 other POST"},
		{"POST", "a", "429 other refuses: rate_limited"},
		{"POST", "panic", "500 other refuses: internal_error"},
	} {
		got, header := ask(tt[0], "/other", tt[1])
		assert.Equal(t, tt[2], got)
		assert.NotContains(t, header, "Access-Control-Allow-Origin", "CORS is up to the handler")
	}
	assert.Equal(t, "/other", seen[0].Route)
	assert.Equal(t, 429, seen[3].Status)
}

// TestMountBehindMiddleware wraps the handler of a mount, which changes neither the bucket of its
// requests nor how they are refused.
func TestMountBehindMiddleware(t *testing.T) {
	t.Parallel()
	m, _ := limiter(t, ratelimit.Limits{Icons: 1})
	around := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Around", "yes")
		other{}.ServeHTTP(w, r)
	})
	ask := mounted(t, &httpapi.Options{Limiter: m, Mounts: []httpapi.Mount{{
		Path: "/other", Handler: around, Refuse: refuseOther, Bucket: func(*http.Request) ratelimit.Bucket { return ratelimit.Icons },
	}}})
	got, header := ask("GET", "/other", "a")
	assert.Equal(t, "200 other GET", got)
	assert.Equal(t, "yes", header.Get("Around"))
	got, header = ask("GET", "/other", "a")
	assert.Equal(t, "429 other refuses: rate_limited", got)
	assert.Equal(t, `"icons";q=1;w=60`, header.Get("RateLimit-Policy"))
}

// TestMountPaths shows which handler a path belongs to.
func TestMountPaths(t *testing.T) {
	t.Parallel()
	at := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, name) })
	}
	var route string
	ask := mounted(t, &httpapi.Options{
		Mounts: []httpapi.Mount{
			{Path: "/", Handler: at("root")},
			{Path: "/mcp", Handler: at("mcp")},
			{Path: "/mcp/files/", Handler: at("files")},
			{Path: "/explorer/", Handler: at("explorer")},
			{Path: "/api/v1", Handler: at("v1")},
		},
		Observe: func(o httpapi.Observation) { route = o.Route },
	})
	const nothing = `404 {"ok":false,"errors":[{"code":"not_found"`
	for path, want := range map[string][2]string{
		"/":                      {"200 root", "/"},
		"/x":                     {"200 root", "/"},
		"/a//b/../c":             {"200 root", "/"},
		"/apis":                  {"200 root", "/"},
		"/mcps":                  {"200 root", "/"},
		"/explorer":              {"200 root", "/"},
		"/explorer/":             {"200 explorer", "/explorer/"},
		"/explorer/a/b?c":        {"200 explorer", "/explorer/"},
		"/mcp":                   {"200 mcp", "/mcp"},
		"/%6dcp":                 {"200 mcp", "/mcp"},
		"/mcp/":                  {nothing, ""},
		"/mcp/x":                 {nothing, ""},
		"/mcp/files/x":           {"200 files", "/mcp/files/"},
		"/api":                   {nothing, ""},
		"/api/":                  {nothing, ""},
		"/api/v1":                {"200 v1", "/api/v1"},
		"/api/v1/x":              {nothing, ""},
		"/api/v2":                {nothing, ""},
		"/api/v2/":               {nothing, ""},
		"/api/v2/nothing":        {nothing, ""},
		"/api/v2//schemas":       {nothing, ""},
		"/api/v2/../schemas":     {nothing, ""},
		"/api/v2/shapes/dot.svg": {nothing, api + "/shapes/{file}"},
		"/api/v2/schemas":        {`200 {"ok":true,"versions":[`, api + "/schemas"},
	} {
		got, _ := ask("GET", path, "")
		assert.True(t, strings.HasPrefix(got, want[0]), "%s: %s", path, got)
		assert.Equal(t, want[1], route, path)
	}
}

// TestMountBuckets shows that a mount chooses the bucket of each request.
func TestMountBuckets(t *testing.T) {
	t.Parallel()
	m, _ := limiter(t, ratelimit.Limits{Validate: 1})
	bucket := func(r *http.Request) ratelimit.Bucket {
		if r.Method == http.MethodPost {
			return ratelimit.Validate
		}
		return ratelimit.Icons
	}
	ask := mounted(t, &httpapi.Options{Limiter: m, Mounts: []httpapi.Mount{{Path: "/", Handler: http.NotFoundHandler(), Bucket: bucket}}})
	ask("GET", "/x", "")
	ask("POST", "/x", "")
	assert.Equal(t, [4]uint64{0, 1, 1, 0}, counts(m))
	got, header := ask("POST", "/x", "")
	assert.Contains(t, got, `429 {"ok":false,"errors":[{"code":"rate_limited"`, "a mount without Refuse")
	assert.Equal(t, `"validate";q=1;w=60`, header.Get("RateLimit-Policy"))
	ask("GET", "/api/v2/schemas", "")
	assert.Equal(t, [4]uint64{1, 1, 2, 0}, counts(m))
}

// TestInvalidOptions: a mistake shows when the program starts.
func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	service, h := must(datachain.New(odd(t), nil)), http.NotFoundHandler()
	refuse := func(o httpapi.Options, want string) {
		t.Helper()
		_, err := httpapi.New(service, &o)
		require.ErrorContains(t, err, want)
	}
	for _, base := range []string{"example.org/dc", "::bad", "dc", "//example.org", "ftp://example.org", "http://"} {
		refuse(httpapi.Options{BaseURL: base}, "must be an http or https URL")
	}
	for _, path := range []string{"", "mcp", "POST /mcp", "/a/../mcp", "//mcp", "/mcp//", "/.", "//", "/..", "/a//b/"} {
		refuse(httpapi.Options{Mounts: []httpapi.Mount{{Path: path, Handler: h}}}, "must begin with /")
	}
	for _, path := range []string{"/api/v2", "/api/v2/", "/api/v2/schemas"} {
		refuse(httpapi.Options{Mounts: []httpapi.Mount{{Path: path, Handler: h}}}, "must be outside /api/v2")
	}
	refuse(httpapi.Options{Mounts: []httpapi.Mount{{Path: "/x"}}}, "has no handler")
	refuse(httpapi.Options{Mounts: []httpapi.Mount{{Path: "/x", Handler: h}, {Path: "/x", Handler: h}}}, "is taken")
	refuse(httpapi.Options{Mounts: []httpapi.Mount{{Path: "/api", Handler: h}}}, "is taken")
	_, err := httpapi.New(service, &httpapi.Options{BaseURL: "https://example.org/dc/", Mounts: []httpapi.Mount{{Path: "/mcp", Handler: h}, {Path: "/.well-known/", Handler: h}}, CacheBytes: -1})
	require.NoError(t, err)
}
