package server_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/cmd/internal/server"
	handler "github.com/datachain-go/datachain/pages/server"
)

// greedy are options under which a client could take all places of a server.
func greedy(hold time.Duration) server.Options {
	return server.Options{AdminAddr: anyPort, Options: handler.Options{HTTP: httpapi.Options{
		MaxRequests: 60, WorkTimeout: hold, WriteTimeout: hold,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, // so that a test has several addresses
	}}}
}

// client returns a client with an address of its own.
func (s *running) client(trust *tls.Config, address string) func(path string) (status int, body string) {
	transport := &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}
	s.t.Cleanup(transport.CloseIdleConnections)
	return func(path string) (int, string) {
		s.t.Helper()
		r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.URL+path, nil)
		require.NoError(s.t, err)
		r.Header.Set("X-Forwarded-For", address)
		res, err := (&http.Client{Transport: transport, Timeout: time.Minute}).Do(r)
		require.NoError(s.t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(s.t, err)
		return res.StatusCode, string(text)
	}
}

// TestOneClientCannotHoldTheServer shows that a client which does not read its
// responses, or does not finish its requests, is refused, and nobody else.
func TestOneClientCannotHoldTheServer(t *testing.T) {
	t.Parallel()
	const connections, streams, share = 4, 60, 30 // half of MaxRequests
	for name, attack := range map[string]struct {
		method, path string
		finished     bool
		holds        bool // places: what is sent as a whole at once holds none
	}{
		"unread responses":       {"GET", "/api/v2/openapi.json", true, true},
		"unread small responses": {"GET", "/api/v2/shapes/circle.svg", true, false},
		"unfinished requests":    {"POST", "/api/v2/schemas/ai@latest/validate", false, true},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " over TLS"}[secure], func(t *testing.T) {
				t.Parallel()
				o, trust := greedy(10*time.Minute), (*tls.Config)(nil)
				if secure {
					o, trust = secured(t, o)
				}
				s := start(t, samples(t), o)
				statuses := map[string]int{}
				for i := range connections {
					c := s.dialHTTP2(trust, notReading())
					for range streams {
						c.ask(attack.method, attack.path, attack.finished)
					}
					answers := streams
					if !attack.finished { // the first ones hold their places
						answers -= max(0, min(streams, share-i*streams))
					}
					for status, n := range c.statuses(answers) {
						statuses[status] += n
					}
				}
				own, other := s.client(trust, ""), s.client(trust, "192.0.2.7")
				for range 40 {
					status, body := other("/api/v2/schemas")
					require.Equal(t, http.StatusOK, status, body)
				}
				if attack.holds {
					assert.Equal(t, connections*streams-share, statuses["503"], "%v", statuses)
					status, body := own("/api/v2/schemas")
					require.Equal(t, http.StatusServiceUnavailable, status)
					require.Contains(t, body, `"code":"overloaded"`)
					require.Contains(t, body, "30 of its requests are in progress")
				}
			})
		}
	}
}

// TestManySlowReadersCannotHoldTheServer shows that clients at their limit which read one byte a
// second leave room for others, however many they are.
func TestManySlowReadersCannotHoldTheServer(t *testing.T) {
	t.Parallel()
	const clients, each = 20, 30 // half of MaxRequests
	s := start(t, samples(t), greedy(10*time.Minute))
	for i := range clients {
		c := s.dialHTTP2(nil, notReading())
		c.from = fmt.Sprintf("192.0.2.%d", 100+i)
		for range each {
			c.ask("GET", "/api/v2/openapi.json", true)
		}
		require.Equal(t, map[string]int{"200": each}, c.statuses(each))
		c.ask("GET", "/api/v2/schemas", true)
		require.Equal(t, map[string]int{"503": 1}, c.statuses(1), "it is at its limit")
		go c.sip(each)
	}
	other := s.client(nil, "192.0.2.7")
	for range 40 {
		status, body := other("/api/v2/schemas")
		require.Equal(t, http.StatusOK, status, body)
	}
}

// sip reads one byte a second of the first n responses, until the connection is closed.
func (c *rawHTTP2) sip(n int) {
	for range time.Tick(time.Second) {
		for stream := range n {
			if c.framer.WriteWindowUpdate(uint32(2*stream+1), 1) != nil {
				return
			}
		}
	}
}

// TestSlowReaderEndsNoOtherStream shows that a client which does not read loses its response, while
// another client goes on over the same connection, which may be that of a proxy.
func TestSlowReaderEndsNoOtherStream(t *testing.T) {
	t.Parallel()
	o := greedy(time.Minute)
	o.HTTP.WriteTimeout = 50 * time.Millisecond
	s := start(t, samples(t), o)
	c := s.dialHTTP2(nil, notReading())
	c.from = "192.0.2.1"
	c.ask("POST", "/api/v2/schemas/ai@latest/validate", false)
	c.from = "192.0.2.2"
	c.ask("GET", "/api/v2/openapi.json", true)
	for {
		frame, err := c.framer.ReadFrame()
		require.NoError(t, err)
		if reset, ok := frame.(*http2.RSTStreamFrame); ok {
			require.EqualValues(t, 3, reset.StreamID)
			break
		}
	}
	require.NoError(t, c.framer.WriteData(1, true, []byte("{}")))
	require.Equal(t, map[string]int{"200": 1}, c.statuses(1))
}

// TestSlowReadersAreCutOff shows that a client which does not read gets its places
// back soon.
func TestSlowReadersAreCutOff(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), greedy(50*time.Millisecond))
	c := s.dialHTTP2(nil, notReading())
	for range 60 {
		c.ask("GET", "/api/v2/openapi.json", true)
	}
	require.Eventually(t, func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v2/schemas", nil)
		if err != nil {
			return false
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return false // a busy machine may take longer than the server allows
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK && s.gauge("datachain_http_requests_in_flight") == "0"
	}, time.Minute, 10*time.Millisecond)
}

// TestConnectionHasFewStreams shows that a client is told how many requests a
// connection may have.
func TestConnectionHasFewStreams(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), greedy(time.Minute))
	c := s.dialHTTP2(nil)
	frame, err := c.framer.ReadFrame()
	require.NoError(t, err)
	settings, ok := frame.(*http2.SettingsFrame)
	require.True(t, ok)
	most, ok := settings.Value(http2.SettingMaxConcurrentStreams)
	require.True(t, ok)
	require.EqualValues(t, 100, most)
}
