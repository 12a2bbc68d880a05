package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// crowd is a limiter that counts each request for another client, so that no limit
// is reached.
type crowd struct {
	ratelimit.Limiter
	n atomic.Uint32
}

// Local says that it decides at once, like the limiter inside.
func (*crowd) Local() {}

func (c *crowd) Allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	key.Client = netip.AddrFrom4([4]byte{10, 0, 0, byte(c.n.Add(1))})
	return c.Limiter.Allow(ctx, key)
}

// BenchmarkServe repeats reads that are cached, without a network: it measures the
// handler itself.
func BenchmarkServe(b *testing.B) {
	store, err := taxonomies.Store()
	require.NoError(b, err)
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: 65535, Icons: 65535}})
	require.NoError(b, err)
	h, err := httpapi.New(datachain.New(store, nil), &httpapi.Options{
		Limiter: &crowd{Limiter: limiter}, Logger: slog.New(slog.DiscardHandler), Observe: func(httpapi.Observation) {},
	})
	require.NoError(b, err)
	const version = api + "/schemas/" + stable
	for _, c := range []struct {
		name, path string
		had        bool // the client has the response already
	}{
		{name: "manifest", path: version + "/manifest"},
		{name: "page", path: version + "/elements"},
		{name: "element", path: version + "/elements/decision.automated"},
		{name: "icon", path: version + "/elements/decision.automated/icon.svg"},
		{name: "304", path: version + "/manifest", had: true},
		{name: "search", path: version + "/elements?query=data+storage&limit=20"},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, c.path, http.NoBody)
			r.Header.Set("User-Agent", "bench")
			s := &sink{header: http.Header{}}
			h.ServeHTTP(s, r)
			require.Equal(b, http.StatusOK, s.status)
			if c.had {
				r.Header.Set("If-None-Match", s.header.Get("ETag"))
			}
			b.ReportAllocs()
			for b.Loop() {
				clear(s.header)
				h.ServeHTTP(s, r)
			}
		})
	}
}
