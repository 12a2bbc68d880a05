package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pong = `{"jsonrpc":"2.0","id":1,"result":{}}`
	hi   = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
)

// TestHTTP sends what clients send, and what they should not.
func TestHTTP(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{MaxBody: 10_000})
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	for name, c := range map[string]struct {
		body   string
		fields []string
		status int
		want   string // part of the body; "" if there is none
	}{
		"plain":                    {ping, nil, 200, pong},
		"white space":              {"\r\n " + ping + "\n", nil, 200, pong},
		"form content type":        {ping, []string{"Content-Type", "application/x-www-form-urlencoded"}, 200, pong},
		"accept JSON":              {ping, []string{"Accept", "application/json"}, 200, pong},
		"accept all":               {ping, []string{"Accept", "*/*"}, 200, pong},
		"accept both":              {ping, []string{"Accept", "application/json, text/event-stream"}, 200, pong},
		"accept none that we have": {ping, []string{"Accept", "text/html"}, 200, pong},
		"accept events":            {ping, []string{"Accept", "text/event-stream"}, 200, "event: message\ndata: " + pong + "\n\n"},
		"events only, q":           {ping, []string{"Accept", "Text/Event-Stream;q=0.9"}, 200, "data: " + pong},
		"last event id":            {ping, []string{"Last-Event-ID", "3"}, 200, pong},
		"string id":                {strings.Replace(ping, `"id":1`, `"id":"ü\u0041"`, 1), nil, 200, `"result":{}`},
		"notification":             {note, nil, 202, ""},
		"unknown notification":     {`{"jsonrpc":"2.0","method":"notifications/other"}`, nil, 202, ""},
		"response":                 {`{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, ""},
		"unknown method":           {`{"jsonrpc":"2.0","id":"x","method":"no/such"}`, nil, 200, `"id":"x","error":{"code":-32601`},
		"unknown method, new":      {`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, []string{"MCP-Protocol-Version", "2026-07-28"}, 404, `"code":-32601`},
		"unknown tool":             {call("no_such", "{}"), nil, 200, `"code":-32602`},
		"call without id":          {`{"jsonrpc":"2.0","method":"tools/list"}`, nil, 202, ""},
		"null params":              {`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, nil, 200, pong},
		"call without params":      {`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, nil, 200, `"code":-32602`},
		"params of the wrong kind": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, nil, 400, `"code":-32600`},
		"name of the wrong kind":   {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, nil, 200, `"code":-32602`},
		"empty":                    {"", nil, 400, `"id":null,"error":{"code":-32700`},
		"no JSON":                  {"{", nil, 400, `"code":-32700,"message":"The message is not valid JSON: line 1, column 2: the text ends before the JSON value is complete`},
		"two values":               {ping + ping, nil, 400, `"code":-32700`},
		"bad UTF-8":                {"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", nil, 400, `"code":-32700`},
		"byte order mark":          {"\uFEFF" + ping, nil, 400, `"code":-32700,"message":"The message is not valid JSON: line 1, column 1: the text starts with a byte order mark`},
		"two keys and no end":      {"\n{\"id\":1,\"id\":1", nil, 400, `"message":"The message is not valid JSON: unexpected EOF`},
		"a number":                 {"7", nil, 400, `"code":-32600`},
		"no version":               {`{"id":1,"method":"ping"}`, nil, 400, `"id":1,"error":{"code":-32600`},
		"no method":                {`{"jsonrpc":"2.0","id":1}`, nil, 400, `"code":-32600`},
		"method of the wrong kind": {`{"jsonrpc":"2.0","id":1,"method":7}`, nil, 400, `"code":-32600`},
		"null id":                  {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400, `"code":-32600`},
		"fractional id":            {`{"jsonrpc":"2.0","id":1.50,"method":"ping"}`, nil, 200, `{"jsonrpc":"2.0","id":1.50,"result":{}}`},
		"long id":                  {strings.Replace(ping, `"id":1`, `"id":"`+strings.Repeat("x", 1024)+`"`, 1), nil, 400, `"id":null,"error":{"code":-32600`},
		"huge id":                  {`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, nil, 200, `{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}`},
		"endless id":               {strings.Replace(ping, `"id":1`, `"id":`+strings.Repeat("1", 1025), 1), nil, 400, `"id":null,"error":{"code":-32600`},
		"unknown revision":         {ping, []string{"MCP-Protocol-Version", "1999-01-01"}, 400, `"code":-32600`},
		"no revision":              {ping, []string{"MCP-Protocol-Version", "garbage"}, 400, `"code":-32022,"message":"The protocol version \"garbage\" is not supported.`},
		"later revision":           {ping, []string{"MCP-Protocol-Version", "2027-01-01"}, 400, `"code":-32022,"message":"The protocol version \"2027-01-01\" is not supported.`},
		"log level":                {`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, nil, 200, `"code":-32601`},
		"unknown resource":         {`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://x"}}`, nil, 200, `"code":-32002`},
		"too large":                {strings.Repeat(" ", 10_000) + ping, nil, 413, `"payload_too_large"`},
		"batch":                    {"[" + ping + "," + note + "," + strings.Replace(ping, "1", "2", 1) + "]", nil, 200, "[" + pong},
		"batch of a new revision":  {"[" + ping + "]", []string{"MCP-Protocol-Version", "2025-11-25"}, 200, "[" + pong + "]"},
		"batch, events":            {"[" + ping + "]", []string{"Accept", "text/event-stream"}, 200, "data: [" + pong + "]\n\n"},
		"batch of notifications":   {"[" + note + "," + note + "]", nil, 202, ""},
		"batch with mistakes":      {"[7," + ping + "]", nil, 200, `-32600`},
		"empty batch":              {"[]", nil, 400, `"code":-32600`},
		"broken batch":             {"[" + ping, nil, 400, `"code":-32700`},
		"text after a batch":       {"[" + ping + "] x", nil, 400, `"code":-32700`},
		"foreign host":             {ping, []string{"Host", "evil.example"}, 403, `"data":{"ok":false,"errors":[{"code":"forbidden"`},
		"localhost":                {ping, []string{"Host", "localhost:1"}, 200, pong},
		"IPv6":                     {ping, []string{"Host", "[::1]:8080"}, 200, pong},
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{t, h.url, h.log}
			got := h.post(c.body, c.fields...)
			assert.Equal(t, c.status, got.status, got.body)
			assert.Equal(t, "*", got.header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
			if c.want == "" {
				assert.Empty(t, got.body)
				return
			}
			assert.Contains(t, got.body, c.want)
			if got.status >= 400 {
				assert.Equal(t, "application/json", got.header.Get("Content-Type"))
				assert.Contains(t, got.body, `"data":{"ok":false,"errors":[{"code":`)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodHead} {
		got := h.send(method, "")
		assert.Equal(t, http.StatusMethodNotAllowed, got.status)
		assert.Equal(t, "POST, OPTIONS", got.header.Get("Allow"))
		if method != http.MethodHead {
			assert.Contains(t, got.body, `"method_not_allowed"`)
		}
	}
	got := h.send(http.MethodOptions, "")
	assert.Equal(t, http.StatusNoContent, got.status)
	assert.Contains(t, got.header.Get("Access-Control-Allow-Headers"), "Mcp-Session-Id")
	assert.Equal(t, "Mcp-Session-Id, X-Request-Id, Service-Content-Hash, Retry-After", got.header.Get("Access-Control-Expose-Headers"))
	assert.Equal(t, "POST, OPTIONS", got.header.Get("Access-Control-Allow-Methods"))
}

func TestHosts(t *testing.T) {
	for name, c := range map[string]struct {
		options mcp.Options
		host    string
		status  int
	}{
		"base":     {mcp.Options{BaseURL: "https://dc.example/x"}, "dc.example", 200},
		"listed":   {mcp.Options{AllowedHosts: []string{"a.example"}}, "A.example:80", 200},
		"unlisted": {mcp.Options{AllowedHosts: []string{"a.example"}}, "b.a.example", 403},
		"any":      {mcp.Options{AnyHost: true}, "b.example", 200},
		"none":     {mcp.Options{}, "127.0.0.1.example", 403},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, kioskStore(t), &c.options)
			assert.Equal(t, c.status, h.post(ping, "Host", c.host).status)
		})
	}
}

func TestBatchLimit(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	batch := func(n int) string { return "[" + strings.Repeat(ping+",", n-1) + ping + "]" }
	var answers []json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(h.post(batch(50)).body), &answers))
	assert.Len(t, answers, 50)
	for _, n := range []int{51, 10_000} {
		got := h.post(batch(n))
		assert.Equal(t, 400, got.status)
		assert.Contains(t, got.body, "more than 50 messages")
	}
}

// An error never repeats everything that was sent.
func TestBriefErrors(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	long := strings.Repeat("x", 500_000)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":"` + long + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + long + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"` + long + `"}}`,
		call(long, "{}"),
		call("get_schema", `{"version":"`+long+`"}`),
		call("get_schema", `{"`+long+`":1}`),
		call("get_element", `{"version":"kiosk@latest","element_id":"`+long+`"}`),
		call("get_icon_url", `{"version":"kiosk@latest","element_id":"use.maps","variant":"`+long+`"}`),
		call("validate_datachain", with("kiosk@latest", `"`+long+`"`)),
	} {
		got := h.post(body)
		assert.Less(t, len(got.body), 4000, body[:120])
		assert.True(t, json.Valid([]byte(got.body)))
	}
}

func TestSessions(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	got := h.post(hi)
	first := got.header.Get("Mcp-Session-Id")
	assert.Len(t, first, 26)
	assert.NotEqual(t, first, h.post(hi).header.Get("Mcp-Session-Id"))
	assert.Empty(t, h.post(hi, "Mcp-Session-Id", "mine").header.Get("Mcp-Session-Id"), "it has one")
	assert.Empty(t, h.post(ping).header.Get("Mcp-Session-Id"))
	bad := h.post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`)
	assert.Empty(t, bad.header.Get("Mcp-Session-Id"), bad.body)

	read := func(fields ...string) string {
		got := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://service/datachain/view.html"}}`, fields...)
		require.Equal(t, 200, got.status, got.body)
		var answer struct {
			Result struct {
				Contents []struct {
					URI, MimeType, Text string
					Meta                map[string]any `json:"_meta"`
				}
				TTLMs      *int
				CacheScope string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &answer))
		require.Len(t, answer.Result.Contents, 1)
		page := answer.Result.Contents[0]
		assert.Equal(t, "text/html;profile=mcp-app", page.MimeType)
		assert.Equal(t, "ui://service/datachain/view.html", page.URI)
		assert.Contains(t, page.Meta, "ui")
		assert.Equal(t, "private", answer.Result.CacheScope)
		require.NotNil(t, answer.Result.TTLMs)
		assert.Zero(t, *answer.Result.TTLMs)
		return page.Text
	}
	const waiting = "<title>datachain (awaiting tool call)</title>"
	render := func(title string, fields ...string) {
		r := h.tool("render_datachain", with("kiosk@latest", strings.Replace(goodKiosk, "Station kiosk", title, 1)), fields...)
		require.Equal(t, true, r.envelope["ok"], r.envelope)
		assert.Equal(t, map[string]any{"resourceUri": "ui://service/datachain/view.html"}, r.Meta["ui"])
	}
	long := strings.Repeat("é", 5000)
	ids := []string{"a", "b", "A", "ü ß", long, long + "x", "#", "="}
	for _, id := range ids {
		assert.Contains(t, read("Mcp-Session-Id", id), waiting)
	}
	assert.Contains(t, read(), waiting)
	for i, id := range ids {
		render(fmt.Sprintf("Title%dEnd", i), "Mcp-Session-Id", id)
	}
	render("Shared")
	for i, id := range ids {
		assert.Contains(t, read("Mcp-Session-Id", id), fmt.Sprintf("Title%dEnd", i))
	}
	assert.Contains(t, read(), "Shared")
	assert.Contains(t, read("Mcp-Session-Id", "__service_default_session__"), "Shared")
	bad2 := h.tool("render_datachain", with("kiosk@latest", `{}`), "Mcp-Session-Id", "a")
	assert.Equal(t, []string{"parse_error"}, bad2.codes()[:1])
	assert.False(t, bad2.IsError)
	assert.Contains(t, read("Mcp-Session-Id", "a"), "Title0End", "what is not valid does not replace what was")
}

// Clients of the modern revision are served, or told which revisions are supported.
func TestNewRevision(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions","arguments":{},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	fields := []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "list_schema_versions"}
	got := serve(t, kioskStore(t), nil).post(body, fields...)
	assert.Equal(t, 200, got.status, got.body)
	assert.Contains(t, got.body, "kiosk@latest")

	h := serve(t, kioskStore(t), &mcp.Options{OnlyLegacy: true})
	got = h.post(body, fields...)
	assert.Equal(t, 400, got.status, got.body)
	assert.Contains(t, got.body, "2025-11-25")
	assert.Equal(t, 200, h.post(ping).status)
	assert.Contains(t, h.post(strings.Replace(hi, "2025-06-18", "2026-07-28", 1)).body, `"protocolVersion":"2025-11-25"`)
}

// A subscription ends at once, since nothing ever changes.
func TestListen(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	got := h.post(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	assert.Equal(t, 200, got.status, got.body)
	assert.Equal(t, "text/event-stream", got.header.Get("Content-Type"))
	acknowledged := strings.Index(got.body, "notifications/subscriptions/acknowledged")
	assert.Positive(t, acknowledged)
	assert.Greater(t, strings.Index(got.body, `"id":1,"result"`), acknowledged)
}

func TestRefuse(t *testing.T) {
	server := newServer(t, must(datachain.New(kioskStore(t), nil)), nil)
	w := httptest.NewRecorder()
	server.Refuse(w, httptest.NewRequest(http.MethodPost, "/mcp", nil), 429, issue.Issue{Code: codes.RateLimited, Message: "Too many.", FixHint: "wait"})
	assert.Equal(t, 429, w.Code)
	assert.JSONEq(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too many.","data":{"ok":false,"errors":[{"code":"rate_limited","message":"Too many.","fix_hint":"wait"}]}}}`, w.Body.String())
}

// FuzzHTTP sends any bytes: there is always an answer, and it is JSON.
func FuzzHTTP(f *testing.F) {
	for _, seed := range []string{ping, hi, "[" + ping + "]", "[]", "{", `{"jsonrpc":"2.0","id":{},"method":[]}`, call("get_schema", `{"version":"kiosk@latest"}`)} {
		f.Add([]byte(seed), "a", "2025-06-18")
	}
	o, log := quiet(&mcp.Options{MaxBody: 1 << 16})
	handler := newServer(f, must(datachain.New(kioskStore(f), nil)), o).Handler()
	f.Fuzz(func(t *testing.T, body []byte, session, version string) {
		req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader(body))
		req.Header["Mcp-Session-Id"] = []string{session}
		req.Header["Mcp-Protocol-Version"] = []string{version}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if w.Body.Len() > 0 && w.Header().Get("Content-Type") == "application/json" && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d: %q", w.Code, w.Body)
		}
		if w.Body.Len() == 0 && w.Code != http.StatusAccepted {
			t.Fatalf("%d without a body", w.Code)
		}
		if w.Code >= 500 {
			t.Fatalf("%d: %s %s", w.Code, w.Body, log)
		}
	})
}

// FuzzArguments calls tools with any arguments: every answer is an envelope.
func FuzzArguments(f *testing.F) {
	for i, seed := range []string{`{}`, `{"version":"kiosk@latest"}`, `{"version":"kiosk@latest","limit":1e2}`, `{"version":"kiosk@latest","element_ids":["a","a"]}`, with("kiosk@latest", goodKiosk), `{"a":1,"a":2}`, `[]`} {
		f.Add(uint8(i), seed)
	}
	o, log := quiet(nil)
	handler := newServer(f, must(datachain.New(kioskStore(f), nil)), o).Handler()
	names := toolNames(f, handler)
	f.Fuzz(func(t *testing.T, tool uint8, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return
		}
		req := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(call(names[int(tool)%len(names)], arguments)))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			if w.Code == http.StatusBadRequest {
				return // strict JSON is less than JSON
			}
			t.Fatalf("%d: %s %s", w.Code, w.Body, log)
		}
		r := resultOf(t, w.Body.Bytes())
		if _, ok := r.envelope["ok"].(bool); !ok {
			t.Fatalf("no envelope: %s", w.Body)
		}
	})
}

// toolNames returns the names of all tools of a server.
func toolNames(t testing.TB, handler http.Handler) (names []string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)))
	var listed struct {
		Result struct{ Tools []struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &listed), w.Body.String())
	for _, tool := range listed.Result.Tools {
		names = append(names, tool.Name)
	}
	require.NotEmpty(t, names)
	return names
}

// ServeStdio ends with its context, even if nothing is ever written.
func TestStdioEnds(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	in, out := io.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.NoError(t, newServer(t, sampleService(t), nil).ServeStdio(ctx, in, io.Discard))
	require.NoError(t, out.Close())
}

// Piped calls are answered although the input ends after them.
func TestStdioPiped(t *testing.T) {
	var in strings.Builder
	in.WriteString(hi + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	one := call("validate_datachain", with("ai@latest", strings.ReplaceAll(string(document(t, "benefits.json")), "\n", " ")))
	for i := range 20 {
		in.WriteString(strings.Replace(one, `"id":7`, `"id":"`+strconv.Itoa(i)+`"`, 1) + "\n")
	}
	in.WriteString(ping) // without the end of its line
	var out bytes.Buffer
	o, _ := quiet(nil)
	require.NoError(t, newServer(t, sampleService(t), o).ServeStdio(t.Context(), strings.NewReader(in.String()), &out))
	assert.Equal(t, 22, strings.Count(out.String(), "\n"))
	assert.Equal(t, 20, strings.Count(out.String(), `"structuredContent":{"ok":true`))
	assert.Contains(t, out.String(), pong)
}

// piped returns the answers to lines.
func piped(t testing.TB, o *mcp.Options, lines ...string) []string {
	t.Helper()
	o, _ = quiet(o)
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	require.NoError(t, newServer(t, must(datachain.New(kioskStore(t), nil)), o).ServeStdio(t.Context(), in, &out))
	require.True(t, out.Len() == 0 || strings.HasSuffix(out.String(), "\n"))
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// Any line is answered as over HTTP, and so is the next one.
func TestStdioLines(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{MaxBody: 4000, BaseURL: "https://dc.example"})
	batch := func(n int) string { return "[" + strings.Repeat(ping+",", n-1) + ping + "]" }
	for name, line := range map[string]string{
		"garbage":            "garbage",
		"open":               "{",
		"number":             "3",
		"empty batch":        "[]",
		"batch":              batch(50),
		"large batch":        batch(51),
		"batch with garbage": "[3," + ping + "]",
		"no version":         `{"id":1,"method":"ping"}`,
		"no method":          `{"jsonrpc":"2.0","id":1}`,
		"unknown method":     `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
		"lone surrogate":     `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
		"surrogate argument": call("get_schema", `{"version":"\ud800"}`),
		"bad UTF-8":          "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
		"two values":         ping + ping,
		"no handshake":       call("list_schema_versions", "{}"),
		"handshake":          hi,
		"unknown tool":       call("no_such", "{}"),
		"icon":               call("get_icon_url", `{"version":"kiosk@latest","element_id":"use.maps"}`),
		"longest":            ping + strings.Repeat(" ", 4000-len(ping)),
	} {
		t.Run(name, func(t *testing.T) {
			got := piped(t, &mcp.Options{MaxBody: 4000, BaseURL: "https://dc.example"}, ping, line, "", ping)
			require.Len(t, got, 3)
			assert.JSONEq(t, pong, got[0])
			assert.Equal(t, (&host{t, h.url, h.log}).post(line).body, got[1])
			assert.JSONEq(t, pong, got[2])
		})
	}
	for name, line := range map[string]string{
		"too long": ping[:len(ping)-1] + strings.Repeat(" ", 4000) + "}",
		"far too":  strings.Repeat("x", 3<<20),
	} {
		t.Run(name, func(t *testing.T) {
			got := piped(t, &mcp.Options{MaxBody: 4000}, ping, line, ping)
			require.Len(t, got, 3)
			assert.Contains(t, got[1], `"id":null,"error":{"code":-32600`)
			assert.Contains(t, got[1], `"payload_too_large"`)
			assert.JSONEq(t, pong, got[2])
		})
	}
}

// Notifications and responses get no answer.
func TestStdioSilence(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	got := piped(t, nil, note, "["+note+"]", " ", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/other"}`)
	assert.Equal(t, []string{""}, got)
}

// Answers come in the order of the calls, and a read sees the render before it.
func TestStdioOrder(t *testing.T) {
	read := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://service/datachain/view.html"}}`
	lines := []string{read}
	for i := range 10 {
		lines = append(lines, call("render_datachain", with("kiosk@latest", strings.Replace(goodKiosk, "Station kiosk", "Title"+strconv.Itoa(i)+"End", 1))), read)
	}
	got := piped(t, nil, lines...)
	require.Len(t, got, len(lines))
	assert.Contains(t, got[0], "awaiting tool call")
	for i := range 10 {
		assert.Contains(t, got[2*i+1], `"id":7,"result"`)
		assert.Contains(t, got[2*i+2], "Title"+strconv.Itoa(i)+"End")
	}
}

// A page that is rendered over stdio is not in the shared slot.
func TestStdioSession(t *testing.T) {
	slots := mcp.NewMemorySlots(nil)
	piped(t, &mcp.Options{Slots: slots}, call("render_datachain", with("kiosk@latest", goodKiosk)))
	_, found, err := slots.Get(t.Context(), "__service_default_session__")
	require.NoError(t, err)
	assert.False(t, found)
}

// Each message names its own revision, whatever was negotiated.
func TestStdioRevisions(t *testing.T) {
	young := func(method, more string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + more +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	lines := []string{young("server/discover", ""), young("tools/call", `"name":"list_schema_versions",`), young("subscriptions/listen", `"notifications":{"toolsListChanged":true},`), strings.Replace(hi, "2025-06-18", "2026-07-28", 1), call("list_schema_versions", "{}")}
	got := piped(t, nil, lines...)
	require.Len(t, got, 6)
	assert.Contains(t, got[0], `"2026-07-28"`)
	assert.Contains(t, got[1], "kiosk@latest")
	assert.Contains(t, got[2], "notifications/subscriptions/acknowledged")
	assert.Contains(t, got[3], `"id":1,"result"`)
	assert.Contains(t, got[4], `"protocolVersion":"20`)
	assert.Contains(t, got[5], "kiosk@latest")
	for i, answer := range piped(t, &mcp.Options{OnlyLegacy: true}, lines...) {
		assert.Equal(t, i >= 3, strings.Contains(answer, `"result"`), answer)
	}
}

// Broken streams are errors; a panic does not end the server.
func TestStdioBroken(t *testing.T) {
	o, _ := quiet(nil)
	server := newServer(t, must(datachain.New(kioskStore(t), nil)), o)
	broken := errors.New("broken")
	require.ErrorIs(t, server.ServeStdio(t.Context(), iotest.ErrReader(broken), io.Discard), broken)
	in, out := io.Pipe()
	require.NoError(t, in.CloseWithError(broken))
	require.ErrorIs(t, server.ServeStdio(t.Context(), strings.NewReader(ping+"\n"), out), broken)

	o, log := quiet(nil)
	var answers bytes.Buffer
	server = newServer(t, must(datachain.New(brokenStore{panic: true}, nil)), o)
	require.NoError(t, server.ServeStdio(t.Context(), strings.NewReader(call("list_schema_versions", "{}")+"\n"+ping), &answers))
	assert.Contains(t, answers.String(), pong)
	assert.Contains(t, answers.String(), "Internal error.")
	assert.Contains(t, log.String(), "a mistake")
}

// FuzzStdio writes any bytes: every line of the answer is JSON, and the ping at
// the end is answered.
func FuzzStdio(f *testing.F) {
	for _, seed := range []string{"x", "[]", hi, "[" + ping + "," + ping + "]", ping + "\n\n" + ping, call("get_schema", "{}"), "{\"id\":\"\xff\"}", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"describe_system","arguments":{"x":1}}}`} {
		f.Add([]byte(seed))
	}
	o, _ := quiet(&mcp.Options{MaxBody: 10_000})
	server := newServer(f, must(datachain.New(kioskStore(f), nil)), o)
	f.Fuzz(func(t *testing.T, text []byte) {
		var out bytes.Buffer
		require.NoError(t, server.ServeStdio(t.Context(), io.MultiReader(bytes.NewReader(text), strings.NewReader("\n"+ping)), &out))
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for _, line := range lines {
			require.True(t, json.Valid([]byte(line)), line)
		}
		require.JSONEq(t, pong, lines[len(lines)-1])
	})
}
