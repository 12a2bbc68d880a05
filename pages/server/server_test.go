package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/pages/server"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func samples(t *testing.T) *memstore.Store {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return store
}

// open returns a server that is closed at the end of the test.
func open(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	var quiet server.Options
	if o != nil {
		quiet = *o
	}
	quiet.HTTP.Logger = slog.New(slog.DiscardHandler)
	s, err := server.New(samples(t), &quiet)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func lindenau() []register.Origin {
	return []register.Origin{register.Directory(os.DirFS("../../examples/register"), nil)}
}

// client sends requests to a program.
type client struct {
	t     *testing.T
	base  string
	token string
}

// serve starts a program with a handler.
func serve(t *testing.T, h http.Handler) *client {
	t.Helper()
	running := httptest.NewServer(h)
	t.Cleanup(running.Close)
	return &client{t: t, base: running.URL}
}

// send sends a request, with a body as JSON unless it is a form.
func (c *client) send(method, path, body string) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	require.NoError(c.t, err)
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(body, "document=") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	require.NoError(c.t, err)
	defer func() { require.NoError(c.t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	return res, string(text)
}

func (c *client) get(path string) string {
	c.t.Helper()
	res, text := c.send(http.MethodGet, path, "")
	require.Equal(c.t, http.StatusOK, res.StatusCode, "%s: %s", path, text)
	return text
}

// call calls a tool and returns the data of its answer.
func (c *client) call(path, tool, arguments string) (data map[string]any) {
	c.t.Helper()
	res, text := c.send(http.MethodPost, path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`)
	require.Equal(c.t, http.StatusOK, res.StatusCode, text)
	var answer struct {
		Result struct {
			StructuredContent struct {
				OK   bool           `json:"ok"`
				Data map[string]any `json:"data"`
			} `json:"structuredContent"`
		} `json:"result"`
	}
	require.NoError(c.t, json.Unmarshal([]byte(text), &answer))
	require.True(c.t, answer.Result.StructuredContent.OK, text)
	return answer.Result.StructuredContent.Data
}

// bearer only lets requests with a token pass.
func bearer(token string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+token {
				w.Header().Set("WWW-Authenticate", "Bearer")
				http.Error(w, "Sign in first, to see "+r.URL.Path, http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

var link = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)

// TestPrefix shows that a whole server below a prefix leads nowhere else: its links, forms, hints, and
// what it describes to programs.
func TestPrefix(t *testing.T) {
	t.Parallel()
	s := open(t, &server.Options{Prefix: "/taxonomies", Authenticate: bearer("secret"), Documents: lindenau()})
	mux := http.NewServeMux()
	mux.Handle("/taxonomies/", s)
	c := serve(t, mux)
	const (
		document = "/taxonomies/d/mill-street"
		element  = `{"version":"ai@latest","element_id":"purpose.benefits"}`
	)
	form := "document=" + url.QueryEscape(`{"id": "gauge"}`)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`

	c.token = "secret"
	style := regexp.MustCompile(`/taxonomies/assets/[^"]+\.css`).FindString(c.get("/taxonomies/"))
	require.NotEmpty(t, style)
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, "/taxonomies/api/v2/schemas", ""},
		{http.MethodGet, "/taxonomies/api/v2/documents", ""},
		{http.MethodGet, "/taxonomies/api/v2/openapi.json", ""},
		{http.MethodPost, "/taxonomies/api/v2/schemas/ai@latest/validate", "{}"},
		{http.MethodPost, "/taxonomies/mcp", ping},
		{http.MethodGet, "/taxonomies/", ""},
		{http.MethodGet, document, ""},
		{http.MethodGet, document + ".json", ""},
		{http.MethodGet, style, ""},
		{http.MethodPost, "/taxonomies/play", form},
	} {
		c.token = "secret"
		res, text := c.send(r.method, r.path, r.body)
		assert.Equal(t, http.StatusOK, res.StatusCode, "%s %s: %s", r.method, r.path, text)
		assert.Empty(t, res.Header.Get("Access-Control-Allow-Origin"), r.path)
		assert.NotContains(t, res.Header.Get("Cache-Control"), "public", r.path)
		for _, link := range res.Header.Values("Link") {
			assert.Regexp(t, `^</taxonomies/`, link, r.path)
		}
		for _, method := range []string{r.method, http.MethodOptions} {
			c.token = ""
			res, text = c.send(method, r.path, r.body)
			assert.Equal(t, http.StatusUnauthorized, res.StatusCode, "%s %s", method, r.path)
			assert.Equal(t, "Sign in first, to see "+r.path+"\n", text, method)
		}
	}

	c.token = "secret"
	res, _ := c.send(http.MethodOptions, "/taxonomies/api/v2/schemas", "")
	assert.Equal(t, http.StatusNoContent, res.StatusCode)
	assert.Empty(t, res.Header.Get("Access-Control-Allow-Methods"))

	// What programs read names the prefix.
	assert.Regexp(t, `"servers": ?\[\s*\{\s*"url": ?"/taxonomies"`, c.get("/taxonomies/api/v2/openapi.json"))
	_, text := c.send(http.MethodGet, "/taxonomies/api/v2/nothing", "")
	assert.Contains(t, text, "see /taxonomies/api/v2/schemas")
	_, text = c.send(http.MethodGet, "/taxonomies/d/mill-stret", "")
	assert.NotContains(t, text, `href="/d/`)
	icon, _ := c.call("/taxonomies/mcp", "get_icon_url", element)["url"].(string)
	require.True(t, strings.HasPrefix(icon, c.base+"/taxonomies/api/v2/"), icon)
	assert.Contains(t, c.get(strings.TrimPrefix(icon, c.base)), "<svg")
	assert.Contains(t, c.call("/taxonomies/mcp", "list_documents", "{}"), "documents")

	// All links of pages stay below it, and lead somewhere.
	seen := map[string]bool{}
	for _, page := range []string{"/", "/t", "/t/ai@latest", "/t/ai@latest/e/purpose.benefits", "/d/mill-street", "/d/mill-street/sign.html", "/play", "/compose", "/docs", "/codes"} {
		for _, found := range link.FindAllStringSubmatch(c.get("/taxonomies"+page), -1) {
			address, _, _ := strings.Cut(strings.ReplaceAll(found[1], "&amp;", "&"), "#")
			if !strings.HasPrefix(address, "/") || seen[address] {
				continue // to another host, or to the page itself
			}
			seen[address] = true
			if !assert.True(t, strings.HasPrefix(address, "/taxonomies/"), "%s leads to %s", page, address) {
				continue
			}
			res, _ := c.send(http.MethodGet, address, "")
			assert.Equal(t, http.StatusOK, res.StatusCode, "%s leads to %s", page, address)
		}
	}
	assert.Greater(t, len(seen), 50)

	for _, path := range []string{"/", "/api/v2/schemas", "/mcp", "/taxonomiesapi/v2/schemas"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
		r.Header.Set("Authorization", "Bearer secret")
		s.ServeHTTP(w, r)
		assert.Equal(t, http.StatusNotFound, w.Code, path)
	}
}

// TestParts shows that parts can be left out, and that a program adds routes, tools, rules and other
// handlers of its own.
func TestParts(t *testing.T) {
	t.Parallel()
	status := func(c *client, path string) int {
		res, _ := c.send(http.MethodPost, path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		return res.StatusCode
	}
	s := open(t, nil)
	assert.Nil(t, s.Register)
	whole := serve(t, s)
	assert.Equal(t, http.StatusOK, status(whole, "/mcp"))
	assert.Contains(t, whole.get("/docs"), "list_schema_versions")
	assert.Contains(t, whole.get("/"), `href="/t/`)
	res, _ := whole.send(http.MethodGet, "/api/v2/schemas", "")
	assert.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))

	s = open(t, &server.Options{NoMCP: true, NoPages: true})
	assert.Nil(t, s.MCP)
	assert.Equal(t, http.StatusNotFound, status(serve(t, s), "/mcp"))
	assert.Equal(t, http.StatusNotFound, status(serve(t, s), "/play"))
	assert.NotContains(t, serve(t, open(t, &server.Options{NoMCP: true})).get("/docs"), "list_schema_versions")

	rule := &validate.Rule{
		Name: "greeting", Doc: "Documents greet.", DespiteShape: true, Codes: []issue.Code{"own_greeting"},
		Run: func(_ context.Context, p *validate.Pass) error {
			p.Report(issue.Issue{Code: "own_greeting", Severity: issue.SeverityWarning, Message: "There is no greeting."})
			return nil
		},
	}
	tool := mcp.Tool{
		Name: "greet", Title: "Greet", Description: "Greets.", Returns: "greeting.", ReadOnly: true,
		Call: func(context.Context, *mcp.ToolCall) (*mcp.Answer, error) {
			return &mcp.Answer{Data: map[string]any{"greeting": "hello"}}, nil
		},
	}
	route := httpapi.Route{Pattern: "/api/v2/greeting", Storeless: true, Read: func(context.Context, *httpapi.Request) (*httpapi.Resource, error) {
		return &httpapi.Resource{Make: func(context.Context) (*httpapi.Body, error) { return &httpapi.Body{Bytes: []byte(`{"ok":true}`)}, nil }}, nil
	}}
	own := serve(t, open(t, &server.Options{
		Service: datachain.Options{Rules: []*validate.Rule{rule}},
		MCP:     mcp.Options{Tools: []mcp.Tool{tool}},
		HTTP: httpapi.Options{
			MaxBody: 300, Routes: []httpapi.Route{route},
			Mounts: []httpapi.Mount{{Path: "/own", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}},
		},
	}))
	assert.Equal(t, "hello", own.call("/mcp", "greet", "{}")["greeting"])
	assert.JSONEq(t, `{"ok":true}`, own.get("/api/v2/greeting"))
	assert.Contains(t, own.get("/docs"), "Greets.")
	assert.Equal(t, http.StatusTeapot, status(own, "/own"))
	_, text := own.send(http.MethodPost, "/api/v2/schemas/ai@latest/validate", `{"id": "gauge", "schema_version": "ai@2026-11-15-stable", "created_at": "2026-06-01T10:00Z", "elements": [{"element_id": "purpose.benefits"}]}`)
	assert.Contains(t, text, "own_greeting")
	long := strings.Repeat(" ", 301)
	for _, path := range []string{"/api/v2/schemas/ai@latest/validate", "/mcp", "/play"} {
		res, text := own.send(http.MethodPost, path, "document="+long)
		assert.Equal(t, http.StatusRequestEntityTooLarge, res.StatusCode, "%s: %s", path, text)
	}
}

// TestReady shows that pages and messages that need the store wait for it, and nothing else does.
func TestReady(t *testing.T) {
	t.Parallel()
	c := serve(t, open(t, &server.Options{Ready: func(_ context.Context, version string) error {
		if version == "ai@latest" {
			return nil
		}
		return errors.New("not yet")
	}}))
	for _, r := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/", http.StatusServiceUnavailable},
		{http.MethodGet, "/t/sensor@latest", http.StatusServiceUnavailable},
		{http.MethodGet, "/t/ai@latest", http.StatusOK},
		{http.MethodGet, "/assets/none.css", http.StatusNotFound},
		{http.MethodPost, "/mcp", http.StatusServiceUnavailable},
		{http.MethodGet, "/mcp", http.StatusMethodNotAllowed},
		{http.MethodGet, "/api/v2/schemas", http.StatusOK},
	} {
		res, _ := c.send(r.method, r.path, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		assert.Equal(t, r.want, res.StatusCode, "%s %s", r.method, r.path)
	}
}

// TestOptions shows which places of a server go together, and which options are refused.
func TestOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []*server.Options{
		{Prefix: "/"},
		{Prefix: "/a/"},
		{Prefix: "/a b", HTTP: httpapi.Options{BaseURL: "https://example.org/a%20b/"}},
		{Prefix: "/b", HTTP: httpapi.Options{BaseURL: "https://example.org/a/b"}},
		{HTTP: httpapi.Options{BaseURL: "https://example.org/a"}}, // a proxy strips it
	} {
		open(t, o)
	}
	for want, o := range map[string]*server.Options{
		`server: Prefix "a" must begin with /`:                                  {Prefix: "a"},
		`server: Prefix "/a/../b" must`:                                         {Prefix: "/a/../b"},
		`server: the path of BaseURL "https://x.org" must end with Prefix "/a"`: {Prefix: "/a", HTTP: httpapi.Options{BaseURL: "https://x.org"}},
		`BaseURL "example.org"`:                                                 {HTTP: httpapi.Options{BaseURL: "example.org"}},
		"greet":                                                                 {MCP: mcp.Options{Tools: []mcp.Tool{{Name: "greet"}, {Name: "greet"}}}},
		"pages: API":                                                            {Documents: lindenau(), Pages: pages.Options{API: "x"}},
	} {
		_, err := server.New(samples(t), o)
		require.ErrorContains(t, err, want)
	}
	_, err := server.New(samples(t), nil)
	require.NoError(t, err)
	_, err = server.New(nil, nil)
	require.ErrorContains(t, err, "the store is nil")
}
