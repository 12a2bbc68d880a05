package httpapi_test

import (
	"bytes"
	"context"
	"io"
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
	"github.com/datachain-go/datachain/examples/documents"
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
	h := benchHandler(b)
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

// BenchmarkDocuments sends a document of 13 placements, without a network.
func BenchmarkDocuments(b *testing.B) {
	h := benchHandler(b)
	const version = api + "/schemas/ai@2026-11-15-stable"
	for _, c := range []struct{ name, path, document, encoding string }{
		{"validate", "/validate", "benefits.json", ""},
		{"resolve", "/resolve", "benefits.json", ""},
		{"resolve-gzip", "/resolve", "benefits.json", "gzip"},
		{"validate_resolved", "/validate_resolved", "benefits.resolved.json", ""},
		{"render", "/render", "benefits.json", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, ok := documents.Find(c.document)
			require.True(b, ok)
			body := bytes.NewReader(e.Text)
			r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, version+c.path, body)
			r.Header.Set("Accept-Encoding", c.encoding)
			s := &sink{header: http.Header{}}
			b.SetBytes(int64(len(e.Text)))
			b.ReportAllocs()
			for b.Loop() {
				clear(s.header)
				body.Reset(e.Text)
				r.Body = io.NopCloser(body)
				h.ServeHTTP(s, r)
			}
			require.Equal(b, http.StatusOK, s.status)
		})
	}
}

// benchHandler serves the samples with the limits of a server, which no client reaches.
func benchHandler(b *testing.B) http.Handler {
	b.Helper()
	store, err := taxonomies.Store()
	require.NoError(b, err)
	const most = 65535
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: most, Icons: most, Validate: most, Resolve: most}})
	require.NoError(b, err)
	h, err := httpapi.New(must(datachain.New(store, nil)), &httpapi.Options{
		Limiter: &crowd{Limiter: limiter}, Logger: slog.New(slog.DiscardHandler), Observe: func(httpapi.Observation) {},
	})
	require.NoError(b, err)
	return h
}
