package server_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	listCall     = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions","arguments":{}}}`
	elementsCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_elements","arguments":{"version":"robot@2026-01-01-beta"}}}`
)

// post sends a message to the MCP server at a URL.
func post(t *testing.T, url, message string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(message))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res, string(text)
}

// damaged is a store whose index can be read, and whose releases can't while it is.
type damaged struct {
	taxonomy.Store
	broken *changing
}

func (d *damaged) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	return d.broken.Release(ctx, v)
}

// TestMCPWithDamagedStore shows that a server which could not load any release sends
// MCP clients, and load balancers, elsewhere.
func TestMCPWithDamagedStore(t *testing.T) {
	t.Parallel()
	index, broken := new(changing), new(changing)
	index.become(t, nil, "robot@2026-01-01-beta")
	broken.become(t, errBroken)
	s := start(t, &damaged{index, broken}, server.Options{AdminAddr: anyPort})
	s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable)
	for _, message := range []string{listCall, elementsCall} {
		res, body := post(t, s.URL, message)
		assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, body)
		assert.Equal(t, "1", res.Header.Get("Retry-After"))
		assert.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
		assert.Contains(t, body, `"upstream_error"`)
		assert.NotContains(t, body, errBroken.Error(), "clients do not learn the cause")
	}

	broken.become(t, nil, "robot@2026-01-01-beta")
	require.Eventually(t, func() bool {
		res, body := post(t, s.URL, elementsCall)
		return res.StatusCode == http.StatusOK && strings.Contains(body, `"ok":true`)
	}, 30*time.Second, 10*time.Millisecond)
	// From now on there is last good data.
	broken.become(t, errBroken)
	index.become(t, errBroken)
	res, body := post(t, s.URL, elementsCall)
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, body, `"ok":true`)
}

// TestDamagedStoreIsNotCharged shows that a server which could not load any release
// charges no request that a load balancer sends elsewhere, where it is charged.
func TestDamagedStoreIsNotCharged(t *testing.T) {
	t.Parallel()
	const version = "robot@2026-01-01-beta"
	index, broken := new(changing), new(changing)
	index.become(t, nil, version)
	broken.become(t, errBroken)
	s := start(t, &damaged{index, broken}, server.Options{
		AdminAddr: anyPort,
		RateLimit: &ratelimit.Options{Limits: ratelimit.Limits{Read: 5, Icons: 5, Validate: 5, Resolve: 5}},
	})
	s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable)
	send := func(method, path string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader("{}"))
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		if res.StatusCode == http.StatusServiceUnavailable {
			assert.Equal(t, "1", res.Header.Get("Retry-After"), path)
		}
		return res.StatusCode
	}
	at := "/api/v2/schemas"
	for range 10 {
		for _, path := range []string{"/manifest", "/symbols/a.svg", "/elements"} {
			assert.Equal(t, http.StatusBadGateway, send(http.MethodGet, at+"/"+version+path), path)
		}
		for _, path := range []string{"/validate", "/resolve"} {
			assert.Equal(t, http.StatusBadGateway, send(http.MethodPost, at+"/"+version+path), path)
		}
		for _, path := range []string{"/", "/t/" + version} {
			assert.Equal(t, http.StatusServiceUnavailable, send(http.MethodGet, path), path)
		}
		assert.Equal(t, http.StatusServiceUnavailable, send(http.MethodPost, "/mcp"))
	}
	for _, bucket := range ratelimit.Buckets() {
		assert.Equal(t, "0", s.gauge(`datachain_limiter_requests_total{bucket="`+bucket.String()+`",outcome="allowed"}`))
		assert.Equal(t, "0", s.gauge(`datachain_limiter_requests_total{bucket="`+bucket.String()+`",outcome="refused"}`))
	}
	assert.Equal(t, http.StatusOK, send(http.MethodGet, "/api/v2/shapes/circle.svg"), "this needs no store")

	broken.become(t, nil, version)
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	var passed, refused int
	for range 10 {
		switch send(http.MethodGet, at+"/"+version+"/manifest") {
		case http.StatusOK:
			passed++
		case http.StatusTooManyRequests:
			refused++
		}
	}
	assert.Equal(t, 5, passed)
	assert.Equal(t, 5, refused)
}

// TestPagesWithDamagedStore shows that a page says that nothing can be read, in the language
// of the visitor, with a status by which a load balancer tries another server.
func TestPagesWithDamagedStore(t *testing.T) {
	t.Parallel()
	const version = "robot@2026-01-01-beta"
	index, broken := new(changing), new(changing)
	index.become(t, nil, version)
	broken.become(t, errBroken)
	s := start(t, &damaged{index, broken}, server.Options{AdminAddr: anyPort})
	s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable)
	for lang, title := range map[string]string{
		"en": "The taxonomy can&#39;t be read at the moment", "fr": "La taxonomie est illisible pour le moment", "es": "La taxonomía no se puede leer en este momento",
	} {
		for _, path := range []string{"/", "/t/" + version} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
			require.NoError(t, err)
			r.Header.Set("Accept", "text/html")
			r.Header.Set("Accept-Language", lang)
			res, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, path)
			assert.Contains(t, string(body), "<h1>"+title+"</h1>", path)
			assert.Contains(t, string(body), "could be read yet. Try again in a second.", path)
		}
	}
}

// TestMCPWithEmptyStore shows that a store without versions is no failure.
func TestMCPWithEmptyStore(t *testing.T) {
	t.Parallel()
	store := new(changing)
	store.become(t, nil)
	s := start(t, store, server.Options{})
	res, body := post(t, s.URL, listCall)
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, body, `"versions":[]`)
}

// slow is a store that does not answer until it is told to.
type slow struct {
	taxonomy.Store
	asked, answer chan struct{}
}

func (s *slow) Index(ctx context.Context) (*taxonomy.Index, error) {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	select {
	case <-s.answer:
		return s.Store.Index(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestMCPWaitsForStore shows that the first requests wait while the store is read for
// the first time.
func TestMCPWaitsForStore(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", anyPort)
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	store := &slow{samples(t), make(chan struct{}, 1), make(chan struct{})}
	status := make(chan int, 1)
	go func() {
		defer close(store.answer)
		<-store.asked // so it listens
		go func() {
			res, err := http.Post("http://"+addr+"/mcp", "application/json", strings.NewReader(listCall)) //nolint:noctx // the server ends it
			if assert.NoError(t, err) {
				assert.NoError(t, res.Body.Close())
				status <- res.StatusCode
			}
			close(status)
		}()
		select {
		case s := <-status:
			t.Errorf("status %d before the store was read", s)
		case <-time.After(100 * time.Millisecond): // enough to notice a server that does not wait
		}
	}()
	start(t, store, server.Options{Addr: addr})
	assert.Equal(t, http.StatusOK, <-status)
}
