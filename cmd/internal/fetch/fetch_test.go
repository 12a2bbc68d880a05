package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/fetch"
)

// serve starts a server on 127.0.0.1, and returns its address and the number of its requests.
func serve(t *testing.T, h http.HandlerFunc) (string, *atomic.Int32) {
	t.Helper()
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, &requests
}

func client(t *testing.T, o *fetch.Options) *fetch.Client {
	t.Helper()
	c := fetch.New(o)
	t.Cleanup(c.Close)
	return c
}

func inside(t *testing.T) *fetch.Client { return client(t, &fetch.Options{AllowPrivate: true}) }

func TestGet(t *testing.T) {
	t.Parallel()
	other, reached := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "inside") })
	var port string
	at, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			assert.Equal(t, "datachain", r.UserAgent())
			assert.Empty(t, r.Header.Get("Referer"))
			assert.Empty(t, r.Header.Get("Cookie"))
			_, _ = io.WriteString(w, "text")
		case "/here":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			http.Redirect(w, r, "/file", http.StatusFound)
		case "/elsewhere":
			http.Redirect(w, r, other, http.StatusFound)
		case "/name":
			http.Redirect(w, r, "http://localhost:"+port+"/file", http.StatusFound)
		case "/scheme":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/largest":
			_, _ = io.WriteString(w, strings.Repeat("x", fetch.MaxFile))
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
					return
				}
			}
		default:
			http.Error(w, "the body of an error", http.StatusGone)
		}
	})
	u, err := url.Parse(at)
	require.NoError(t, err)
	port = u.Port()
	c := inside(t)
	for path, want := range map[string]struct {
		text string
		err  error
	}{
		"/file":      {text: "text"},
		"/file#part": {text: "text"},
		"/here":      {text: "text"},
		"/elsewhere": {err: fetch.ErrRedirect},
		"/name":      {err: fetch.ErrRedirect},
		"/scheme":    {err: fetch.ErrRedirect},
		"/loop":      {err: fetch.ErrRedirect},
		"/endless":   {err: fetch.ErrTooLarge},
		"/largest":   {text: strings.Repeat("x", fetch.MaxFile)},
	} {
		t.Run(path, func(t *testing.T) {
			text, err := c.Get(t.Context(), at+path)
			require.ErrorIs(t, err, want.err)
			require.Equal(t, want.text, string(text))
		})
	}
	require.Zero(t, reached.Load(), "the other host was not asked")

	_, err = c.Get(t.Context(), at+"/gone")
	var status *fetch.StatusError
	require.ErrorAs(t, err, &status)
	require.True(t, status.Gone())
	require.NotContains(t, err.Error(), "the body")

	for _, address := range []string{"", "/file", "ftp://example.org/", "file:///etc/passwd", "https://u:p@example.org/", "https://", "https://a b/"} {
		_, err := c.Get(t.Context(), address)
		require.ErrorIs(t, err, fetch.ErrAddress, address)
	}
}

// TestPrivate: without the option nothing on this machine is asked, under whatever name.
func TestPrivate(t *testing.T) {
	t.Parallel()
	at, requests := serve(t, func(http.ResponseWriter, *http.Request) {})
	u, err := url.Parse(at)
	require.NoError(t, err)
	c := client(t, nil)
	for _, host := range []string{"127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"} {
		_, err := c.Request(t.Context(), http.MethodGet, "http://"+net.JoinHostPort(strings.Trim(host, "[]"), u.Port()), 1)
		require.ErrorIs(t, err, fetch.ErrPrivate, host)
		_, err = c.Get(t.Context(), "https://"+net.JoinHostPort(strings.Trim(host, "[]"), u.Port()))
		require.ErrorIs(t, err, fetch.ErrPrivate, host)
	}
	_, err = c.Get(t.Context(), at)
	require.ErrorIs(t, err, fetch.ErrInsecure)
	require.Zero(t, requests.Load())
}

// TestProxy: proxies of the environment would resolve names themselves, and are not used.
func TestProxy(t *testing.T) {
	proxy, asked := serve(t, func(http.ResponseWriter, *http.Request) {})
	t.Setenv("HTTP_PROXY", proxy)
	t.Setenv("HTTPS_PROXY", proxy)
	_, err := inside(t).Request(t.Context(), http.MethodGet, "http://no-such-host.invalid/", 1)
	var unknown *net.DNSError
	require.ErrorAs(t, err, &unknown)
	require.Zero(t, asked.Load())
}

func TestRequest(t *testing.T) {
	t.Parallel()
	at, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
		case "/twice":
			http.Redirect(w, r, "/moved", http.StatusPermanentRedirect)
		case "/login":
			http.Redirect(w, r, "/moved", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "https://elsewhere.invalid/new", http.StatusMovedPermanently)
		default:
			_, _ = io.WriteString(w, "0123456789")
		}
	})
	c := inside(t)
	for path, want := range map[string]fetch.Response{
		"/new":   {Status: 200, Body: []byte("0123"), More: true},
		"/moved": {Status: 200, Body: []byte("0123"), More: true, Moved: at + "/new"},
		"/twice": {Status: 200, Body: []byte("0123"), More: true, Moved: at + "/new"},
		"/login": {Status: 200, Body: []byte("0123"), More: true},
		"/away":  {Status: 301, Moved: "https://elsewhere.invalid/new", Redirect: "https://elsewhere.invalid/new"},
	} {
		r, err := c.Request(t.Context(), http.MethodGet, at+path, 4)
		require.NoError(t, err, path)
		require.Equal(t, &want, r, path)
	}
	r, err := c.Request(t.Context(), http.MethodHead, at+"/new", 4)
	require.NoError(t, err)
	require.Equal(t, &fetch.Response{Status: 200, Body: []byte{}}, r)
}

// TestTimeout: hosts that send nothing, or never all of it, end a request in time.
func TestTimeout(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	at, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/part" {
			_, _ = io.WriteString(w, "part")
			assert.NoError(t, http.NewResponseController(w).Flush())
		}
		<-end
	})
	t.Cleanup(func() { close(end) })
	c := client(t, &fetch.Options{AllowPrivate: true, Timeout: 50 * time.Millisecond})
	for _, path := range []string{"/nothing", "/part"} {
		_, err := c.Get(t.Context(), at+path)
		require.ErrorIs(t, err, context.DeadlineExceeded, path)
	}
}

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.215.14": true, "1.1.1.1": true, "2606:4700::1111": true, "64:ff9b::1.1.1.1": true, "::ffff:1.1.1.1": true,
		"172.15.255.255": true, "172.32.0.1": true, "100.128.0.1": true,
		"0.0.0.0": false, "10.1.2.3": false, "100.64.0.1": false, "127.0.0.1": false, "127.8.9.1": false, "169.254.169.254": false,
		"172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "192.0.0.8": false, "198.19.0.1": false,
		"224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "fec0::1": false, "ff02::1": false,
		"::ffff:127.0.0.1": false, "::127.0.0.1": false, "64:ff9b::10.0.0.1": false, "64:ff9b:1::1": false, "2001::1": false, "2002:7f00:1::": false,
		"2001:db8::1": false,
	} {
		require.Equal(t, want, fetch.Public(netip.MustParseAddr(address)), address)
	}
}
