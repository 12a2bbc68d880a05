package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
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
	"github.com/datachain-go/datachain/adapters/session"
)

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
	slots, err := session.NewMemory(nil)
	require.NoError(t, err)
	piped(t, &mcp.Options{Slots: slots}, call("render_datachain", with("kiosk@latest", goodKiosk)))
	_, found, err := slots.Get(t.Context(), mcp.DefaultSession)
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
	for _, seed := range []string{"x", "[]", hi, "[" + ping + "," + ping + "]", ping + "\n\n" + ping, call("get_schema", "{}"), "{\"id\":\"\xff\"}", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"add_element","arguments":{"x":1}}}`} {
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
