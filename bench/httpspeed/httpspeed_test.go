package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded serves our handler and returns it with the cases and their responses.
func recorded(t testing.TB) (http.Handler, []*testCase) {
	t.Helper()
	handler, err := ours(false)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	list, err := record(t.Context(), server.URL, "")
	require.NoError(t, err)
	return handler, list
}

// The bare handler sends the same responses as ours.
func TestBare(t *testing.T) {
	_, list := recorded(t)
	server := httptest.NewServer(bare(list))
	t.Cleanup(server.Close)
	for i, c := range list {
		_, err := check(t.Context(), c, server.URL+prefix(i))
		require.NoError(t, err, c.Name)
		other := *c
		other.Body = append([]byte("x"), c.Body...)
		_, err = check(t.Context(), &other, server.URL+prefix(i))
		require.Error(t, err, "other bytes are noticed")
	}
}

// The goroutine load generator counts responses and detects wrong ones.
func TestLoad(t *testing.T) {
	handler, list := recorded(t)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	l := &load{connections: 2, each: 50 * time.Millisecond}
	n, took, err := l.run(t.Context(), list[0], server.URL, "")
	require.NoError(t, err)
	assert.Positive(t, n)
	assert.GreaterOrEqual(t, took, l.each)
	_, _, err = l.run(t.Context(), list[0], server.URL+"/nothing", "")
	require.ErrorContains(t, err, "404")
}

// Servers are compared round by round, and the best of a server's rounds counts.
func TestRounds(t *testing.T) {
	m := measured{{1000, 30}, {1500, 40}, {100, 50}}
	assert.Equal(t, round{1500, 30}, m.best())
	rate, cpu := m.beside(measured{{2000, 10}, {1500, 10}, {100, 10}})
	assert.InDelta(t, 1, rate, 1e-9)
	assert.InDelta(t, 4, cpu, 1e-9)
	rate, _ = m[:2].beside(measured{{2000, 10}, {1500, 10}})
	assert.InDelta(t, 0.75, rate, 1e-9)
}

// nobody is a client that discards the response.
type nobody struct{ header http.Header }

func (n nobody) Header() http.Header         { return n.header }
func (n nobody) Write(b []byte) (int, error) { return len(b), nil }
func (n nobody) WriteHeader(int)             {}

// BenchmarkHandler compares the handlers without a network.
func BenchmarkHandler(b *testing.B) {
	handler, list := recorded(b)
	logging, err := ours(true)
	require.NoError(b, err)
	simple := bare(list)
	for i, c := range list {
		run := func(name, path string, h http.Handler) {
			b.Run(name+"/"+c.Name, func(b *testing.B) {
				ctx, cancel := context.WithCancel(b.Context()) // as that of a connection
				defer cancel()
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, path+c.Path, http.NoBody)
				r.Header.Set("Accept-Encoding", "identity")
				w := nobody{http.Header{}}
				b.ReportAllocs()
				for b.Loop() {
					clear(w.header)
					h.ServeHTTP(w, r)
				}
			})
		}
		run("ours", "", handler)
		run("ours, logging", "", logging)
		run("bare", prefix(i), simple)
	}
}
