package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
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
		"call without id":          {`{"jsonrpc":"2.0","method":"tools/list"}`, nil, 400, `"code":-32600,"message":"The call of tools/list has no id`},
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
		"fractional id":            {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, 400, `"code":-32600`},
		"long id":                  {strings.Replace(ping, `"id":1`, `"id":"`+strings.Repeat("x", 1024)+`"`, 1), nil, 400, `"id":null,"error":{"code":-32600`},
		"huge id":                  {`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`, nil, 400, `"code":-32600`},
		"unknown revision":         {ping, []string{"MCP-Protocol-Version", "1999-01-01"}, 400, `"code":-32600`},
		"too large":                {strings.Repeat(" ", 10_000) + ping, nil, 413, `"payload_too_large"`},
		"batch":                    {"[" + ping + "," + note + "," + strings.Replace(ping, "1", "2", 1) + "]", nil, 200, "[" + pong},
		"batch of a new revision":  {"[" + ping + "]", []string{"MCP-Protocol-Version", "2025-11-25"}, 200, "[" + pong + "]"},
		"batch, events":            {"[" + ping + "]", []string{"Accept", "text/event-stream"}, 200, "data: [" + pong + "]\n\n"},
		"batch of notifications":   {"[" + note + "," + note + "]", nil, 202, ""},
		"batch with mistakes":      {"[7," + ping + "]", nil, 200, `-32600`},
		"empty batch":              {"[]", nil, 400, `"code":-32600`},
		"broken batch":             {"[" + ping, nil, 400, `"code":-32700`},
		"text after a batch":       {"[" + ping + "] x", nil, 400, `"code":-32700`},
		"foreign host":             {ping, []string{"Host", "evil.example"}, 403, `"code":-32600`},
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
	assert.Contains(t, got.header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id")
	assert.Contains(t, got.header.Get("Access-Control-Expose-Headers"), "Service-Content-Hash")
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
		assert.Contains(t, fmt.Sprint(r.Meta["io.github.datachain-go/fragment"]), title)
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
	assert.Contains(t, read("Mcp-Session-Id", mcp.DefaultSession), "Shared")
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
	handler := newServer(t, must(datachain.New(kioskStore(t), nil)), nil).Handler()
	w := httptest.NewRecorder()
	handler.Refuse(w, httptest.NewRequest(http.MethodPost, "/mcp", nil), 429, issue.Issue{Code: issue.CodeRateLimited, Message: "Too many.", FixHint: "wait"})
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
	names := []string{
		"list_schema_versions", "get_schema", "list_categories", "list_elements", "get_element", "get_elements",
		"validate_datachain", "render_datachain", "get_icon_url", "resolve_datachain", "upgrade_datachain", "validate_resolved",
	}
	for i, seed := range []string{`{}`, `{"version":"kiosk@latest"}`, `{"version":"kiosk@latest","limit":1e2}`, `{"version":"kiosk@latest","element_ids":["a","a"]}`, with("kiosk@latest", goodKiosk), `{"a":1,"a":2}`, `[]`} {
		f.Add(uint8(i), seed)
	}
	o, log := quiet(nil)
	handler := newServer(f, must(datachain.New(kioskStore(f), nil)), o).Handler()
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
