package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// echo is a route that answers with what it is asked for, and counts how often it makes a body.
func echo(pattern string, made *int) httpapi.Route {
	return httpapi.Route{
		Pattern: pattern, Params: []string{"q", "limit"}, Lists: []string{"tags"}, Flags: []string{"loud"},
		Read: func(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
			if r.PathValue("name") == "nothing" {
				return nil, r.NotFound("ask for something")
			}
			limit, err := r.Limit()
			if err != nil {
				return nil, err
			}
			return &httpapi.Resource{Tag: "1", Make: func(context.Context) (*httpapi.Body, error) {
				*made++
				version := ""
				if r.Schema != nil {
					version = r.Schema.Release().Version().String()
				}
				text := fmt.Sprint(version, " ", r.PathValue("name"), " ", r.PathValue("file"), " ", r.Param("q"), " ", limit, " ", r.List("tags"), " ", r.Flag("loud"))
				return &httpapi.Body{Bytes: []byte(text), ContentType: "text/plain", Header: http.Header{"Content-Language": {"en"}}}, nil
			}}, nil
		},
	}
}

// TestRouteRead shows what the server does for a route of a program.
func TestRouteRead(t *testing.T) {
	t.Parallel()
	made := 0
	h := handler(t, &httpapi.Options{BaseURL: "https://example.org/dc", Routes: []httpapi.Route{
		echo("/api/v2/schemas/{version}/echo/{name}/{file...}", &made), echo("/api/v2/echo/{name}", &made),
	}})
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		for name, value := range pairs(headers) {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
		assert.NotEmpty(t, w.Header().Get("X-Request-Id"))
		return w
	}
	const versioned = api + "/schemas/lager_1@latest/echo/a%20b/c/d.svg"
	first := ask("GET", versioned+"?q=x&tags=a,,b&tags=c&loud=true&limit=7&unknown=1")
	require.Equal(t, 200, first.Code, first.Body)
	assert.Equal(t, oddStable+" a b c/d.svg x 7 [a b c] true", first.Body.String())
	assert.Equal(t, "public, max-age=86400, immutable", first.Header().Get("Cache-Control"))
	assert.Equal(t, "/dc/api/v2/schemas/"+oddStable+"/echo/a%20b/c/d.svg?q=x&limit=7&tags=a%2C%2Cb%2Cc&loud=true", first.Header().Get("Content-Location"))
	assert.NotEmpty(t, first.Header().Get("Service-Content-Hash"))
	assert.Equal(t, "en", first.Header().Get("Content-Language"))
	assert.Equal(t, "text/plain", first.Header().Get("Content-Type"))

	// Equal requests share a response, others do not.
	assert.Equal(t, http.StatusNotModified, ask("GET", versioned+"?limit=7&q=x&tags=a,,b,c&loud=true", "If-None-Match", tagOf(first)).Code)
	assert.Equal(t, 1, made)
	for i, path := range []string{
		api + "/schemas/" + oddBeta + "/echo/a%20b/c/d.svg", api + "/schemas/lager_1@latest/echo/a/c/d.svg", api + "/schemas/lager_1@latest/echo/a/c/d", versioned + "?q=y",
		api + "/echo/a", api + "/echo/b",
	} {
		a := ask("GET", path)
		require.Equal(t, 200, a.Code, path)
		assert.NotEqual(t, first.Body.String(), a.Body.String())
		assert.Equal(t, i+2, made)
		head := ask("HEAD", path)
		assert.Equal(t, tagOf(a), tagOf(head))
		assert.Empty(t, head.Body.String())
		assert.Equal(t, i+2, made)
	}
	assert.Equal(t, "no-store", ask("GET", api+"/schemas/"+oddBeta+"/echo/a/c").Header().Get("Cache-Control"))
	assert.Equal(t, "no-cache", ask("GET", api+"/echo/a").Header().Get("Cache-Control"))
	assert.Empty(t, ask("GET", api+"/echo/a").Header().Get("Content-Location"))
	assert.Equal(t, http.StatusPreconditionFailed, ask("GET", api+"/echo/a", "If-Match", `"x"`).Code)
	assert.Equal(t, http.StatusNoContent, ask("OPTIONS", api+"/echo/a").Code)
	assert.Equal(t, "GET, HEAD, OPTIONS", ask("POST", api+"/echo/a").Header().Get("Allow"))

	for path, want := range map[string][2]string{
		"/echo/a?loud=yes":       {"The parameter loud must be true or false.", "use true or false"},
		"/echo/a?q=1&q=2":        {"The parameter q is repeated.", "send it once"},
		"/echo/a?limit=0":        {`The limit "0" is not an integer from 1 to 200.`, "use an integer from 1 to 200"},
		"/echo/a?q=%zz":          {`The query string is malformed: invalid URL escape "%zz".`, "write % as %25"},
		"/echo/nothing":          {"There is no resource at /dc/api/v2/echo/nothing.", "ask for something"},
		"/echo/a/b":              {"There is no resource at /dc/api/v2/echo/a/b.", ""},
		"/schemas/x/echo/a/b":    {`Malformed schema version "x"`, ""},
		"/schemas/x@y/echo/a/b":  {"There is no schema version x@y.", ""},
		"/schemas/x@y/echo/a//b": {"There is no resource at /dc/api/v2/schemas/x@y/echo/a//b.", ""},
	} {
		a := ask("GET", api+path)
		assert.Contains(t, a.Body.String(), `{"ok":false,"errors":[{"code":"`, path)
		text := strings.ReplaceAll(a.Body.String(), `\"`, `"`)
		assert.Contains(t, text, want[0], path)
		assert.Contains(t, text, want[1], path)
	}
}

// tagOf returns the entity tag, whose name is not as package http writes it.
func tagOf(w *httptest.ResponseRecorder) string { return strings.Join(w.Header()["ETag"], "") } //nolint:staticcheck // as it is sent

// TestRouteBody answers with bodies that are not cached, and privately.
func TestRouteBody(t *testing.T) {
	t.Parallel()
	n := 0
	h := handler(t, &httpapi.Options{Private: true, Routes: []httpapi.Route{{Pattern: api + "/now", Read: func(context.Context, *httpapi.Request) (*httpapi.Resource, error) {
		n++
		return &httpapi.Resource{Body: &httpapi.Body{Bytes: fmt.Append(nil, n), CacheControl: "public, max-age=1"}}, nil
	}}}})
	for want := range 3 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/now", http.NoBody))
		assert.Equal(t, fmt.Sprint(want+1), w.Body.String())
		assert.Equal(t, "private, max-age=1", w.Header().Get("Cache-Control"))
		assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
	}
}

// TestRouteWork makes bodies of documents, in the memory that it is given and in its own.
func TestRouteWork(t *testing.T) {
	t.Parallel()
	m, _ := limiter(t, ratelimit.Limits{Validate: 1000})
	own := []byte("always the same")
	work := func(write func(document, dst []byte) []byte) func(context.Context, *httpapi.Request, []byte, []byte) (*datachain.Verdict, *httpapi.Body, error) {
		return func(_ context.Context, r *httpapi.Request, document, dst []byte) (*datachain.Verdict, *httpapi.Body, error) {
			if r.Flag("fail") {
				return nil, nil, &datachain.Error{Issue: issue.Issue{Code: issue.CodeBadRequest, Message: "It failed."}}
			}
			return nil, &httpapi.Body{Bytes: write(document, dst), ContentType: "text/plain", Header: http.Header{"Content-Security-Policy": {"sandbox"}}}, nil
		}
	}
	h := handler(t, &httpapi.Options{Limiter: m, MaxBody: 100_000, Routes: []httpapi.Route{
		{Pattern: api + "/schemas/{version}/twice", Bucket: ratelimit.Validate, Flags: []string{"fail"}, Work: work(func(document, dst []byte) []byte {
			return append(append(dst, document...), document...)
		})},
		{Pattern: api + "/own", Bucket: ratelimit.Validate, Work: work(func(_, _ []byte) []byte { return own })},
		{Pattern: api + "/schemas/{version}/check", Bucket: ratelimit.Validate, Work: func(ctx context.Context, r *httpapi.Request, document, _ []byte) (*datachain.Verdict, *httpapi.Body, error) {
			v, err := r.Schema.Validate(ctx, document, nil)
			return v, nil, err
		}},
	}})
	post := func(path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, api+path, strings.NewReader(body)))
		return w
	}
	for i := range 200 {
		body := strings.Repeat(string(rune('a'+i%26)), 1+i*200)
		a := post("/schemas/lager_1@latest/twice", body)
		require.Equal(t, 200, a.Code)
		require.Equal(t, body+body, a.Body.String())
		require.Equal(t, "always the same", post("/own", body).Body.String(), "its memory is not used for others")
	}
	a := post("/schemas/lager_1@latest/twice", "x")
	assert.Equal(t, "no-store", a.Header().Get("Cache-Control"))
	assert.Equal(t, "sandbox", a.Header().Get("Content-Security-Policy"))
	assert.NotEmpty(t, a.Header().Get("Service-Content-Hash"))
	assert.Empty(t, post("/own", "x").Header().Get("Service-Content-Hash"))
	assert.Equal(t, post("/schemas/lager_1@latest/validate", oddDocument(oddStable)).Body, post("/schemas/lager_1@latest/check", oddDocument(oddStable)).Body)
	assert.Equal(t, post("/schemas/lager_1@latest/validate", `{}`).Body, post("/schemas/lager_1@latest/check", `{}`).Body)
	failed := post("/schemas/lager_1@latest/twice?fail=true", "x")
	assert.Equal(t, 400, failed.Code)
	assert.Empty(t, failed.Header().Get("Content-Security-Policy"))
	assert.Equal(t, 413, post("/own", strings.Repeat("x", 100_001)).Code)
	assert.Equal(t, 404, post("/schemas/lager_1@nothing/twice", "x").Code)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/own", http.NoBody))
	assert.Equal(t, 405, w.Code)
	assert.Equal(t, "POST, OPTIONS", w.Header().Get("Allow"))
	assert.Equal(t, [4]uint64{1, 0, 409, 0}, counts(m))
}

// TestRouteBuckets charges requests of routes to their buckets.
func TestRouteBuckets(t *testing.T) {
	t.Parallel()
	m, _ := limiter(t, ratelimit.Limits{Icons: 1})
	made := 0
	drawing := echo(api+"/drawings/{name}", &made)
	drawing.Bucket = ratelimit.Icons
	h := handler(t, &httpapi.Options{Limiter: m, Routes: []httpapi.Route{drawing, echo(api+"/echo/{name}", &made)}})
	for _, path := range []string{"/drawings/a", "/drawings/b", "/echo/a"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+path, http.NoBody))
	}
	assert.Equal(t, [4]uint64{1, 2, 0, 0}, counts(m))
	assert.Equal(t, 2, made)
}

// TestRouteWithoutStore answers while the store can't be read.
func TestRouteWithoutStore(t *testing.T) {
	t.Parallel()
	made := 0
	free := echo(api+"/free/{name}", &made)
	free.Storeless = true
	broken := &troubled{Store: odd(t), index: func(context.Context) error { return errors.New("unreachable") }}
	w := open(t, broken, &httpapi.Options{ReadTimeout: time.Minute, Routes: []httpapi.Route{free, echo(api+"/echo/{name}", &made)}})
	require.Equal(t, 200, statusOf(t, w, "/free/a"))
	require.Equal(t, 502, statusOf(t, w, "/echo/a"))
}

// statusOf requests a path that the description does not have.
func statusOf(t *testing.T, w *world, path string) int {
	t.Helper()
	res, err := client.Get(w.url + api + path)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// TestInvalidRoutes refuses routes when the program starts.
func TestInvalidRoutes(t *testing.T) {
	t.Parallel()
	service := must(datachain.New(odd(t), nil))
	made := 0
	refuse := func(want string, routes ...httpapi.Route) {
		t.Helper()
		_, err := httpapi.New(service, &httpapi.Options{Routes: routes})
		require.ErrorContains(t, err, want)
	}
	for _, pattern := range []string{"", "/x", api, api + "/", api + "//x", api + "/../x", api + "/x/", "/api/v20/x"} {
		refuse("must be below /api/v2", echo(pattern, &made))
	}
	for _, pattern := range []string{"/{}", "/{a}.svg", "/x{a}", "/{a}/{a}", "/{a...}/b", "/{version...}", "/{{a}}", "/{...}"} {
		refuse("a wildcard is a whole segment", echo(api+pattern, &made))
	}
	refuse("has more than 8 segments", echo(api+"/1/2/3/4/5/6/7", &made))
	refuse("is taken", echo(api+"/schemas/{v}/manifest", &made))
	refuse("is taken", echo(api+"/a/{x}", &made), echo(api+"/a/{y}", &made))
	refuse("must have Read or Work", httpapi.Route{Pattern: api + "/x"})
	both := echo(api+"/x", &made)
	both.Work = func(context.Context, *httpapi.Request, []byte, []byte) (*datachain.Verdict, *httpapi.Body, error) {
		return nil, nil, nil
	}
	refuse("must have Read or Work", both)
	twice := echo(api+"/x", &made)
	twice.Params = []string{"tags"}
	refuse(`the parameter "tags" twice`, twice)
	storeless := echo(api+"/x/{version}", &made)
	storeless.Storeless = true
	refuse("is Storeless, and has a version", storeless)
	for part, want := range map[string]string{
		"{":                       "is not closed",
		"[]":                      "must be an object",
		`{"info": {}}`:            "a part has paths, components and tags, not info",
		`{"components":{"x":{}}}`: "there are no components that are x",
		`{"components":{"schemas":{"Issue":{}}}}`: "components.schemas has Issue in two ways",
		`{"paths":{"/api/v2/schemas":{}}}`:        "paths has /api/v2/schemas in two ways",
		`{"tags":[{"name":"Elements"}]}`:          "tags has Elements in two ways",
	} {
		described := echo(api+"/x", &made)
		described.OpenAPI = []byte(part)
		refuse(want, described)
	}
}

// TestRouteDescriptions adds the parts of routes to the description, each once.
func TestRouteDescriptions(t *testing.T) {
	t.Parallel()
	made := 0
	a, b := echo(api+"/a", &made), echo(api+"/b", &made)
	a.OpenAPI = []byte(`{"tags": [{"name": "Own"}], "paths": {"/api/v2/a": {}, "/api/v2/b": {}}, "components": {"schemas": {"Own": {"type": "object"}, "Issue": ` + issueSchema(t) + `}}}`)
	b.OpenAPI = bytes.Clone(a.OpenAPI)
	text, err := httpapi.OpenAPI("https://example.org", a, b)
	require.NoError(t, err)
	plain, err := httpapi.OpenAPI("https://example.org")
	require.NoError(t, err)
	merged, before := parseJSON(t, text), parseJSON(t, plain)
	for _, of := range []struct {
		merged, before *object
		added          []string
	}{
		{merged.at("paths"), before.at("paths"), []string{"/api/v2/a", "/api/v2/b"}},
		{merged.at("components").at("schemas"), before.at("components").at("schemas"), []string{"Own"}},
	} {
		for _, name := range of.added {
			require.NotNil(t, of.merged.get(name), name)
			of.merged.remove(name)
		}
		require.Equal(t, of.before, of.merged)
	}
	require.Len(t, merged.get("tags"), len(before.get("tags").([]any))+1)
	require.Contains(t, string(text), `"url": "https://example.org"`)
	require.Equal(t, string(text), func() string {
		w := httptest.NewRecorder()
		handler(t, &httpapi.Options{BaseURL: "https://example.org", Routes: []httpapi.Route{a, b}}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/openapi.json", http.NoBody))
		return w.Body.String()
	}())
}

// issueSchema is the schema Issue of the description, in another form.
func issueSchema(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	plain, err := httpapi.OpenAPI("")
	require.NoError(t, err)
	printInline(&b, parseJSON(t, plain).at("components").at("schemas").at("Issue"))
	return b.String()
}

// TestRouteAllocations holds cached reads of routes to few allocations.
func TestRouteAllocations(t *testing.T) {
	made := 0
	h := handler(t, &httpapi.Options{Routes: []httpapi.Route{echo(api+"/schemas/{version}/echo/{name}", &made)}})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/schemas/"+oddStable+"/echo/a?q=x", http.NoBody)
	s := &sink{header: http.Header{}}
	serve := func() {
		clear(s.header)
		h.ServeHTTP(s, r)
	}
	serve()
	require.LessOrEqual(t, testing.AllocsPerRun(100, serve), 18.0)
	require.Equal(t, 1, made)
}
