package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/cmd/internal/server"
	handler "github.com/datachain-go/datachain/pages/server"
)

// TestRemoteStore follows a server that hangs, sends nonsense and fails in turn:
// the last good data is served meanwhile, and nothing needs a restart.
func TestRemoteStore(t *testing.T) {
	t.Parallel()
	good, err := httpapi.New(must(datachain.New(samples(t), nil)), nil)
	require.NoError(t, err)
	ended := make(chan struct{})
	handlers := map[string]http.HandlerFunc{
		"good":     good.ServeHTTP,
		"fails":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"versions":[{"id":"ai@x"}]}`) },
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		},
	}
	var mode atomic.Value
	mode.Store("hangs")
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handlers[mode.Load().(string)](w, r)
	}))
	defer upstream.Close()
	defer close(ended)
	store, err := httpstore.Open(upstream.URL, &httpstore.Options{Refresh: -1})
	require.NoError(t, err)
	defer store.Close()

	s := start(t, store, server.Options{AdminAddr: anyPort, Options: handler.Options{HTTP: httpapi.Options{ReadTimeout: 300 * time.Millisecond}}})
	status, body := s.get("/schemas")
	assert.Contains(t, []int{http.StatusBadGateway, http.StatusGatewayTimeout}, status, body)
	s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable)

	mode.Store("good")
	upstream.CloseClientConnections() // end the requests that hang
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	for _, state := range []string{"nonsense", "fails"} {
		mode.Store(state)
		before := strings.Count(s.log.String(), "store read failed")
		require.Eventually(t, func() bool {
			status, body := s.get("/schemas/ai@latest/manifest")
			require.Equal(t, http.StatusOK, status, "%s: %s", state, body)
			return strings.Count(s.log.String(), "store read failed") > before
		}, 30*time.Second, 10*time.Millisecond, state)
	}
	s.become(s.AdminURL+"/readyz", http.StatusOK)
}

// TestRemoteStoreIdle shows that a server without requests goes on reading the index of the one
// that it follows, and so reports what it refuses.
func TestRemoteStoreIdle(t *testing.T) {
	t.Parallel()
	good, err := httpapi.New(must(datachain.New(samples(t), nil)), nil)
	require.NoError(t, err)
	asked := make(chan struct{}, 100)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/schemas") {
			asked <- struct{}{}
		}
		good.ServeHTTP(w, r)
	}))
	defer upstream.Close()
	store, err := httpstore.Open(upstream.URL, nil)
	require.NoError(t, err)
	defer store.Close()
	s := start(t, store, server.Options{AdminAddr: anyPort})
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	for len(asked) > 0 { // those of the start
		<-asked
	}
	<-asked
	<-asked
}

// The id and the trace of requests.
const (
	hopID     = "hop-1"
	hopTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	hopParent = "00-" + hopTrace + "-00f067aa0ba902b7-01"
)

// hop sends a request with an id and a trace.
func (s *running) hop(method, path, body string) {
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("X-Request-Id", hopID)
	r.Header.Set("Traceparent", hopParent)
	r.Header.Set("Tracestate", "a=b")
	res, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	require.NoError(s.t, res.Body.Close())
	require.Equal(s.t, http.StatusOK, res.StatusCode, "%s", text)
	require.Equal(s.t, hopID, res.Header.Get("X-Request-Id"))
}

// hops starts a server that follows another one, and returns it with a function that
// reports whether the id and the trace of a request have reached the other one.
func hops(t *testing.T) (s *running, arrived func() bool) {
	t.Helper()
	good, err := httpapi.New(must(datachain.New(samples(t), nil)), nil)
	require.NoError(t, err)
	var passedOn atomic.Bool
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Request-Id") == hopID {
			assert.Equal(t, hopParent, r.Header.Get("Traceparent"))
			assert.Equal(t, "a=b", r.Header.Get("Tracestate"))
			passedOn.Store(true)
		}
		good.ServeHTTP(w, r)
	}))
	t.Cleanup(upstream.Close)
	store, err := httpstore.Open(upstream.URL, &httpstore.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	s = start(t, store, server.Options{AdminAddr: anyPort, Options: handler.Options{HTTP: httpapi.Options{LogRequests: true}}})
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	return s, passedOn.Load
}

// TestHops shows that a request id and a trace reach the log, and the server that
// is followed.
func TestHops(t *testing.T) {
	t.Parallel()
	s, arrived := hops(t)
	require.Eventually(t, func() bool { // another request may have asked already
		s.hop(http.MethodGet, "/api/v2/schemas", "")
		return arrived()
	}, 30*time.Second, 10*time.Millisecond)
	s.logged("request_id=" + hopID + " trace_id=" + hopTrace)
	s.get("/schemas")
	require.Eventually(t, func() bool {
		for line := range strings.Lines(s.log.String()) {
			if strings.Contains(line, "msg=request") && !strings.Contains(line, hopID) {
				return !strings.Contains(line, "trace_id")
			}
		}
		return false
	}, 30*time.Second, 5*time.Millisecond, "none was sent")
}

// TestHopsMCP shows the same for MCP, where a tool call reads the index of the server that is followed.
func TestHopsMCP(t *testing.T) {
	t.Parallel()
	s, arrived := hops(t)
	s.hop(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	require.False(t, arrived(), "this reads nothing")
	require.Eventually(t, func() bool {
		s.hop(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_schema_versions","arguments":{}}}`)
		return arrived()
	}, 30*time.Second, 10*time.Millisecond)
	s.logged("request_id=" + hopID + " trace_id=" + hopTrace)
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
