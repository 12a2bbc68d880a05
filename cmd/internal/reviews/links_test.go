package reviews_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/fetch"
	"github.com/datachain-go/datachain/cmd/internal/reviews"
	"github.com/datachain-go/datachain/register/review"
)

// secret is in the bodies and headers of hosts, and must not be shown.
const secret = "do not print"

func TestLinks(t *testing.T) {
	t.Parallel()
	var inside atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	t.Cleanup(private.Close)
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "datachain (+https://register.example)", r.UserAgent())
		head := r.Method == http.MethodHead
		switch r.URL.Path {
		case "/good":
			assert.True(t, head, "GET is not needed")
		case "/get-only", "/get-dead":
			if head || r.URL.Path == "/get-dead" {
				http.Error(w, secret, http.StatusNotFound)
				return
			}
		case "/gone":
			http.Error(w, secret, http.StatusGone)
		case "/moved":
			http.Redirect(w, r, "/good", http.StatusMovedPermanently)
		case "/moved-dead":
			http.Redirect(w, r, "/gone", http.StatusPermanentRedirect)
		case "/for-now":
			http.Redirect(w, r, "/good", http.StatusFound)
		case "/inside":
			http.Redirect(w, r, private.URL, http.StatusFound)
		case "/moved-inside":
			http.Redirect(w, r, private.URL, http.StatusMovedPermanently)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/busy":
			http.Error(w, secret, http.StatusServiceUnavailable)
		case "/refusing":
			http.Error(w, secret, http.StatusForbidden)
		case "/many":
			http.Error(w, secret, http.StatusTooManyRequests)
		case "/endless":
			w.WriteHeader(http.StatusTeapot)
			for !head && r.Context().Err() == nil {
				if _, err := io.WriteString(w, secret); err != nil {
					return
				}
			}
		case "/broken":
			c, _, err := http.NewResponseController(w).Hijack()
			if assert.NoError(t, err) {
				_, _ = io.WriteString(c, secret+"\r\n\r\n")
				assert.NoError(t, c.Close())
			}
		case "/slow":
			<-end
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(end) })
	closed, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nobody connects to it
	require.NoError(t, err)
	require.NoError(t, closed.Close())

	client := fetch.New(&fetch.Options{AllowPrivate: true, UserAgent: "datachain (+https://register.example)"})
	t.Cleanup(client.Close)
	for address, want := range map[string]review.Status{
		s.URL + "/good":                    {},
		s.URL + "/get-only":                {},
		s.URL + "/get-dead":                {Result: review.Dead, Reason: "the server returned status 404 Not Found"},
		s.URL + "/gone":                    {Result: review.Dead, Reason: "the server returned status 410 Gone"},
		s.URL + "/moved":                   {Result: review.Moved, Moved: s.URL + "/good"},
		s.URL + "/moved-dead":              {Result: review.Dead, Reason: "the server returned status 410 Gone"},
		s.URL + "/for-now":                 {},
		s.URL + "/inside":                  {},
		s.URL + "/moved-inside":            {Result: review.Moved, Moved: private.URL},
		s.URL + "/loop":                    {Result: review.Failed, Reason: "it redirects in a circle"},
		s.URL + "/busy":                    {Result: review.Failed, Reason: "the server returned status 503 Service Unavailable"},
		s.URL + "/refusing":                {Result: review.Failed, Reason: "the server returned status 403 Forbidden"},
		s.URL + "/many":                    {Result: review.Failed, Reason: "the server returned status 429 Too Many Requests"},
		s.URL + "/endless":                 {Result: review.Failed, Reason: "the server returned status 418 I'm a teapot"},
		s.URL + "/broken":                  {Result: review.Failed, Reason: "the request failed"},
		"http://" + closed.Addr().String(): {Result: review.Failed, Reason: "its host refused the connection"},
	} {
		got := reviews.Links(client)(t.Context(), address)
		require.Equal(t, want, got, address)
		require.NotContains(t, got.Reason, secret)
	}
	require.Zero(t, inside.Load(), "a redirect to another host is not followed")

	hasty := fetch.New(&fetch.Options{AllowPrivate: true, UserAgent: "datachain (+https://register.example)", Timeout: 50 * time.Millisecond})
	t.Cleanup(hasty.Close)
	require.Equal(t, review.Status{Result: review.Timeout}, reviews.Links(hasty)(t.Context(), s.URL+"/slow"))

	guarded := fetch.New(nil)
	t.Cleanup(guarded.Close)
	require.Equal(t, review.Status{Result: review.Failed, Reason: "its host has a private address, which readers can't reach"},
		reviews.Links(guarded)(t.Context(), private.URL))
	require.Zero(t, inside.Load())
}
