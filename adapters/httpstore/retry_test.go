package httpstore_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestBackOff shows that a failing server is asked less and less often, however
// many calls there are, and is found again.
func TestBackOff(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	for _, c := range []struct {
		name     string
		retry    time.Duration
		min, max int // requests in an hour of a call each second
	}{
		// Six until the delay is a minute, then one in 60 to 75 seconds.
		{"by default", 0, 6 + 46, 7 + 60},
		{"slow", 10 * time.Minute, 5, 7},
	} {
		for _, about := range []string{"index", "release"} {
			t.Run(about+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					server := newServer(t, pubs)
					s := openLast(t, "http://server.example", &httpstore.Options{
						Refresh: time.Millisecond, RetryAfter: c.retry, HTTPClient: &http.Client{Transport: direct{server}},
					})
					require.NoError(t, holds(t, s, pubs))
					changed := []listing.Publication{pubs[0], edited(t, pubs[1].Release, "Changed")}
					server.hold(t, changed)
					failed := 0
					server.fail(func(w http.ResponseWriter, r *http.Request) bool {
						if (r.URL.Path == "/api/v2/schemas") != (about == "index") {
							return false
						}
						failed++
						return status(500)(w, r)
					})
					for range 3600 {
						r, err := s.Release(t.Context(), pubs[1].Release.Version())
						require.NoError(t, err)
						require.Equal(t, pubs[1].Release.ContentHash(), r.ContentHash())
						time.Sleep(time.Second)
					}
					synctest.Wait()
					require.GreaterOrEqual(t, failed, c.min)
					require.LessOrEqual(t, failed, c.max)
					server.fail(nil)
					time.Sleep(max(c.retry, time.Minute) * 5 / 4)
					require.NoError(t, holds(t, s, changed))
					require.NoError(t, s.Err())
				})
			})
		}
	}
}

// TestNothingToServe: a failed request is not repeated by each caller.
func TestNothingToServe(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		server.fail(status(500))
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		for range 10 {
			_, err := s.Index(t.Context())
			require.ErrorContains(t, err, "500")
		}
		require.Len(t, server.took(), 1)
		server.fail(nil)
		time.Sleep(time.Second * 5 / 4)
		require.NoError(t, holds(t, s, pubs), "the caller waits for the outcome")
	})
}

// TestHangingServer: a server that hangs costs a caller the timeout. Until it is
// time to try again, calls fail at once.
func TestHangingServer(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	beta := pubs[1].Release
	for about, timeout := range map[string]time.Duration{"index": 7 * time.Second, "release": 9 * time.Second} {
		t.Run(about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := newServer(t, pubs)
				s := open(t, "http://server.example", &httpstore.Options{
					Refresh: -1, RetryAfter: time.Minute, Timeout: 7 * time.Second, ReleaseTimeout: 9 * time.Second,
					HTTPClient: &http.Client{Transport: direct{server}},
				})
				require.NoError(t, holds(t, s, pubs))
				server.hold(t, []listing.Publication{pubs[0], edited(t, beta, "Changed")})
				server.fail(func(_ http.ResponseWriter, r *http.Request) bool {
					if (r.URL.Path == "/api/v2/schemas") != (about == "index") {
						return false
					}
					<-r.Context().Done()
					return true
				})
				took := func() time.Duration {
					begun := time.Now()
					_, err := s.Release(t.Context(), beta.Version())
					require.ErrorContains(t, err, "the server is slow")
					return time.Since(begun)
				}
				require.Equal(t, timeout, took())
				for range 59 {
					require.Zero(t, took())
					time.Sleep(time.Second)
				}
			})
		})
	}
}

// TestRetryAfter shows that a server is left alone for as long as it asks, with
// all requests, but not for ever.
func TestRetryAfter(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	for _, c := range []struct {
		name, field string
		code        int
		want        time.Duration // 0 for a field that asks for nothing
	}{
		{"seconds", "120", 429, 2 * time.Minute},
		{"503", "120", 503, 2 * time.Minute},
		{"date", "+3m", 429, 3 * time.Minute},
		{"too long", "999999999999", 429, 15 * time.Minute},
		{"too late", "+1000h", 429, 15 * time.Minute},
		{"beyond numbers", "99999999999999999999999", 429, 0},
		{"past", "-3m", 429, 0},
		{"zero", "0", 429, 0},
		{"nonsense", "soon", 429, 0},
		{"another status", "120", 500, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := newServer(t, pubs)
				s := open(t, "http://server.example", &httpstore.Options{
					Refresh: time.Millisecond, RetryAfter: -1, HTTPClient: &http.Client{Transport: direct{server}},
				})
				_, err := s.Release(t.Context(), pubs[0].Release.Version())
				require.NoError(t, err)
				time.Sleep(time.Second)
				server.took()
				field := c.field
				if d, err := time.ParseDuration(field); err == nil && (field[0] == '+' || field[0] == '-') {
					field = time.Now().UTC().Add(d).Format(http.TimeFormat)
				}
				server.fail(status(c.code, "Retry-After", field))
				_, err = s.Index(t.Context())
				require.ErrorContains(t, err, http.StatusText(c.code))
				begun := time.Now()
				require.Len(t, server.took(), 1)
				_, err = s.Release(t.Context(), pubs[1].Release.Version())
				require.ErrorContains(t, err, http.StatusText(c.code))
				if c.want == 0 {
					require.NotEmpty(t, server.took())
					return
				}
				require.Empty(t, server.took(), "not even another release is asked for")
				time.Sleep(time.Until(begun.Add(c.want - time.Second)))
				_, err = s.Index(t.Context())
				require.ErrorContains(t, err, http.StatusText(c.code))
				require.Empty(t, server.took())
				server.fail(nil)
				time.Sleep(time.Second)
				require.NoError(t, holds(t, s, pubs))
			})
		})
	}
}

// TestPauseEnds shows that the end of a pause is not missed, however often the
// store was called meanwhile.
func TestPauseEnds(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		require.NoError(t, holds(t, s, pubs))
		time.Sleep(time.Minute)
		server.took()
		server.fail(status(429, "Retry-After", "100"))
		_, err := s.Index(t.Context())
		require.ErrorContains(t, err, "429")
		server.fail(nil)
		for range 100 {
			_, err := s.Index(t.Context())
			require.ErrorContains(t, err, "429")
			time.Sleep(time.Second)
		}
		require.Equal(t, []string{"index fault"}, server.took())
		_, err = s.Index(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"index 304"}, server.took())
	})
}
