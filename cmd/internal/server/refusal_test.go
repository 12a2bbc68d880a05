package server_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"

	"github.com/datachain-go/datachain/cmd/internal/server"
)

// say sends text over a new connection and returns the response.
func (s *running) say(trust *tls.Config, text string) (*http.Response, string) {
	s.t.Helper()
	var conn net.Conn
	var err error
	if trust != nil {
		conn, err = tls.Dial("tcp", s.host(), trust)
	} else {
		conn, err = net.Dial("tcp", s.host())
	}
	require.NoError(s.t, err)
	defer conn.Close()
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, text)
	require.NoError(s.t, err)
	method, _, _ := strings.Cut(text, " ")
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	require.NoError(s.t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return res, string(body)
}

// TestRefusalsOfNetHTTP shows that what net/http refuses by itself is an error like
// all others, with and without TLS.
func TestRefusalsOfNetHTTP(t *testing.T) {
	t.Parallel()
	o, trust := secured(t, server.Options{})
	encrypted, plain := start(t, samples(t), o), start(t, samples(t), server.Options{})
	for _, tt := range []struct {
		said   string
		status int
		code   string
	}{
		{"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"},
		{"GET /api/v2/schemas HTTP/1.1\r\n\r\n", 400, "bad_request"},
		{"GET / HTTP/7.3\r\nHost: x\r\n\r\n", 400, "bad_request"},
		{"POST /api/v2/schemas HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: deflate\r\n\r\n", 400, "bad_request"},
		{"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", 400, "bad_request"},
		{"GET /api/v2/schemas HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417, "expectation_failed"},
		{"HEAD /api/v2/schemas HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417, ""},
		{"POST /api/v2/schemas/ai@latest/validate HTTP/1.0\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}", 417, "expectation_failed"},
	} {
		for _, s := range []*running{encrypted, plain} {
			with := trust
			if s == plain {
				with = nil
			}
			res, body := s.say(with, tt.said)
			assert.Equal(t, tt.status, res.StatusCode, "%.60q", tt.said)
			assert.Equal(t, "application/json; charset=utf-8", res.Header.Get("Content-Type"))
			assert.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
			assert.NotEmpty(t, res.Header.Get("X-Request-Id"))
			assert.True(t, res.Close)
			requireCode(t, tt.code, body)
		}
	}
	res, body := encrypted.say(nil, "GET /api/v2/schemas HTTP/1.1\r\nHost: x\r\n\r\n")
	assert.Equal(t, http.StatusBadRequest, res.StatusCode)
	requireCode(t, "bad_request", body)
	assert.Contains(t, body, "https")
	encrypted.logged("TLS handshake failed")
	status, _ := encrypted.client(trust, "")("/api/v2/schemas")
	assert.Equal(t, http.StatusOK, status)
}

// requireCode fails if a body is not an error with a code; an empty code means an
// empty body.
func requireCode(t *testing.T, code, body string) {
	t.Helper()
	if code == "" {
		require.Empty(t, body)
		return
	}
	var envelope struct {
		OK     *bool
		Errors []struct{ Code, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &envelope), body)
	require.NotNil(t, envelope.OK)
	require.False(t, *envelope.OK)
	require.Len(t, envelope.Errors, 1)
	require.Equal(t, code, envelope.Errors[0].Code)
}

// TestMCPKnowsTLS shows that URLs in answers have the scheme of the request.
func TestMCPKnowsTLS(t *testing.T) {
	t.Parallel()
	o, trust := secured(t, server.Options{})
	s := start(t, samples(t), o)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_icon_url","arguments":{"version":"ai@latest","element_id":"decision.automated"}}}`
	for _, version2 := range []bool{false, true} {
		transport := &http.Transport{TLSClientConfig: trust.Clone(), ForceAttemptHTTP2: version2}
		t.Cleanup(transport.CloseIdleConnections)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/mcp", strings.NewReader(call))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		res, err := (&http.Client{Transport: transport}).Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Contains(t, string(body), `"https://127.0.0.1`)
	}
}

// TestHeadersInFrames shows that HTTP/2 headers in several frames are served.
func TestHeadersInFrames(t *testing.T) {
	t.Parallel()
	o, trust := secured(t, server.Options{})
	for _, c := range []*rawHTTP2{start(t, samples(t), o).dialHTTP2(trust), start(t, samples(t), server.Options{}).dialHTTP2(nil)} {
		block := c.fields("GET", "/api/v2/schemas")
		require.NoError(t, c.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block[:3], EndStream: true}))
		require.NoError(t, c.framer.WriteContinuation(1, true, block[3:]))
		require.Equal(t, map[string]int{"200": 1}, c.statuses(1))
	}
}
