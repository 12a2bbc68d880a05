package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// ours serves the sample taxonomies and returns the cases with their responses.
func ours(t *testing.T) (url string, list []*testCase) {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	service := must(datachain.New(store, nil))
	pages, err := explorer.New(service, nil)
	require.NoError(t, err)
	rest, err := httpapi.New(service, &httpapi.Options{Mounts: []httpapi.Mount{{Path: "/", Handler: pages}}})
	require.NoError(t, err)
	tools, err := mcp.New(service, nil)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/", rest)
	mux.Handle(mcpPath, tools.Handler())
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	document, err := os.ReadFile("../../examples/documents/benefits.json")
	require.NoError(t, err)
	about, err := newSubject(t.Context(), server.URL, document)
	require.NoError(t, err)
	assert.Equal(t, 13, about.placements)
	assert.Greater(t, len(about.words), 100)
	list = about.cases(false)
	for _, c := range list {
		require.NoError(t, c.record(t.Context(), server.URL))
	}
	return server.URL, list
}

// The bare handler sends the same responses as ours, and the empty tool another.
func TestYardsticks(t *testing.T) {
	url, list := ours(t)
	server := httptest.NewServer(yardsticks(list))
	t.Cleanup(server.Close)
	we, bare := &candidate{name: "ours", url: url}, &candidate{name: roleBare, url: server.URL, yardstick: true}
	for i, c := range list {
		require.NoError(t, we.check(t.Context(), c, i))
		require.NoError(t, bare.check(t.Context(), c, i))
		other := *c
		other.Answer = append([]byte("x"), c.Answer...)
		require.Error(t, we.check(t.Context(), &other, i), "other bytes are noticed")
	}
	res, err := emptyCall.ask(t.Context(), server.URL)
	require.NoError(t, err)
	assert.Contains(t, string(res.body), `"structuredContent":{"ok":true}`)
}

// Both load generators count responses and detect wrong ones.
func TestLoad(t *testing.T) {
	url, list := ours(t)
	server := httptest.NewServer(yardsticks(list))
	t.Cleanup(server.Close)
	loads := []*load{{connections: 2, each: 50 * time.Millisecond}}
	if wrk, err := exec.LookPath("wrk"); err == nil {
		loads = append(loads, &load{wrk: wrk, dir: t.TempDir(), connections: 2, each: time.Second})
	}
	for _, l := range loads {
		for i, c := range list {
			if l.wrk != "" && c.words == nil {
				continue // takes a second each
			}
			for _, to := range []*candidate{{url: url}, {url: server.URL, yardstick: true}} {
				n, err := l.run(t.Context(), newTraffic(to.request(c, i)), 0)
				require.NoError(t, err, c.Name)
				assert.Positive(t, n, c.Name)
			}
		}
		_, err := l.run(t.Context(), newTraffic(list[0], url+"/nothing"), 0)
		require.Error(t, err)
	}
}

// New searches have other words each time.
func TestNewSearches(t *testing.T) {
	c := &testCase{Method: http.MethodGet, Path: "/search?query=%s", words: []string{"a", "b", "c", "d", "e"}}
	traffic := newTraffic(c, "http://example.org/case1")
	seen := make(map[string]bool)
	for n := range 25 {
		line, _, _ := strings.Cut(string(traffic.append(nil, n)), "\r\n")
		assert.False(t, seen[line], line)
		seen[line] = true
	}
	assert.True(t, seen["GET /case1/search?query=b+c HTTP/1.1"], seen)
}

func TestChosen(t *testing.T) {
	list := func() (all []*testCase) {
		for _, name := range []string{"search", "search new", "validate", "validate_resolved", "mcp a", "mcp b"} {
			all = append(all, &testCase{Name: name})
		}
		return all
	}
	for only, want := range map[string]int{"": 6, "validate": 1, "search": 2, "mcp": 2, "mcp a,validate": 2, "search,search new": 2} {
		got, err := chosen(list(), only)
		require.NoError(t, err)
		assert.Len(t, got, want, only)
	}
	_, err := chosen(list(), "validate,nothing")
	require.ErrorContains(t, err, `no request "nothing"; use some of search, search new`)
}

// Servers are compared round by round, and the best of a server's rounds counts.
func TestRounds(t *testing.T) {
	m := measured{30, 40, 50}
	assert.Equal(t, time.Duration(30), m.best())
	assert.InDelta(t, 4, m.beside(measured{10, 10, 10}), 1e-9)
	assert.InDelta(t, 2.5, m[:2].beside(measured{10, 20}), 1e-9)
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
