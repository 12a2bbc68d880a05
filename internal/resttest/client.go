package resttest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Client sends requests to a handler over HTTP, and compares every exchange with the description
// that the handler serves.
type Client struct {
	t           *testing.T
	url         string
	description *Description
}

// Serve serves a handler, whose description is below /api/v2, until the test ends.
func Serve(t *testing.T, h http.Handler) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v2/openapi.json", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	d, err := Parse(w.Body.Bytes())
	require.NoError(t, err)
	return &Client{t, server.URL, d}
}

// In returns the client for a subtest.
func (c *Client) In(t *testing.T) *Client { return &Client{t, c.url, c.description} }

// Description returns the description that the handler serves.
func (c *Client) Description() *Description { return c.description }

// Answer is a response.
type Answer struct {
	*http.Response
	Text string
	JSON map[string]any // if it is an object
}

// Get requests a path below /api/v2 that must be there. Headers are pairs of name and value.
func (c *Client) Get(path string, headers ...string) *Answer {
	c.t.Helper()
	a := c.Do(http.MethodGet, path, "", headers...)
	require.Equal(c.t, http.StatusOK, a.StatusCode, "%s: %s", path, a.Text)
	return a
}

// Post sends a document to a path below /api/v2.
func (c *Client) Post(path, body string) *Answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, body, false, "Content-Type", "application/json")
}

// Do sends a request as the description has it.
func (c *Client) Do(method, path, body string, headers ...string) *Answer {
	c.t.Helper()
	return c.do(method, path, body, false, headers...)
}

// Wrong sends a request that is not as the description has it; its response must be.
func (c *Client) Wrong(method, path, body string, headers ...string) *Answer {
	c.t.Helper()
	return c.do(method, path, body, true, headers...)
}

func (c *Client) do(method, path, body string, wrong bool, headers ...string) *Answer {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url+"/api/v2"+path, strings.NewReader(body))
	require.NoError(c.t, err)
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(c.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	a := &Answer{Response: res, Text: string(raw)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") && len(raw) > 0 {
		require.NoError(c.t, json.Unmarshal(raw, &a.JSON), a.Text)
	}
	c.description.Conform(c.t, &Exchange{Request: r, Sent: []byte(body), Response: res, Raw: raw, Text: a.Text, Wrong: wrong})
	return a
}

// Issue returns the only error of a failure with the given status and code.
func (a *Answer) Issue(t *testing.T, status int, code string) map[string]any {
	t.Helper()
	require.Equal(t, status, a.StatusCode, a.Text)
	require.Equal(t, false, a.JSON["ok"], a.Text)
	list, _ := a.JSON["errors"].([]any)
	require.Len(t, list, 1, a.Text)
	issue, _ := list[0].(map[string]any)
	require.Equal(t, code, issue["code"], a.Text)
	require.Regexp(t, `^[A-Z].*\.$`, issue["message"], "a message is a sentence")
	require.NotEmpty(t, issue["fix_hint"])
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Empty(t, a.Header.Get("ETag"))
	return issue
}
