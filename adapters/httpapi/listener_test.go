package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
)

// TestUnreadable sends what net/http refuses before a handler sees it.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for said, want := range map[string]string{
		ask("GET", api+"/%zz"):                                       "%25",
		ask("GET", api+"/a b"):                                       "%20",
		"GET " + api + "/schemas HTTP/1.1\r\n\r\n":                   "Host",
		ask("GET", api+"/"+strings.Repeat("a", 2<<20)):               "too long",
		ask("POST", api+"/schemas", "Transfer-Encoding: deflate"):    "Transfer-Encoding",
		ask("GET", api+"/schemas", "bad header: x"):                  "malformed",
		strings.Replace(ask("GET", api+"/schemas"), "1.1", "7.3", 1): "version",
		"\x16\x03\x01 nonsense\r\n\r\n":                              "malformed",
	} {
		all := w.say(said)
		require.Len(t, all, 1, said[:min(80, len(said))])
		a := all[0]
		decent(t, said, a)
		require.True(t, a.Close)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.NoError(t, json.Unmarshal(a.raw, &a.json))
		issue := a.issue(t, 400, "bad_request")
		require.Contains(t, issue["message"].(string)+issue["fix_hint"].(string), want)
	}
	// On the same connection, after another response.
	all := w.say("GET " + api + "/shapes/circle.svg HTTP/1.1\r\nHost: x\r\n\r\n" + ask("GET", "/%"))
	require.Len(t, all, 2)
	require.Equal(t, 200, all[0].StatusCode)
	require.Equal(t, 400, all[1].StatusCode)
	decent(t, "/%", all[1])

	star := w.say(ask("OPTIONS", "*"))
	require.Len(t, star, 1)
	require.Equal(t, 204, star[0].StatusCode)
	decent(t, "*", star[0])
}

// TestUnfinishedHeaders shows that headers which never end do not keep an HTTP/2 connection.
func TestUnfinishedHeaders(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(handler(t, nil))
	server.Listener = httpapi.Listener(server.Listener, nil)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Config.IdleTimeout = 50 * time.Millisecond
	server.Start()
	t.Cleanup(server.Close)
	const preface, settings = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for name, rest := range map[string]string{
		"no end of the headers": "\x00\x00\x01\x01\x01\x00\x00\x00\x01\x82",
		"half a frame":          "\x00\x00\x09\x01\x05\x00\x00\x00\x01\x82",
		"half a frame header":   "\x00\x00\x09\x01",
	} {
		conn := (&world{t: t, url: server.URL}).dial()
		_, err := io.WriteString(conn, preface+settings+rest)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, conn)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, name)
	}
}

// TestStopping shows that clients are asked to disconnect once the server stops,
// also by the responses to requests that began before.
func TestStopping(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	o := &httpapi.Options{Stopping: stopping.Load}
	o.Mounts = []httpapi.Mount{{Path: "/other", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stopping.Store(true)
		_, _ = io.WriteString(w, "answer")
	})}}
	w := open(t, odd(t), o)
	paths := []string{"/api/v2/schemas", "/api/v2/schemas/" + oddStable + "/manifest", "/nothing"}
	closes := func(method, path string) bool {
		r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, http.NoBody)
		require.NoError(t, err)
		res, err := client.Do(r)
		require.NoError(t, err)
		defer res.Body.Close()
		return res.Close
	}
	for _, path := range paths {
		require.False(t, closes(http.MethodGet, path), path)
	}
	require.True(t, closes(http.MethodGet, "/other"), "it began before")
	for _, path := range paths {
		require.True(t, closes(http.MethodGet, path), path)
		require.True(t, closes(http.MethodOptions, path), path)
	}
}

// say sends text over a new connection and returns all responses until the server
// closes it, which the last request has to ask for.
func (w *world) say(text string) []*answer {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(w.t, err)
	defer conn.Close()
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	// A server that refuses a request need not read to the end.
	go func() { _, _ = io.WriteString(conn, text) }()
	r := bufio.NewReader(conn)
	method, _, _ := strings.Cut(text, " ")
	var all []*answer
	for {
		if _, err := r.Peek(1); err != nil {
			return all
		}
		res, err := http.ReadResponse(r, &http.Request{Method: method})
		require.NoError(w.t, err)
		raw, err := io.ReadAll(res.Body)
		require.NoError(w.t, err)
		if method == http.MethodHead && res.Close {
			_, _ = r.Discard(r.Buffered()) // net/http refuses before it looks at the method
		}
		all = append(all, &answer{Response: res, raw: raw, text: string(raw)})
	}
}

// decent fails if a response lacks what all responses have.
func decent(t *testing.T, said string, a *answer) {
	t.Helper()
	discreet(t, said, a.text)
	require.NotEmpty(t, a.Header.Get("X-Request-Id"), "%q: %d %s", said[:min(80, len(said))], a.StatusCode, a.text)
	require.Equal(t, "*", a.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, a.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Empty(t, a.Header.Get("Location"))
	if a.StatusCode < 400 || len(a.raw) == 0 {
		return
	}
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.NoError(t, json.Unmarshal(a.raw, &a.json), a.text)
	issue := a.issue(t, a.StatusCode, statusCodes[a.StatusCode])
	require.Less(t, len(issue["message"].(string)), 1000)
}

// statusCodes are the codes of status codes.
var statusCodes = map[int]string{
	400: "bad_request", 404: "not_found", 405: "method_not_allowed", 412: "precondition_failed", 417: "expectation_failed", 413: "payload_too_large", 429: "rate_limited",
	500: "internal_error", 502: "upstream_error", 503: "overloaded", 504: "timeout",
}

// ask returns a request that closes its connection.
func ask(method, target string, fields ...string) string {
	return method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + strings.Join(append(fields, "", ""), "\r\n")
}

// everyPath has a path of each route.
func everyPath() []string {
	fill := strings.NewReplacer("{version}", oddStable, "{element_id}", "zweck.Lagern", "{type}", "lager_1")
	var paths []string
	for pattern := range httpapi.Patterns() {
		if strings.HasPrefix(pattern, api+"/documents") || strings.HasPrefix(pattern, api+"/log/") {
			continue // they need a register or a log, not a store of versions
		}
		file := "icon.svg"
		switch {
		case strings.Contains(pattern, "/symbols/"):
			file = "Kiste-1.svg"
		case strings.Contains(pattern, "/shapes/"):
			file = "circle.svg"
		case strings.Contains(pattern, "/json-schemas/"):
			file = "instance.json"
		}
		paths = append(paths, strings.Replace(fill.Replace(pattern), "{file}", file, 1))
	}
	return paths
}

func TestEveryMethodOnEveryPath(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	methods := []string{
		"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PROPFIND", "get", "Post", "options",
		strings.Repeat("A", 1024), "M-SEARCH", "!#$%&'*+-.^_`|~", "PRI",
	}
	paths := append(everyPath(), "/", "/nothing", "/api/v2", "/metrics", "/healthz", "/debug/pprof/", "*", "x", "http://evil.example/api/v2/schemas", "evil.example:443")
	for _, method := range methods {
		t.Run(method[:min(len(method), 20)], func(t *testing.T) {
			t.Parallel()
			w := w.in(t)
			for _, path := range paths {
				said := ask(method, path)
				all := w.say(said)
				require.Len(t, all, 1, "%s %s", method, path)
				a := all[0]
				if method == "OPTIONS" && path == "*" {
					continue // for the server as a whole, by net/http
				}
				decent(t, said, a)
				if method != "GET" && method != "HEAD" && method != "POST" && method != "OPTIONS" {
					require.Contains(t, []int{400, 404, 405}, a.StatusCode, "%s %s: %s", method, path, a.text)
				}
				if a.StatusCode == http.StatusMethodNotAllowed {
					require.NotEmpty(t, a.Header.Get("Allow"))
				}
				require.NotEqual(t, 500, a.StatusCode)
			}
		})
	}
	t.Cleanup(func() { w.calm(t) })
}

// TestNotHTTP sends what is not a request, or could be taken for two.
func TestNotHTTP(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/api/v2/schemas/" + oddStable + "/validate"
	post := func(fields ...string) string { return ask("POST", at, fields...) }
	for name, tt := range map[string]struct {
		said   string
		status int
	}{
		"length and chunks":        {post("Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", 0},
		"two lengths":              {post("Content-Length: 4", "Content-Length: 5") + "{}   ", 400},
		"two lengths in one":       {post("Content-Length: 4, 5") + "{}   ", 400},
		"negative length":          {post("Content-Length: -1") + "{}", 400},
		"signed length":            {post("Content-Length: +2") + "{}", 400},
		"hex length":               {post("Content-Length: 0x2") + "{}", 400},
		"endless length":           {post("Content-Length: 99999999999999999999") + "{}", 400},
		"unknown transfer coding":  {post("Transfer-Encoding: gzip, chunked") + "0\r\n\r\n", 400},
		"hidden transfer coding":   {post("Transfer-Encoding: \x0bchunked") + "0\r\n\r\n", 400},
		"space before the colon":   {post("Transfer-Encoding : chunked") + "0\r\n\r\n", 400},
		"two transfer codings":     {post("Transfer-Encoding: chunked", "Transfer-Encoding: identity") + "0\r\n\r\n", 400},
		"a chunk without a length": {post("Transfer-Encoding: chunked") + "zz\r\n{}\r\n0\r\n\r\n", 400},
		"a chunk too long":         {post("Transfer-Encoding: chunked") + "fffffffffffffffff\r\n{}\r\n0\r\n\r\n", 400},
		"a chunk that goes on":     {post("Transfer-Encoding: chunked") + "2\r\n{}x\r\n0\r\n\r\n", 400},
		"an endless extension":     {post("Transfer-Encoding: chunked") + "2;" + strings.Repeat("a", 1<<20) + "\r\n{}\r\n0\r\n\r\n", 400},
		"a field in two lines":     {post("X-A: b\r\n c: d") + "", 400},
		"a field without a name":   {ask("GET", "/api/v2/schemas", ": x"), 400},
		"a field with a NUL":       {ask("GET", "/api/v2/schemas", "X-A: a\x00b"), 400},
		"a name with a space":      {ask("GET", "/api/v2/schemas", "X A: b"), 400},
		"a bare CR":                {ask("GET", "/api/v2/schemas", "X-A: a\rX-B: b"), 400},
		"two hosts":                {ask("GET", "/api/v2/schemas", "Host: y"), 400},
		"a garbled host":           {"GET /api/v2/schemas HTTP/1.1\r\nHost: a b<>\x7f\r\n\r\n", 400},
		"no host":                  {"GET /api/v2/schemas HTTP/1.1\r\n\r\n", 400},
		"no version":               {"GET /api/v2/schemas\r\n\r\n", 400},
		"a version of tomorrow":    {"GET /api/v2/schemas HTTP/9.9\r\nHost: x\r\n\r\n", 400},
		"a space in the address":   {ask("GET", "/api/v2/sche mas"), 400},
		"a wrong escape":           {ask("GET", "/api/v2/%zz"), 400},
		"half an escape":           {ask("GET", "/api/v2/schemas%2"), 400},
		"a control character":      {ask("GET", "/api/v2/\x01"), 400},
		"TLS":                      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 100) + "\r\n\r\n", 400},
		"nothing but line ends":    {strings.Repeat("\r\n", 1000), 400},
		"too many fields":          {ask("GET", "/api/v2/schemas", strings.Repeat("X-A: b\r\n", 400_000)+"X-B: c"), 400},
		"a field too long":         {ask("GET", "/api/v2/schemas", "X-A: "+strings.Repeat("a", 2<<20)), 400},
		"an address too long":      {ask("GET", "/"+strings.Repeat("a", 2<<20)), 400},
		"another expectation":      {post("Expect: 200-ok", "Content-Length: 2") + "{}", 417},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := w.in(t).say(tt.said)
			require.NotEmpty(t, all)
			if tt.status != 0 {
				require.Equal(t, tt.status, all[0].StatusCode, all[0].text)
			}
			require.Len(t, all, 1, "no request was smuggled in")
			decent(t, tt.said, all[0])
		})
	}
	t.Cleanup(func() { w.calm(t) })
}

// TestOddRequests sends valid but unusual requests.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	get, elements := "/api/v2/schemas", "/api/v2/schemas/"+oddStable+"/elements"
	for name, tt := range map[string]struct {
		said   string
		status int
	}{
		"HTTP/1.0":                    {"GET " + get + " HTTP/1.0\r\n\r\n", 200},
		"an address with a host":      {ask("GET", "http://user:pass@evil.example:99"+get), 200},
		"another host":                {"GET " + get + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 200},
		"an empty host":               {"GET " + get + " HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200},
		"a fragment":                  {ask("GET", get+"#x"), 404},
		"NUL in the path":             {ask("GET", "/api/v2/schemas/%00/manifest"), 400},
		"NUL in the query":            {ask("GET", elements+"?query=%00&category_id=%00"), 200},
		"bad UTF-8 in the path":       {ask("GET", "/api/v2/schemas/%ff%fe@latest/manifest"), 400},
		"raw bad UTF-8 in the path":   {ask("GET", "/api/v2/schemas/\xff\xfe@latest/manifest"), 400},
		"bad UTF-8 in the query":      {ask("GET", elements+"?query=%ff%c0%80"), 200},
		"raw bad UTF-8 in the query":  {ask("GET", elements+"?query=\xff\xc0\x80"), 200},
		"a wrong escape in the query": {ask("GET", elements+"?query=%zz"), 400},
		"10,000 parameters":           {ask("GET", elements+"?"+strings.Repeat("a=b&", 10_000)+"limit=1"), 200},
		"10,000 limits":               {ask("GET", elements+"?"+strings.Repeat("limit=1&", 10_000)), 400},
		"a long query":                {ask("GET", elements+"?query="+strings.Repeat("w%C3%B6rt+", 50_000)), 200},
		"a long path":                 {ask("GET", "/api/v2/"+strings.Repeat("a/", 300_000)), 404},
		"a long version":              {ask("GET", "/api/v2/schemas/"+strings.Repeat("a", 600_000)+"/manifest"), 400},
		"a huge cursor":               {ask("GET", elements+"?cursor="+strings.Repeat("A", 900_000)), 400},
		"a made-up cursor":            {ask("GET", elements+"?cursor=AAAAAAAAAAAAAAAA__________8B"), 400},
		"100,000 ids":                 {ask("GET", elements+"?ids="+strings.Repeat("a,b,", 50_000)), 200},
		"a huge If-None-Match":        {ask("GET", get, "If-None-Match: "+strings.Repeat(`"a",`, 200_000)), 200},
		"a broken If-None-Match":      {ask("GET", get, `If-None-Match: "`, `If-None-Match: W/`, "If-None-Match: ,,,"), 200},
		"garbage Accept-Encoding":     {ask("GET", get, "Accept-Encoding: gzip;q=NaN, zstd;q=-1, *;q=1e999, ;;;=,,\x80"), 200},
		"a huge Accept-Encoding":      {ask("GET", get, "Accept-Encoding: "+strings.Repeat("br,", 250_000)), 200},
		"ranges":                      {ask("GET", "/api/v2/shapes/circle.svg", "Range: bytes=0-0,1-1,2-", "If-Range: x"), 200},
		"a wish to upgrade":           {ask("GET", get, "Upgrade: h2c, websocket", "HTTP2-Settings: AAMAAABkAAQAAP__", "Connection: Upgrade, HTTP2-Settings"), 200},
		"a method override":           {ask("GET", get, "X-HTTP-Method-Override: DELETE"), 200},
		"another path by a field":     {ask("GET", get, "X-Original-URL: /debug/pprof/", "X-Rewrite-URL: /metrics"), 200},
		"a date from nowhere":         {ask("GET", get, "If-Modified-Since: never", "If-Unmodified-Since: 0"), 200},
		"a tag from nowhere":          {ask("GET", get, "If-Match: x"), 412},
		"a body that GET has not":     {ask("GET", get, "Content-Length: 5") + "12345", 200},
		"empty lines before":          {"\r\n\r\n" + ask("GET", get), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := w.in(t).say(tt.said)
			require.Len(t, all, 1)
			decent(t, tt.said, all[0])
			if tt.status != 0 {
				require.Equal(t, tt.status, all[0].StatusCode, all[0].text)
			}
			for name, values := range all[0].Header {
				require.Less(t, len(fmt.Sprint(values)), 16<<10, "%s of an answer that clients can take", name)
			}
		})
	}
	t.Cleanup(func() { w.calm(t) })
}

// TestHeaderInjection tries to add headers to the response.
func TestHeaderInjection(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, evil := range []string{"%0d%0aX-Evil:%201", "%0aX-Evil:1", "\u560d\u560aX-Evil:1", "x%00%0d%0a%0d%0a<script>"} {
		for _, said := range []string{
			ask("GET", "/api/v2/schemas/"+oddStable+"/elements?query="+evil+"&locales="+evil+"&fields="+evil),
			ask("GET", "/api/v2/schemas/"+evil+"/manifest"),
			ask("GET", "/"+evil),
			ask("GET", "/api/v2/schemas/"+oddStable+"/elements/"+evil),
			ask("GET", "/api/v2/schemas", "X-Request-Id: "+evil, "Service-Client: "+evil, "Origin: "+evil),
			ask("OPTIONS", "/api/v2/schemas", "Access-Control-Request-Headers: "+evil, "Origin: "+evil),
		} {
			all := w.say(said)
			require.Len(t, all, 1)
			decent(t, said, all[0])
			require.Empty(t, all[0].Header.Get("X-Evil"))
			require.Regexp(t, `^[A-Za-z0-9._-]{1,128}$`, all[0].Header.Get("X-Request-Id"))
		}
	}
	// A repeated id is ignored.
	a := w.say(ask("GET", "/api/v2/schemas", "X-Request-Id: a", "X-Request-Id: b"))[0]
	require.Greater(t, len(a.Header.Get("X-Request-Id")), 10)
	w.calm(t)
}
