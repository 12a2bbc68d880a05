package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// other is a handler of another protocol.
type other struct{}

func (other) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Service-Client") == "panic" {
		panic("a mistake")
	}
	_, _ = fmt.Fprintf(w, "other %s", r.Method)
}

func (other) Refuse(w http.ResponseWriter, _ *http.Request, status int, issue issue.Issue) {
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
		Limiter: m, Mounts: []httpapi.Mount{{Path: "/other", Handler: other{}}}, Observe: func(o httpapi.Observation) { seen = append(seen, o) },
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
	ask := mounted(t, &httpapi.Options{Limiter: m, Mounts: []httpapi.Mount{{
		Path: "/", Handler: http.NotFoundHandler(),
		Bucket: func(r *http.Request) ratelimit.Bucket {
			if r.Method == http.MethodPost {
				return ratelimit.Validate
			}
			return ratelimit.Icons
		},
	}}})
	ask("GET", "/x", "")
	ask("POST", "/x", "")
	assert.Equal(t, [4]uint64{0, 1, 1, 0}, counts(m))
	got, header := ask("POST", "/x", "")
	assert.Contains(t, got, `429 {"ok":false,"errors":[{"code":"rate_limited"`, "a handler that is not a Refuser")
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
	refuse(httpapi.Options{AliasMaxAge: -1}, "must not be negative")
	_, err := httpapi.New(service, &httpapi.Options{BaseURL: "https://example.org/dc/", Mounts: []httpapi.Mount{{Path: "/mcp", Handler: h}, {Path: "/.well-known/", Handler: h}}, CacheBytes: -1})
	require.NoError(t, err)
}
