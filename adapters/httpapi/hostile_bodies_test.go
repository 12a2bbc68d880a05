package httpapi_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
)

var operations = []string{"validate", "resolve", "validate_resolved", "render", "upgrade"}

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
				if a.json == nil {
					continue // a page, which has its own limit
				}
				discreet(t, tt.body, a.text[:min(len(a.text), 4<<10)]) // the rest is similar
				most := 1 << 20
				if operation == "upgrade" {
					most += len(tt.body) // the document comes back, with a report
				}
				require.Less(t, len(a.text), most, "a response is not larger than the largest request")
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
			if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
				statuses <- res.StatusCode
			}
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
