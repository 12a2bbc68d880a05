package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/validate"
	a := w.post(at, oddDocument(oddStable))
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, map[string]any{"ok": true, "warnings": []any{}}, a.json)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.NotEmpty(t, a.Header.Get("Service-Content-Hash"))

	a = w.post(at, oddDocument(oddBeta))
	require.Equal(t, true, a.json["ok"], "another pin is a warning")
	require.Equal(t, "schema_version_mismatch", a.json["warnings"].([]any)[0].(map[string]any)["code"])

	a = w.post(at, strings.ReplaceAll(oddDocument(oddStable), "zweck.Lagern", "zweck.lagern"))
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, []string{"errors", "ok", "warnings"}, keys(a.json))
	require.Equal(t, []string{"INSTANCE_ELEMENT_UNKNOWN"}, a.codes())
	issue := a.json["errors"].([]any)[0].(map[string]any)
	require.Equal(t, "elements[0].element_id", issue["path"])
	require.Equal(t, "error", issue["severity"])
	require.NotEmpty(t, issue["fix_hint"])

	a = w.postWrong(at, `{"id":7,"elements":[]}`)
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, []string{"errors", "ok"}, keys(a.json), "the rules did not run")
	for _, e := range a.json["errors"].([]any) {
		issue := e.(map[string]any)
		require.Equal(t, "parse_error", issue["code"])
		require.Contains(t, issue, "path")
		require.NotEmpty(t, issue["fix_hint"])
	}
	for _, value := range []string{`[]`, `null`, `7`, `"x"`, `{}`} {
		a = w.postWrong(at, value)
		require.Equal(t, 200, a.StatusCode)
		require.Contains(t, a.codes(), "parse_error", value)
	}
}

// TestEveryCode sends the example document of each code.
func TestEveryCode(t *testing.T) {
	t.Parallel()
	w := open(t, samples(t), nil)
	files, err := filepath.Glob("../../examples/documents/_invalid/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		code := strings.TrimSuffix(filepath.Base(file), ".json")
		info, ok := issue.LookupCode(issue.Code(code))
		require.True(t, ok)
		if info.RaisedBy == "service" {
			continue // not in a verdict
		}
		if code == "REGISTER_INVALID" {
			continue // programs add its rule
		}
		strict := strings.Contains(info.RaisedBy, "strict")
		t.Run(code, func(t *testing.T) {
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			var pin struct {
				SchemaVersion string          `json:"schema_version"`
				Snapshot      json.RawMessage `json:"schema_snapshot"`
			}
			require.NoError(t, json.Unmarshal(body, &pin))
			operation, version := "/validate", pin.SchemaVersion
			if pin.Snapshot != nil {
				operation, version = "/validate_resolved", "ai@latest" // only has to exist
			}
			if code == "schema_version_mismatch" {
				version = "ai@latest-beta"
			}
			post := func(query string) *answer {
				a := w.in(t).do(request{method: "POST", path: "/schemas/" + version + operation + query, body: bytes.NewReader(body), header: map[string]string{"Content-Type": "application/json"}, wrong: code == "parse_error"})
				require.Equal(t, 200, a.StatusCode, a.text)
				return a
			}
			require.Equal(t, !strict, strings.Contains(post("").text, `"code":"`+code+`"`))
			a := post("?strict=true&include=positions")
			require.Contains(t, a.text, `"code":"`+code+`"`)
			plain := regexp.MustCompile(`,"range":\{"start":\{[^}]*\},"end":\{[^}]*\}\}`).ReplaceAllString(a.text, "")
			require.Equal(t, post("?strict=true").text, plain)
			require.Equal(t, strings.Count(a.text, `"code":`), strings.Count(a.text, `"range":`))
		})
	}
}

// TestPositions: lines and UTF-16 code units count from 0, as in editors.
func TestPositions(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable
	before := strings.Replace(oddDocument(oddStable), "{", "{\n  \"x_😀é\": 1, ", 1)
	doc := strings.ReplaceAll(before, "zweck.Lagern", "nope")
	start := strings.Index(doc, `"nope"`)
	line := strings.Index(doc, "\n") + 1
	point := func(offset int) map[string]any {
		return map[string]any{"line": 1.0, "character": float64(len(utf16.Encode([]rune(doc[line:offset])))), "offset": float64(offset)}
	}
	for _, operation := range []string{"/validate", "/resolve"} {
		a := w.post(at+operation+"?include=positions&strict=true", doc)
		found := a.json["errors"].([]any)[0].(map[string]any)
		require.Equal(t, "INSTANCE_ELEMENT_UNKNOWN", found["code"])
		require.Equal(t, map[string]any{"start": point(start), "end": point(start + len(`"nope"`))}, found["range"])
		warned := a.json["warnings"].([]any)[0].(map[string]any)
		require.Equal(t, "unknown_field", warned["code"])
		require.Equal(t, map[string]any{"line": 1.0, "character": 2.0, "offset": 4.0}, warned["range"].(map[string]any)["start"])
		require.NotContains(t, w.post(at+operation, doc).text, "unknown_field")
	}
	require.Equal(t, w.post(at+"/resolve", before).text, w.post(at+"/resolve?strict=true&include=positions", before).text, "a bundle has no findings")

	for _, operation := range []string{"/validate", "/resolve", "/validate_resolved"} {
		found := w.postWrong(at+operation+"?include=positions", "{\n\"id\"").issue(t, 400, "bad_request")
		require.Equal(t, map[string]any{"line": 1.0, "character": 4.0, "offset": 6.0}, found["range"].(map[string]any)["start"])
		require.NotContains(t, w.postWrong(at+operation, "{").issue(t, 400, "bad_request"), "range")
		w.postWrong(at+operation+"?include=positions", "").issue(t, 400, "bad_request")
		for _, query := range []string{"include=all", "include=positions,ranges", "strict=1", "strict=yes", "strict=true&strict=false"} {
			w.postWrong(at+operation+"?"+query, doc).issue(t, 400, "bad_request")
		}
		require.NotContains(t, w.postWrong(at+operation+"?strict=false&include=", doc).text, "range")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/resolve"
	sent := strings.Replace(oddDocument(oddStable), `{"id"`, `{"x_note":{"b":1,"a":2},"id"`, 1)
	a := w.post(at, sent)
	require.Equal(t, 200, a.StatusCode, a.text)
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.NotEmpty(t, a.Header.Get("Service-Content-Hash"))
	require.NotContains(t, a.json, "ok", "the bare document")
	require.Equal(t, []any{}, a.json["suggested_elements"])
	snapshot := a.json["schema_snapshot"].(map[string]any)
	require.Equal(t, []string{"categories", "datachain_type", "elements"}, keys(snapshot))
	require.Len(t, snapshot["categories"], 1)
	require.Len(t, snapshot["elements"], 1)
	require.Equal(t, []any{"zweck", "leer", "ort"}, snapshot["datachain_type"].(map[string]any)["categories"])
	canonical, err := document.Canonical([]byte(a.text))
	require.NoError(t, err)
	require.Equal(t, string(canonical), a.text)

	thin := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(sent), &thin))
	for _, added := range []string{"schema_snapshot", "suggested_elements", "authoring_provenance", "title", "description"} {
		delete(a.json, added)
	}
	require.Equal(t, thin, a.json, "placements and unknown fields come back as sent")

	again := w.post("/schemas/"+oddStable+"/validate_resolved", a.text)
	require.Equal(t, map[string]any{"ok": true, "warnings": []any{}}, again.json)

	a = w.post("/schemas/"+oddBeta+"/resolve", sent)
	require.Equal(t, []string{"schema_version_mismatch"}, a.codes(), "the bundle would contradict its pin")
	a = w.post(at, strings.ReplaceAll(sent, "zweck.Lagern", "nope"))
	require.Contains(t, a.codes(), "INSTANCE_ELEMENT_UNKNOWN")
	require.Equal(t, []string{"parse_error"}, w.postWrong(at, `{"id":"x","schema_version":"`+oddStable+`","created_at":"2026-06-01T10:00Z","elements":[]}`).codes())
}

func TestValidateResolved(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	bundle := w.post("/schemas/"+oddBeta+"/resolve", oddDocument(oddBeta)).text
	at := "/schemas/" + oddStable + "/validate_resolved"
	require.Equal(t, map[string]any{"ok": true, "warnings": []any{}}, w.post(at, bundle).json, "the version in the URL only has to exist")
	drifted := strings.Replace(bundle, "Lagern von Kisten", "Lagern von Kästen", 1)
	require.Equal(t, []string{"snapshot_drift"}, w.post(at, drifted).codes())
	thin := w.post("/schemas/"+oddBeta+"/validate", drifted)
	require.Equal(t, true, thin.json["ok"])
	require.Contains(t, thin.text, `"warnings":[{"code":"SNAPSHOT_NOT_CHECKED"`)
	require.NoError(t, store.Remove(taxonomy.MustVersion(oddBeta)))
	alone := w.post(at, drifted)
	require.Equal(t, true, alone.json["ok"], "a version that is not published is not compared")
	require.Contains(t, alone.text, `"warnings":[{"code":"SNAPSHOT_NOT_COMPARED"`)
	w.post("/schemas/"+oddBeta+"/validate_resolved", bundle).issue(t, 404, "not_found")
}

func TestBodiesThatAreNoJSON(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for _, operation := range []string{"validate", "resolve", "validate_resolved"} {
		at := "/schemas/" + oddStable + "/" + operation
		for name, body := range map[string]string{
			"empty": "", "text": "hello", "cut": `{"id":`, "trailing": `{} {}`, "duplicate": `{"a":1,"a":2}`,
			"UTF-8": "{\"a\":\"\xff\"}", "surrogate": `{"a":"\ud800"}`, "BOM": "\xef\xbb\xbf{}", "deep": deep, "number": `{"a":1e400}`, "NaN": `NaN`,
		} {
			issue := w.postWrong(at, body).issue(t, 400, "bad_request")
			require.Regexp(t, `line \d+, column \d+|empty`, issue["message"], name)
		}
	}
	a := w.do(request{method: "POST", path: "/schemas/" + oddStable + "/validate", body: strings.NewReader(oddDocument(oddStable)), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, wrong: true})
	require.Equal(t, true, a.json["ok"], "a bare curl --data works")
}

// TestResolveCap finds the document whose bundle has exactly the maximum size, and
// adds a byte.
func TestResolveCap(t *testing.T) {
	t.Parallel()
	const most = 524288
	c := oddContent()
	c.Elements[0].Description = text(strings.Repeat("ä", 100_000), "棚")
	store, err := memstore.New(publication(t, oddStable, c))
	require.NoError(t, err)
	w := open(t, store, nil)
	at := "/schemas/" + oddStable + "/resolve"
	padded := func(n int) string {
		return strings.Replace(oddDocument(oddStable), `"id":"d"`, `"id":"`+strings.Repeat("d", n)+`"`, 1)
	}
	size := len(w.post(at, padded(1)).text)
	a := w.post(at, padded(1+most-size))
	require.Equal(t, 200, a.StatusCode)
	require.Len(t, a.raw, most)
	require.Equal(t, true, w.post("/schemas/"+oddStable+"/validate_resolved", a.text).json["ok"], "what resolve returns can be sent")
	issue := w.post(at, padded(2+most-size)).issue(t, 413, "payload_too_large")
	require.Contains(t, issue["message"], "524289")
	require.Contains(t, issue["message"], "524288")
}

// TestBodiesAreNotMixedUp sends documents concurrently: an answer may use the memory of
// another one as soon as that was sent, and not before.
func TestBodiesAreNotMixedUp(t *testing.T) {
	t.Parallel()
	w := open(t, samples(t), &httpapi.Options{MaxWork: 4, WorkTimeout: 5 * time.Minute})
	var wanted []func()
	for _, name := range []string{"benefits.json", "job-screening.json"} {
		text, err := os.ReadFile("../../examples/documents/" + name)
		require.NoError(t, err)
		for _, operation := range []string{"resolve", "validate"} {
			path := "/schemas/ai@2026-11-15-stable/" + operation
			want := w.post(path, string(text)).text
			for _, encoding := range []string{"identity", "gzip"} {
				wanted = append(wanted, func() {
					a, err := w.try(request{
						method: http.MethodPost, path: path, body: bytes.NewReader(text),
						header: map[string]string{"Content-Type": "application/json", "Accept-Encoding": encoding},
					})
					if assert.NoError(t, err) {
						assert.Equal(t, want, a.text)
					}
				})
			}
		}
	}
	var all sync.WaitGroup
	for range 3 {
		for _, send := range wanted {
			all.Go(send)
		}
	}
	all.Wait()
}

// chunked is a body of unknown length.
type chunked struct{ io.Reader }

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{0, 4000} {
		w := open(t, odd(t), &httpapi.Options{MaxBody: most})
		if most == 0 {
			most = 1 << 20
		}
		exact := oddDocument(oddStable) + strings.Repeat(" ", int(most)-len(oddDocument(oddStable)))
		for _, operation := range []string{"validate", "resolve"} {
			at := "/schemas/" + oddStable + "/" + operation
			for _, body := range []string{exact, exact + " "} {
				for _, r := range []io.Reader{strings.NewReader(body), chunked{strings.NewReader(body)}} {
					a := w.do(request{method: "POST", path: at, body: r, wrong: true})
					if len(body) == int(most) {
						require.Equal(t, 200, a.StatusCode, a.text)
						require.Empty(t, a.codes())
						continue
					}
					issue := a.issue(t, 413, "payload_too_large")
					require.Contains(t, issue["message"], fmt.Sprint(most))
				}
			}
		}
	}
}

func TestHugeBody(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	endless := io.LimitReader(spaces{}, 64<<20)
	a, err := w.try(request{method: "POST", path: "/schemas/" + oddStable + "/validate", body: chunked{endless}, wrong: true})
	require.NoError(t, err, "the response comes though the body was not read")
	a.issue(t, 413, "payload_too_large")
	require.Equal(t, 200, w.get("/schemas").StatusCode)
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// raw sends text over a new connection and returns the response, with the
// connection still open.
func (w *world) raw(text string) (*http.Response, net.Conn) {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(w.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, text)
	require.NoError(w.t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(w.t, err, "there must be a response")
	return res, conn
}

func head(method, path string, fields ...string) string {
	return method + " " + api + path + " HTTP/1.1\r\nHost: x\r\n" + strings.Join(append(fields, "", ""), "\r\n")
}

// TestSlowBodies shows that a client that sends a body slowly, or never, gets a
// response and loses its connection, whether the body is read or not.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: time.Second})
	at := "/schemas/" + oddStable + "/validate"
	for _, tt := range []struct {
		name, text string
		status     int
	}{
		{"stalls", head("POST", at, "Content-Length: 500") + `{"id":`, 504},
		{"stalls chunked", head("POST", at, "Transfer-Encoding: chunked") + "5\r\n{\"id\"\r\n", 504},
		{"lies about its length", head("POST", at, "Content-Length: 999999999"), 413},
		{"is not of interest", head("POST", "/schemas/nope@latest/validate", "Content-Length: 500") + `{`, 404},
		{"belongs to a GET", head("GET", "/schemas", "Content-Length: 500") + `{`, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, conn := w.in(t).raw(tt.text)
			require.Equal(t, tt.status, res.StatusCode)
			if tt.status == 504 {
				text, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				require.Contains(t, string(text), `"code":"timeout"`)
			}
			_, err := io.Copy(io.Discard, conn)
			require.NoError(t, err, "the server closes the connection")
		})
	}
}

// TestTooLargeIsSaidAtOnce shows that a client is refused before it has sent the
// whole body.
func TestTooLargeIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{WorkTimeout: time.Hour})
	res, conn := w.raw(head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 1048600") + strings.Repeat(" ", 1<<20+1))
	require.Equal(t, 413, res.StatusCode)
	require.True(t, res.Close, "the connection cannot be reused")
	require.NoError(t, conn.Close())
}

func TestBodyThatIsCut(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, head("POST", "/schemas/"+oddStable+"/validate", "Content-Length: 500")+`{"id":`)
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, 400, res.StatusCode)
}

// deadlines is a response that notes read deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// TestKeepAlive shows that a body that was read in time leaves no read deadline for
// the next request on the connection.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	h := handler(t, &httpapi.Options{WorkTimeout: time.Minute})
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, api+"/schemas/"+oddStable+"/validate", strings.NewReader(oddDocument(oddStable))))
	require.Equal(t, 200, w.Code)
	require.Len(t, w.set, 2)
	require.False(t, w.set[0].IsZero())
	require.True(t, w.set[1].IsZero())
}

// TestIncludeSymbols resolves documents with the symbols of their icons.
func TestIncludeSymbols(t *testing.T) {
	const version = "/schemas/sensor@2026-11-15-stable/resolve"
	w := open(t, samples(t), nil)
	thin := string(must(os.ReadFile("../../examples/documents/crossing-camera.json")))
	plain := w.post(version, thin)
	require.NotContains(t, plain.json, "symbols")
	full := w.post(version+"?include=symbols", thin)
	require.NotEmpty(t, full.json["symbols"])
	delete(full.json, "symbols")
	require.Equal(t, plain.json, full.json)
	for _, wrong := range []string{version + "?include=proof", "/schemas/sensor@2026-11-15-stable/validate?include=symbols"} {
		w.postWrong(wrong, thin).issue(t, http.StatusBadRequest, "bad_request")
	}
}
