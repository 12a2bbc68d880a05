package httpapi_test

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// guarded serves like [open], with the timeouts of a real server.
func guarded(t *testing.T, o *httpapi.Options) *world {
	t.Helper()
	w := &world{t: t, log: &logbook{}}
	o.Logger = slog.New(w.log)
	handler, err := httpapi.New(must(datachain.New(odd(t), nil)), o)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(handler)
	server.Listener = httpapi.Listener(server.Listener, nil)
	server.Config.DisableGeneralOptionsHandler = true
	server.Config.ErrorLog = slog.NewLogLogger(w.log, slog.LevelError)
	server.Config.ReadHeaderTimeout = time.Second
	server.Config.WriteTimeout = 15 * time.Second
	server.Config.IdleTimeout = time.Minute
	server.Start()
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

func (w *world) dial() net.Conn {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(w.t, err)
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	w.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// TestSlowClients shows that a client that sends a byte now and then is
// disconnected, while others are served.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	w := guarded(t, &httpapi.Options{WorkTimeout: 500 * time.Millisecond})
	at := "/schemas/" + oddStable + "/validate"
	var patient atomic.Int64
	var group sync.WaitGroup
	for _, text := range []string{
		"GET /api/v2/schemas HTTP/1.1\r\nHost: x\r\nX-A: ",
		"GET /api/v2/sch",
		head("POST", at, "Content-Length: 100000") + "{",
		head("POST", at, "Transfer-Encoding: chunked") + "1\r\n{\r\n",
	} {
		for range 20 {
			conn := w.dial()
			_, err := io.WriteString(conn, text)
			require.NoError(t, err)
			group.Go(func() {
				if !cutsOff(conn) {
					patient.Add(1)
				}
			})
		}
	}
	for range 20 {
		require.Equal(t, 200, w.get("/schemas").StatusCode)
	}
	group.Wait()
	require.Zero(t, patient.Load(), "of 80 clients")
	w.calm(t)
}

// cutsOff sends a byte now and then, and reports whether the server disconnects.
func cutsOff(conn net.Conn) bool {
	closed := make(chan error)
	go func() {
		_, err := io.Copy(io.Discard, conn)
		closed <- err
	}()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-closed:
			return !errors.Is(err, os.ErrDeadlineExceeded)
		case <-ticker.C:
			_, _ = io.WriteString(conn, "a") // fails once it is disconnected
		}
	}
}

// TestAbortedUploads closes connections in the middle of bodies.
func TestAbortedUploads(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{MaxWork: 1})
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
			if err != nil {
				return
			}
			doc := oddDocument(oddStable)
			_, _ = io.WriteString(conn, head("POST", "/schemas/"+oddStable+"/"+operations[i%len(operations)], fmt.Sprintf("Content-Length: %d", len(doc)))+doc[:i%len(doc)])
			if i%2 == 0 {
				_ = conn.(*net.TCPConn).SetLinger(0) // a reset instead of a regular close
			}
			_ = conn.Close()
		})
	}
	group.Wait()
	for range 5 {
		require.Equal(t, 200, w.post("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).StatusCode, "no place was lost")
	}
	require.Empty(t, w.log.lines("request failed"), "this is not a failure of the server")
	w.calm(t)
}

// TestAbortedDownloads disconnects during a large response, or never reads it.
func TestAbortedDownloads(t *testing.T) {
	t.Parallel()
	w := guarded(t, &httpapi.Options{})
	document := largeDocument()
	for i := range 40 {
		conn := w.dial()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err := io.WriteString(conn, head("POST", "/schemas/"+oddStable+"/resolve", fmt.Sprintf("Content-Length: %d", len(document)))+document)
		require.NoError(t, err)
		switch i % 3 {
		case 0: // never reads
		case 1:
			_, err = io.CopyN(io.Discard, conn, 100) // a refusal, if the server is busy, is short
			require.NoError(t, err)
			_ = conn.Close()
		default:
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}
	again := func() *answer {
		return plainPost(t, w, "/schemas/"+oddStable+"/resolve", strings.NewReader(document), nil)
	}
	a := again()
	for ; a.StatusCode == http.StatusServiceUnavailable; a = again() {
		time.Sleep(20 * time.Millisecond) // it is still busy with the others
	}
	require.Equal(t, 200, a.StatusCode)
	require.Greater(t, len(a.raw), 300<<10)
	require.Equal(t, 200, w.get("/schemas").StatusCode)
	w.calm(t)
}

// largeDocument resolves to hundreds of kilobytes that do not compress.
func largeDocument() string {
	noise := make([]byte, 200<<10)
	_, _ = rand.Read(noise) // never fails
	return strings.TrimSuffix(oddDocument(oddStable), "}") + `,"noise":"` + hex.EncodeToString(noise) + `"}`
}

func TestPipelining(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	doc := oddDocument(oddStable)
	post := head("POST", "/schemas/"+oddStable+"/validate", fmt.Sprintf("Content-Length: %d", len(doc))) + doc
	var b strings.Builder
	for range 50 {
		b.WriteString(head("GET", "/schemas") + post + head("GET", "/nothing"))
	}
	conn := w.dial()
	go func() { _, _ = io.WriteString(conn, b.String()) }()
	r := bufio.NewReader(conn)
	for i := range 150 {
		res, err := http.ReadResponse(r, nil)
		require.NoError(t, err)
		require.Equal(t, []int{200, 200, 404}[i%3], res.StatusCode)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(t, err)
	}
}

func TestExpectContinue(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	doc := oddDocument(oddStable)
	length := fmt.Sprintf("Content-Length: %d", len(doc))
	res, conn := w.raw(head("POST", "/schemas/"+oddStable+"/validate", length, "Expect: 100-continue"))
	require.Equal(t, 100, res.StatusCode)
	_, err := io.WriteString(conn, doc)
	require.NoError(t, err)
	res, err = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode)
	// A client that is refused need not send the body.
	for path, status := range map[string]int{"/schemas/nope@latest/validate": 404, "/schemas/!/validate": 400, "/schemas": 405} {
		res, _ := w.raw(head("POST", path, length, "Expect: 100-continue"))
		require.Equal(t, status, res.StatusCode)
	}
	res, _ = w.raw(head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 99999999", "Expect: 100-continue"))
	require.Equal(t, 413, res.StatusCode)
}

// TestIdleConnections shows that others are served beside thousands of idle
// connections.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{MaxRequests: 8})
	count := 1000
	if testing.Short() {
		count = 100
	}
	for i := range count {
		conn := w.dial()
		if i%2 == 0 { // after one request
			_, err := io.WriteString(conn, head("GET", "/shapes/circle.svg"))
			require.NoError(t, err)
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.Equal(t, 200, res.StatusCode)
		}
	}
	for range 20 {
		require.Equal(t, 200, w.get("/schemas").StatusCode)
	}
}

// TestForgedAddresses shows that only a trusted proxy can change the address that
// a request is counted for.
func TestForgedAddresses(t *testing.T) {
	t.Parallel()
	m, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Read: 20}})
	require.NoError(t, err)
	w := open(t, odd(t), &httpapi.Options{Limiter: m, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	passed := 0
	for i := range 60 {
		forged := fmt.Sprintf("203.0.113.%d", i)
		a := w.do(request{path: "/schemas", header: map[string]string{
			"X-Forwarded-For": forged + ", 192.0.2.1", "Forwarded": "for=" + forged, "X-Real-Ip": forged, "True-Client-Ip": forged,
			"Cf-Connecting-Ip": forged, "X-Client-Ip": forged, "Client-Ip": forged, "X-Forwarded": forged,
		}})
		if a.StatusCode == http.StatusOK {
			passed++
			continue
		}
		a.issue(t, 429, "rate_limited")
	}
	require.Equal(t, 20, passed)
	require.Equal(t, 1, m.Stats().Keys)
}

// TestManyClients shows that the limiter stays bounded with many more clients than
// it holds, each with a name.
func TestManyClients(t *testing.T) {
	t.Parallel()
	const most = 1024
	m, err := ratelimit.NewMemory(&ratelimit.Options{MaxKeys: most})
	require.NoError(t, err)
	h := handler(t, &httpapi.Options{Limiter: m})
	var next atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := next.Add(1); i <= 20_000; i = next.Add(1) {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/shapes/circle.svg", http.NoBody)
				r.RemoteAddr = fmt.Sprintf("%d.%d.%d.%d:99", 1+i>>24, i>>16&255, i>>8&255, i&255)
				r.Header.Set("Service-Client", fmt.Sprint("name-", i))
				s := &sink{header: http.Header{}}
				h.ServeHTTP(s, r)
				if s.status != 200 {
					t.Errorf("client %d: %d", i, s.status)
				}
			}
		})
	}
	group.Wait()
	st := m.Stats()
	require.LessOrEqual(t, st.Keys, most)
	require.LessOrEqual(t, st.Bytes, int64(192*(most+64)))
	require.Positive(t, st.Evicted)
}
