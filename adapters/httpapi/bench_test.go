package httpapi_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
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
	"github.com/datachain-go/datachain/examples/published"
)

// crowd is a limiter that counts each request for another client, so that no limit
// is reached.
type crowd struct {
	ratelimit.Limiter
	n atomic.Uint32
}

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

// BenchmarkPeer sends requests over HTTP, to the API and to a peer that only reads the same body
// and writes the same bytes.
func BenchmarkPeer(b *testing.B) {
	h := benchHandler(b)
	e, ok := documents.Find("benefits.json")
	require.True(b, ok)
	const version = api + "/schemas/ai@2026-11-15-stable"
	for _, c := range []struct {
		path string
		body []byte
	}{
		{path: "/manifest"},
		{path: "/elements"},
		{path: "/elements/decision.automated"},
		{path: "/elements?query=data+storage&limit=20"},
		{"/validate", e.Text},
		{"/resolve", e.Text},
	} {
		path := func(int) string { return version + c.path }
		b.Run(c.path[1:]+"/datachain", func(b *testing.B) { overHTTP(b, h, path, c.body) })
		b.Run(c.path[1:]+"/peer", func(b *testing.B) { overHTTP(b, peerOf(b, h, path(0), c.body), path, c.body) })
	}
}

// newRequest returns a GET, or with a body a POST.
func newRequest(b *testing.B, url string, body []byte) *http.Request {
	b.Helper()
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(b.Context(), method, url, bytes.NewReader(body))
	require.NoError(b, err)
	return r
}

// peerOf answers every request with what a handler answers one.
func peerOf(b *testing.B, h http.Handler, path string, body []byte) http.Handler {
	b.Helper()
	first := httptest.NewRecorder()
	h.ServeHTTP(first, newRequest(b, path, body))
	require.Equal(b, http.StatusOK, first.Code)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		maps.Copy(w.Header(), first.Header())
		_, _ = w.Write(first.Body.Bytes())
	})
}

func overHTTP(b *testing.B, h http.Handler, path func(i int) string, body []byte) {
	b.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	client := server.Client()
	client.Transport.(*http.Transport).DisableCompression = true
	i := 0
	for b.Loop() {
		i++
		res, err := client.Do(newRequest(b, server.URL+path(i), body))
		require.NoError(b, err)
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
}

// benchHandler serves the samples with the limits of a server, which no client reaches.
func benchHandler(b *testing.B) http.Handler {
	b.Helper()
	store, err := published.Store()
	require.NoError(b, err)
	const most = 65535
	limiter, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: most, Icons: most, Validate: most, Resolve: most}})
	require.NoError(b, err)
	h, err := httpapi.New(must(datachain.New(store, nil)), &httpapi.Options{
		Limiter: &crowd{Limiter: limiter}, LimiterBudget: -1, Logger: slog.New(slog.DiscardHandler), Observe: func(httpapi.Observation) {},
	})
	require.NoError(b, err)
	return h
}
