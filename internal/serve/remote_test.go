package serve_test

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
	"github.com/datachain-go/datachain/internal/serve"
)

// TestRemoteStore follows a server that hangs, sends nonsense and fails in turn:
// the last good data is served meanwhile, and nothing needs a restart.
func TestRemoteStore(t *testing.T) {
	t.Parallel()
	good, err := httpapi.New(datachain.New(samples(t), nil), nil)
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
	store, err := httpstore.Open(upstream.URL, &httpstore.Options{MaxAge: -1})
	require.NoError(t, err)
	defer store.Close()

	s := start(t, store, serve.Options{AdminAddr: anyPort, HTTP: httpapi.Options{ReadTimeout: 300 * time.Millisecond}})
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

// TestHops shows that a request id and a trace reach the log, and the server that
// is followed.
func TestHops(t *testing.T) {
	t.Parallel()
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	good, err := httpapi.New(datachain.New(samples(t), nil), nil)
	require.NoError(t, err)
	var passedOn atomic.Bool
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Request-Id") == "hop-1" {
			assert.Equal(t, parent, r.Header.Get("Traceparent"))
			assert.Equal(t, "a=b", r.Header.Get("Tracestate"))
			passedOn.Store(true)
		}
		good.ServeHTTP(w, r)
	}))
	defer upstream.Close()
	store, err := httpstore.Open(upstream.URL, &httpstore.Options{MaxAge: -1})
	require.NoError(t, err)
	defer store.Close()
	s := start(t, store, serve.Options{AdminAddr: anyPort, HTTP: httpapi.Options{LogRequests: true}})
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	require.Eventually(t, func() bool { // another request may have asked already
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v2/schemas", nil)
		require.NoError(t, err)
		r.Header = http.Header{"X-Request-Id": {"hop-1"}, "Traceparent": {parent}, "Tracestate": {"a=b"}}
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, "hop-1", res.Header.Get("X-Request-Id"))
		return passedOn.Load()
	}, 30*time.Second, 10*time.Millisecond)
	s.logged("request_id=hop-1 trace_id=4bf92f3577b34da6a3ce929d0e0e4736")
	s.get("/schemas")
	require.Eventually(t, func() bool {
		for line := range strings.Lines(s.log.String()) {
			if strings.Contains(line, "msg=request") && !strings.Contains(line, "hop-1") {
				return !strings.Contains(line, "trace_id")
			}
		}
		return false
	}, 30*time.Second, 5*time.Millisecond, "none was sent")
}
