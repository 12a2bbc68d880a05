package mirror_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/mirror"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
)

func TestOpenRefuses(t *testing.T) {
	for _, at := range []string{"ftp://register.example", "https://", "register.example", "https://[::1"} {
		_, err := mirror.Open(at, nil, "")
		require.ErrorContains(t, err, "must be a directory, or a URL such as https://register.example.org", at)
	}
}

// TestFailures mirrors a server that gives no register. Package stores has the tests of what is
// mirrored.
func TestFailures(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	const hash = "sha256-0000000000000000000000000000000000000000000000000000000000000001"
	changes := `{"changes": [{"slug": "rain"}], "next": 1}`
	for name, c := range map[string]struct {
		changes, history, want string
		status                 int
		retry                  string
	}{
		"no register":   {status: http.StatusNotFound, want: "the server has no register of documents"},
		"overloaded":    {status: http.StatusServiceUnavailable, retry: "1000", want: "waiting until "},
		"no JSON":       {changes: "<html>", want: "invalid character '<'"},
		"other history": {changes: changes, history: "[]", want: "the history of 1 document can't be read, such as that of rain: json: "},
		"incomplete":    {changes: changes, history: `{"id": "rain", "slug": "rain", "current": "` + hash + `"}`, want: "rain: the answer is incomplete"},
		"invalid slug":  {changes: changes, history: `{"id": "r", "slug": "../r", "current": "` + hash + `", "editions": [{"edition": "` + hash + `"}]}`, want: "rain: the answer is incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				text := c.changes
				if r.URL.Path == "/api/v2/documents/rain/history" {
					text = c.history
				}
				if c.retry != "" {
					w.Header().Set("Retry-After", c.retry)
				}
				if c.status != 0 {
					w.WriteHeader(c.status)
				}
				_, _ = w.Write([]byte(text))
			}))
			defer server.Close()
			origin, err := mirror.Open(server.URL, nil, "")
			require.NoError(t, err)
			for range 2 {
				_, err = register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
			}
			require.ErrorContains(t, err, c.want)
			if c.retry != "" {
				require.EqualValues(t, 1, requests.Load(), "no request before the time that the server named")
			}
		})
	}
}
