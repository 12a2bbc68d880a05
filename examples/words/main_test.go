package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
)

// client sends requests to the server.
type client struct {
	*testing.T
	url string
}

func serve(t *testing.T) client {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	handler, err := newHandler(store)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return client{t, server.URL}
}

func (c client) send(method, path, body string) (*http.Response, string) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	require.NoError(c, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(c, err)
	defer func() { require.NoError(c, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(c, err)
	return response, string(text)
}

func (c client) call(method, params string) string {
	c.Helper()
	response, text := c.send(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
	require.Equal(c, http.StatusOK, response.StatusCode, text)
	return text
}

// TestRoute shows that the route has what those of the service have: versions, caching, errors and a
// place in the description.
func TestRoute(t *testing.T) {
	c := serve(t)
	response, text := c.send(http.MethodGet, "/api/v2/schemas/ai@latest/words", "")
	require.Equal(t, http.StatusOK, response.StatusCode, text)
	assert.JSONEq(t, `{"ok":true,"elements":[{"id":"risk.errors","words":[{"word":"entitled to","instead":"can get"}]}]}`, text)
	assert.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"))
	assert.Equal(t, "public, max-age=86400, immutable", response.Header.Get("Cache-Control"))
	assert.Equal(t, "/api/v2/schemas/ai@2026-11-15-stable/words", response.Header.Get("Content-Location"))
	assert.NotEmpty(t, response.Header.Get("Service-Content-Hash"))
	assert.Equal(t, "*", response.Header.Get("Access-Control-Allow-Origin"))

	tag := response.Header.Get("ETag")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/api/v2/schemas/ai@latest/words", http.NoBody)
	require.NoError(t, err)
	r.Header.Set("If-None-Match", tag)
	again, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, again.Body.Close())
	assert.Equal(t, http.StatusNotModified, again.StatusCode)

	response, text = c.send(http.MethodGet, "/api/v2/schemas/ai@nothing/words", "")
	assert.Equal(t, http.StatusNotFound, response.StatusCode)
	assert.Contains(t, text, `"code":"not_found"`)
	response, text = c.send(http.MethodPost, "/api/v2/schemas/ai@latest/words", "{}")
	assert.Equal(t, http.StatusMethodNotAllowed, response.StatusCode, text)

	_, text = c.send(http.MethodGet, "/api/v2/openapi.json", "")
	var description struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &description))
	assert.Contains(t, description.Paths, "/api/v2/schemas/{version}/words")
	assert.Contains(t, description.Paths, "/api/v2/schemas/{version}/manifest")
	assert.Contains(t, description.Components.Schemas, "Word")
}

func TestTool(t *testing.T) {
	c := serve(t)
	list := c.call("tools/list", `{}`)
	assert.Contains(t, list, `"name":"find_words"`)
	assert.Contains(t, list, `"name":"validate_datachain"`)
	assert.Contains(t, c.call("tools/call", `{"name":"find_words","arguments":{"text":"We utilise data."}}`),
		`"structuredContent":{"ok":true,"data":{"words":[{"word":"utilise","instead":"use"}]},"meta":{}}`)
	assert.Contains(t, c.call("tools/call", `{"name":"find_words","arguments":{"txt":"a"}}`),
		`"code":"invalid_arguments","message":"The argument text is missing.","path":"text","fix_hint":"add text, such as`)
}

// TestRule validates a document over REST and MCP.
func TestRule(t *testing.T) {
	c := serve(t)
	e, ok := documents.Find("benefits.json")
	require.True(t, ok)
	const want = `"code":"lindenau_word","message":"The text has the word \"entitled to\".","path":"description[0].value","fix_hint":"write can get","severity":"warning"`
	_, text := c.send(http.MethodPost, "/api/v2/schemas/ai@latest/validate", string(e.Text))
	assert.Contains(t, text, want)
	text = c.call("tools/call", `{"name":"validate_datachain","arguments":{"version":"ai@latest","datachain":`+string(e.Text)+`}}`)
	assert.Contains(t, text, want)
	plain := strings.Replace(string(e.Text), "be entitled to", "get", 1)
	_, text = c.send(http.MethodPost, "/api/v2/schemas/ai@latest/validate", plain)
	assert.NotContains(t, text, "lindenau_word")
}
