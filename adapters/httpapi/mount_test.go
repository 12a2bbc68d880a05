package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/examples/taxonomies"
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

// Handlers of other protocols are charged, observed and kept from harm like the
// rest, and speak for themselves.
func TestAlso(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: 2, Icons: 9, Validate: 9, Resolve: 9}})
	require.NoError(t, err)
	var seen []httpapi.Observation
	w := open(t, store, &httpapi.Options{
		Limiter: limiter, Also: map[string]http.Handler{"/other": other{}}, Observe: func(o httpapi.Observation) { seen = append(seen, o) },
	})
	ask := func(method, client string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, w.url+"/other", nil)
		require.NoError(t, err)
		req.Header.Set("Service-Client", client)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { require.NoError(t, res.Body.Close()) }()
		text := make([]byte, 100)
		n, _ := res.Body.Read(text)
		assert.NotEmpty(t, res.Header.Get("X-Request-Id"))
		return res.StatusCode, string(text[:n])
	}
	status, body := ask(http.MethodPut, "a")
	assert.Equal(t, "200 other PUT", fmt.Sprint(status, " ", body))
	status, body = ask(http.MethodOptions, "a")
	assert.Equal(t, "200 other OPTIONS", fmt.Sprint(status, " ", body))
	status, _ = ask(http.MethodPost, "a")
	assert.Equal(t, 200, status)
	status, body = ask(http.MethodPost, "a")
	assert.Equal(t, "429 other refuses: rate_limited", fmt.Sprint(status, " ", body))
	status, body = ask(http.MethodPost, "panic")
	assert.Equal(t, "500 other refuses: internal_error", fmt.Sprint(status, " ", body))
	assert.Equal(t, "/other", seen[0].Route)
	assert.Equal(t, 429, seen[3].Status)
}

// TestOptionsThatCantBeMeant: a mistake shows when the program starts, not when a
// client finds nothing.
func TestOptionsThatCantBeMeant(t *testing.T) {
	service := datachain.New(odd(t), nil)
	for _, base := range []string{"example.org/dc", "::bad", "dc", "//example.org", "ftp://example.org", "http://"} {
		require.Panics(t, func() { httpapi.New(service, &httpapi.Options{BaseURL: base}) }, base)
	}
	for _, path := range []string{"", "/", "mcp", "/mcp/", "POST /mcp", "/a/../mcp", "//mcp", "/api/v2", "/api/v2/schemas"} {
		require.Panics(t, func() {
			httpapi.New(service, &httpapi.Options{Also: map[string]http.Handler{path: http.NotFoundHandler()}})
		}, path)
	}
	httpapi.New(service, &httpapi.Options{BaseURL: "https://example.org/dc/", Also: map[string]http.Handler{"/mcp": http.NotFoundHandler()}})
}
