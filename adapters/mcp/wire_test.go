package mcp_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
)

var (
	fences  = regexp.MustCompile(`(BEGIN|END) \w{12}`)
	claimed = regexp.MustCompile(`"io.modelcontextprotocol/protocolVersion":"([^"]*)"`)
)

// TestWire replays testdata/wire.txt over HTTP, byte for byte: a request has header
// lines and a body, marked with >, and a response its status and body, marked with
// <. Of long bodies the hash is kept, and of pages, which are not ours, only the
// beginning. A line "= legacy" turns to a server of legacy revisions only. Over
// stdio each body gets the same answer, unless headers decide it.
func TestWire(t *testing.T) {
	const file = "testdata/wire.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var b strings.Builder
	for i, part := range strings.Split(string(text), "= legacy\n") {
		if i > 0 {
			b.WriteString("= legacy\n")
		}
		replay(t, &b, part, mcp.Options{Version: "1.2.3", BaseURL: "https://dc.example", OnlyLegacy: i > 0})
	}
	golden(t, file, b.String())
}

func replay(t *testing.T, b *strings.Builder, text string, o mcp.Options) {
	t.Helper()
	h := serve(t, kioskStore(t), &o)
	var lines, answers []string // over stdio
	var fields []string
	for line := range strings.Lines(text) {
		sent, ours := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
		if strings.HasPrefix(line, "<") {
			continue
		}
		if b.WriteString(line); !ours {
			continue
		}
		if name, value, ok := strings.Cut(sent, ": "); ok && !strings.ContainsAny(name, "{[") {
			fields = append(fields, name, value)
			continue
		}
		got := h.post(sent, fields...)
		got.body = fences.ReplaceAllString(got.body, "$1 …")
		write(b, got)
		if sameOnStdio(sent, fields, got) {
			lines = append(lines, sent)
			if plain := strings.NewReplacer("event: message\ndata: ", "", "\n\n", "\n").Replace(got.body); plain != "" {
				answers = append(answers, strings.Split(strings.TrimSpace(plain), "\n")...)
			}
		}
		fields = nil
	}
	got := piped(t, &o, lines...)
	for i, answer := range got {
		require.Less(t, i, len(answers))
		require.Equal(t, answers[i], fences.ReplaceAllString(answer, "$1 …"))
	}
	require.Len(t, got, len(answers))
}

func write(b *strings.Builder, got reply) {
	fmt.Fprintf(b, "< %d %s\n", got.status, got.header.Get("Content-Type"))
	if got.header.Get("Mcp-Session-Id") != "" {
		b.WriteString("< Mcp-Session-Id: …\n")
	}
	const long = 1000
	switch body := strings.TrimSpace(got.body); {
	case strings.Contains(body, "\\u003cmain"):
		b.WriteString("< " + body[:60] + "…\n")
	case len(body) > long:
		fmt.Fprintf(b, "< %s… %d bytes, sha256 %x\n", body[:100], len(body), sha256.Sum256([]byte(body)))
	case body != "":
		b.WriteString("< " + strings.ReplaceAll(body, "\n", "\n< ") + "\n")
	}
}

// sameOnStdio reports whether the headers of a request only repeat what its message
// says. Those of a batch can't do that for each of its messages.
func sameOnStdio(body string, fields []string, got reply) bool {
	header := ""
	for i := range fields {
		if fields[i] == "Mcp-Protocol-Version" {
			header = fields[i+1]
		}
	}
	meta := append(claimed.FindStringSubmatch(body), "", "")[1]
	return meta == header && !strings.HasPrefix(body, "[") && !strings.Contains(got.body, "-32020")
}

// Requests for what does not exist, or in the wrong form, get a JSON-RPC error with
// a sentence and our envelope.
func TestFailures(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for _, c := range []struct {
		method, params string
		code           int
		issue, want    string
	}{
		{"tools/call", `{"name":"validate_datachan"}`, -32602, "not_found", "use validate_datachain; the tools are list_schema_versions, "},
		{"tools/call", `{"name":"no"}`, -32602, "not_found", "the tools are list_schema_versions, "},
		{"tools/call", `{"name":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"tools/call", `{"Name":"list_schema_versions"}`, -32602, "invalid_arguments", "The param name of tools/call is missing"},
		{"tools/call", `{"name":"list_schema_versions","_meta":true}`, -32602, "invalid_arguments", "must be an object, but is a boolean"},
		{"resources/read", `{"uri":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"resources/read", `{"uri":"ui://other"}`, -32002, "not_found", "ui://service/datachain/view.html"},
		{"resources/subscribe", `{"uri":"ui://service/datachain/view.html"}`, -32601, "not_found", "is not available"},
		{"prompts/get", `{"name":"describe_sytem"}`, -32602, "not_found", "use describe_system; the prompts are"},
		{"prompts/get", `{"name":[]}`, -32602, "invalid_arguments", "must be a string, but is an array"},
		{"prompts/get", `{"name":"describe_system"}`, -32602, "invalid_arguments", "The argument type of describe_system is missing"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":"kiosk","description":"x","y":""}}`, -32602, "invalid_arguments", "takes type, description and language"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":"kiosks","description":"x"}}`, -32602, "not_found", "kiosk@latest"},
		{"prompts/get", `{"name":"describe_system","arguments":{"type":3}}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"prompts/get", `{"name":"review_datachain","arguments":{"version":"kiosk@latest","datachain":{"id":"SECRET"}}}`, -32602, "invalid_arguments", "a string that holds the JSON"},
		{"prompts/get", `{"name":"describe_system","arguments":[]}`, -32602, "invalid_arguments", "must be an object, but is an array"},
		{"completion/complete", `{"ref":3,"argument":{}}`, -32602, "invalid_arguments", "must be an object"},
		{"completion/complete", `{"ref":{"type":"SECRET"},"argument":{"name":"type","value":""}}`, -32602, "invalid_arguments", "completion/complete"},
		{"initialize", `{"protocolVersion":3}`, -32602, "invalid_arguments", "must be a string, but is a number"},
		{"initialize", `{"protocolVersion":"2025-06-18","capabilities":{"roots":"SECRET"}}`, -32602, "invalid_arguments", "initialize"},
		{"subscriptions/listen", `{"notifications":"SECRET"}`, -32602, "invalid_arguments", "subscriptions/listen"},
		{"tools/list", `{"cursor":"no"}`, -32602, "bad_request", "omit the cursor"},
		{"tools/list", `{"cursor":{}}`, -32602, "invalid_arguments", "must be a string, but is an object"},
		{"tools/lists", `{}`, -32601, "not_found", "use tools/list"},
		{"no/such", `{}`, -32601, "not_found", "use tools/list, tools/call"},
	} {
		t.Run(c.method+c.params, func(t *testing.T) {
			got := (&host{t, h.url, h.log}).post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, c.method, c.params)).body
			var answer struct {
				Error struct {
					Code    int
					Message string
					Data    struct {
						OK     *bool
						Errors []struct {
							Code, Message string
							Hint          string `json:"fix_hint"`
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(got), &answer), got)
			e := answer.Error
			assert.Equal(t, c.code, e.Code, got)
			require.Len(t, e.Data.Errors, 1, got)
			require.NotNil(t, e.Data.OK)
			assert.False(t, *e.Data.OK)
			issue := e.Data.Errors[0]
			assert.Equal(t, c.issue, issue.Code, got)
			assert.Regexp(t, `^[A-Z].*\.$`, e.Message)
			assert.True(t, strings.HasPrefix(e.Message, issue.Message), got)
			assert.NotEmpty(t, issue.Hint)
			assert.Contains(t, issue.Message+" "+issue.Hint, c.want)
			assert.NotRegexp(t, "SECRET|unmarshal|json:|struct|mcp\\.", got)
		})
	}
}

// Data that the protocol requires is there beside the envelope.
func TestFailureData(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	got := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://other"}}`).body
	assert.Contains(t, got, `"data":{"ok":false,"errors":[{"code":"not_found"`)
	assert.Contains(t, got, `"uri":"ui://other"}`)
	// A method that a revision no longer has is unknown, whatever its params are.
	for _, method := range []string{"initialize", "ping", "resources/subscribe"} {
		got := h.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method),
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
		assert.Equal(t, 404, got.status, got.body)
		assert.Contains(t, got.body, `"code":-32601`)
		assert.Contains(t, got.body, `"ok":false`)
	}
}
