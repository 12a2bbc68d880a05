package httpapi_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestMain fails if a server leaves goroutines behind. It runs many tests at once:
// most of their time they wait.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // the command line, which is read next, overrides it
	code := m.Run()
	client.CloseIdleConnections()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "Goroutines are left:", err)
		code = 1
	}
	os.Exit(code)
}

// internals matches what only the operator should see.
var internals = regexp.MustCompile(`runtime error|goroutine \d|nil pointer|index out of range|panic|\.go:\d|context (deadline|canceled)|` +
	`i/o timeout|EOF|\b(taxonomy|datachain|validate|resolve|httpapi|search|icons|jsontext|json|http|url|strconv|errors|memstore|fsstore)\.[A-Z]|\(MISSING\)|%!|/secret|/tmp/|/usr/|/home/`)

// discreet fails if a text mentions internals that the client did not send.
func discreet(t *testing.T, said, text string) {
	t.Helper()
	for _, found := range internals.FindAllString(text, -1) {
		require.Contains(t, said, found, "%s", text)
	}
}

// calm fails if something panicked, or if net/http logged an error.
func (w *world) calm(t *testing.T) {
	t.Helper()
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	for _, r := range w.log.records {
		require.NotContains(t, r.Message, "panic")
		require.False(t, strings.HasPrefix(r.Message, "http: ") && !strings.HasPrefix(r.Message, "http: TLS"), r.Message)
	}
}

var operations = []string{"validate", "resolve", "validate_resolved"}

// full returns a large body that repeats an item.
func full(before, item, after string) string {
	n := (1<<17 - len(before) - len(after)) / (len(item) + 1)
	return before + strings.Repeat(item+",", n-1) + item + after
}

// TestHostileDocuments shows that every body gets a response as in the contract,
// and that the next client is served. Documents must not wait for one another here:
// on a slow machine, that would take longer than the server lets them wait.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	w := openService(t, must(datachain.New(odd(t), &datachain.Options{MaxCPU: -1})), &httpapi.Options{WorkTimeout: time.Minute, MaxWork: 1000})
	begin := `{"id":"d","schema_version":"` + oddStable + `","created_at":"2026-06-01T10:00Z",`
	snapshot := begin + `"elements":[{"element_id":"x"}],"suggested_elements":[],"schema_snapshot":{"datachain_type":{"id":"lager_1","name":[{"locale":"de","value":"x"}],"categories":[],"subchains":[]},`
	long := strings.Repeat("a", 1<<20-400)
	for name, tt := range map[string]struct {
		body   string
		status int // 0 is any of 200, 400 and 413
	}{
		"nothing":               {"", 400},
		"white space":           {strings.Repeat(" \n", 1<<16), 400},
		"brackets":              {strings.Repeat("[", 1<<20), 400},
		"braces":                {strings.Repeat(`{"a":`, 1<<17), 400},
		"nesting of 65":         {strings.Repeat("[", 65) + strings.Repeat("]", 65), 400},
		"nesting of 64":         {strings.Repeat("[", 64) + strings.Repeat("]", 64), 200},
		"a number too large":    {`{"id":1e1000000}`, 400},
		"a number too small":    {`{"id":1e-1000000}`, 400},
		"a number too long":     {`{"id":` + strings.Repeat("1", 100) + `}`, 400},
		"a key twice":           {`{"id":"a","id":"b"}`, 400},
		"a key twice, escaped":  {`{"id":"a","i\u0064":"b"}`, 400},
		"a byte order mark":     {"\ufeff{}", 400},
		"UTF-16":                {string(utf16Bytes(`{"id":"a"}`)), 400},
		"bad UTF-8":             {"{\"id\":\"\xff\"}", 400},
		"a lone surrogate":      {`{"id":"\ud800"}`, 400},
		"a NUL":                 {"{\"id\":\"\x00\"}", 400},
		"two values":            {"{}{}", 400},
		"a comment":             {"{}//", 400},
		"NaN":                   {`{"id":NaN}`, 400},
		"an unfinished string":  {`"` + long, 400},
		"a form":                {"a=b&c=d", 400},
		"null":                  {"null", 200},
		"an empty list":         {"[]", 200},
		"an empty object":       {"{}", 200},
		"only a snapshot":       {`{"schema_snapshot":{}}`, 200},
		"a pin that is a list":  {`{"schema_version":[[]]}`, 200},
		"a prototype":           {`{"__proto__":{"id":"x"},"constructor":{}}`, 200},
		"empty placements":      {full(begin+`"elements":[`, "{}", "]}"), 200},
		"zeros for placements":  {full(begin+`"elements":[`, "0", "]}"), 200},
		"unknown placements":    {full(begin+`"elements":[`, `{"element_id":"nothing"}`, "]}"), 200},
		"known placements":      {full(begin+`"elements":[`, `{"element_id":"zweck.Lagern"}`, "]}"), 0},
		"a long element":        {begin + `"elements":[{"element_id":"` + long + `"}]}`, 200},
		"a long time":           {`{"created_at":"` + strings.Repeat("9", 1<<20-100) + `"}`, 200},
		"escapes":               {begin + `"x":"` + strings.Repeat(`\u0000`, 170_000) + `","elements":[]}`, 200},
		"elements of a schema":  {full(snapshot+`"categories":[],"elements":[`, `{"id":"x","title":[],"description":[],"category_id":"c","symbol_id":"s","icon_variants":[],"variables":[]}`, "]}}"), 200},
		"categories of one":     {full(snapshot+`"elements":[],"categories":[`, `{"id":"c","name":[],"description":[],"shape":"circle","context":{"values":[]}}`, "]}}"), 200},
		"template and markup":   {begin + `"title":[{"locale":"de","value":"<script>alert(1)</script>{{x}}${y}"}],"elements":[{"element_id":"<img src=x onerror=y>"}]}`, 200},
		"a path for an element": {begin + `"elements":[{"element_id":"../../../etc/passwd"}]}`, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := w.in(t)
			for _, operation := range operations {
				a := plainPost(t, w, "/schemas/"+oddStable+"/"+operation, strings.NewReader(tt.body), nil)
				if tt.status != 0 {
					require.Equal(t, tt.status, a.StatusCode, "%s: %.300s", operation, a.text)
				}
				require.Contains(t, []int{200, 400, 413}, a.StatusCode)
				discreet(t, tt.body, a.text[:min(len(a.text), 4<<10)]) // the rest is similar
				require.Less(t, len(a.text), 1<<20, "a response is not larger than the largest request")
				if a.StatusCode != http.StatusOK {
					a.issue(t, a.StatusCode, statusCodes[a.StatusCode])
				}
			}
			a := plainPost(t, w, "/schemas/"+oddStable+"/resolve", strings.NewReader(oddDocument(oddStable)), nil)
			require.Equal(t, 200, a.StatusCode, "others are served")
		})
	}
	t.Cleanup(func() {
		w.calm(t)
		require.Empty(t, w.log.lines("request failed"), "none of this is a failure of the server")
	})
}

func utf16Bytes(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// plainPost sends a body without checking the exchange, which would take longer
// than all the rest.
func plainPost(t *testing.T, w *world, path string, body io.Reader, header map[string]string) *answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+api+path, body)
	require.NoError(t, err)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	a := &answer{Response: res, raw: raw, text: string(raw)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		require.NoError(t, json.Unmarshal(raw, &a.json), a.text)
	}
	return a
}

// TestUnsafeNumbers shows that a number that JSON allows, but that does not survive, is refused as
// such.
func TestUnsafeNumbers(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, operation := range operations {
		for _, number := range []string{"1e21", "1e400", "9007199254740993"} {
			body := strings.NewReader(strings.Replace(oddDocument(oddStable), "{", `{"n":`+number+",", 1))
			issue := plainPost(t, w, "/schemas/"+oddStable+"/"+operation, body, nil).issue(t, 400, "bad_request")
			require.Contains(t, issue["message"], "The document has a number that does not survive: line 1, column 6: the number "+number+" is beyond")
			require.Equal(t, "write the number as a string", issue["fix_hint"])
		}
	}
}

// TestEncodedBodies shows that a compressed body is refused as such.
func TestEncodedBodies(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte(oddDocument(oddStable)))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for _, operation := range operations {
		at := "/schemas/" + oddStable + "/" + operation
		for _, coding := range []string{"gzip", "GZIP", "br", "zstd, gzip", "identity, gzip", "<script>"} {
			a := plainPost(t, w, at, bytes.NewReader(packed.Bytes()), map[string]string{"Content-Encoding": coding})
			issue := a.issue(t, 400, "bad_request")
			require.Contains(t, issue["message"], coding)
			require.Contains(t, issue["fix_hint"], "Content-Encoding")
		}
		for _, coding := range []string{"", "identity", "Identity"} {
			a := plainPost(t, w, at, strings.NewReader(oddDocument(oddStable)), map[string]string{"Content-Encoding": coding})
			require.Equal(t, 200, a.StatusCode, a.text)
		}
	}
}

// TestBodiesHaveABudget shows that a client that sends all but the end of large
// bodies cannot use more memory than its half of the budget, and that the bodies of
// others are read.
func TestBodiesHaveABudget(t *testing.T) {
	t.Parallel()
	const most, clients = 8 << 10, 100
	w := open(t, odd(t), &httpapi.Options{MaxBody: most, WorkTimeout: time.Minute, TrustedProxies: loopback})
	at := "/schemas/" + oddStable + "/validate"
	statuses := make(chan int, clients)
	var conns []net.Conn
	var group sync.WaitGroup
	for range clients {
		conn := w.dial()
		conns = append(conns, conn)
		_, err := io.WriteString(conn, head("POST", at, fmt.Sprintf("Content-Length: %d", most))+strings.Repeat(" ", most-1))
		require.NoError(t, err)
		group.Go(func() {
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil { // a client that is still sending may see the connection reset instead
				statuses <- http.StatusServiceUnavailable
				return
			}
			statuses <- res.StatusCode
		})
	}
	for range clients - 32 {
		require.Equal(t, 503, <-statuses, "those above the budget are refused at once")
	}
	require.Equal(t, 200, w.get("/schemas").StatusCode)
	other := w.do(request{
		method: "POST", path: at, wrong: true, header: map[string]string{"X-Forwarded-For": "192.0.2.7"},
		body: strings.NewReader(oddDocument(oddStable) + strings.Repeat(" ", most/2)),
	})
	require.Equal(t, 200, other.StatusCode, other.text)
	for _, conn := range conns {
		_ = conn.Close()
	}
	group.Wait()
	large := oddDocument(oddStable) + strings.Repeat(" ", most/2)
	require.Eventually(t, func() bool { return w.post(at, large).StatusCode == http.StatusOK }, 30*time.Second, 10*time.Millisecond, "everything was given back")
	w.calm(t)
}

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

// TestSlowReaders shows that clients of 20 addresses, each with as many requests as it may have, which
// read one byte a second do not make others get 503, and that they are cut off in the end.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const addresses, each = 20, 4
	body := make([]byte, 32<<20) // more than sockets buffer
	var ended atomic.Int64
	w := guarded(t, &httpapi.Options{
		MaxRequests: 2 * each, MaxClientRequests: each, WriteTimeout: 5 * time.Second, TrustedProxies: loopback,
		Mounts: []httpapi.Mount{{Path: "/large", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			defer ended.Add(1)
			_, err := w.Write(body)
			assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
		})}},
	})
	address := func(i int) string { return fmt.Sprint("192.0.2.", i) }
	var readers sync.WaitGroup
	t.Cleanup(readers.Wait) // after the connections are closed
	for i := range addresses * each {
		conn := w.dial()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err := io.WriteString(conn, "GET /large HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: "+address(i%addresses)+"\r\n\r\n")
		require.NoError(t, err)
		status := make([]byte, len("HTTP/1.1 200"))
		_, err = io.ReadFull(conn, status)
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 200", string(status))
		readers.Go(func() {
			for range time.Tick(time.Second) {
				if _, err := conn.Read(status[:1]); err != nil {
					return
				}
			}
		})
	}
	from := func(i int) *answer {
		return w.do(request{path: "/schemas", header: map[string]string{"X-Forwarded-For": address(i)}})
	}
	require.Contains(t, from(0).issue(t, 503, "overloaded")["message"], "4 of its requests are in progress")
	for i := range 40 {
		require.Equal(t, 200, from(addresses+i).StatusCode)
	}
	require.Eventually(t, func() bool { return ended.Load() == addresses*each }, time.Minute, 10*time.Millisecond)
	require.Equal(t, 200, from(0).StatusCode)
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
	require.LessOrEqual(t, st.Bytes, int64(800*most))
	require.Positive(t, st.Evicted)
}
