package command

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

const versionsCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions"}}`

// send posts a message to the server.
func (s *running) send(body string, fields ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, strings.TrimSuffix(s.api, "/api/v2")+"/mcp", strings.NewReader(body))
	require.NoError(s.t, err)
	for i := 0; i < len(fields); i += 2 {
		req.Host = fields[i+1]
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	res, err := client.Do(req)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return res, string(text)
}

func TestServeMCP(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--limit-read", "3", "--mcp-hosts", "dc.example", admission, fastDrain)
	res, body := s.send(versionsCall)
	assert.Equal(t, 200, res.StatusCode, body)
	assert.Contains(t, body, "ai@latest")
	assert.NotEmpty(t, res.Header.Get("X-Request-Id"))
	assert.Contains(t, s.log.String(), "/mcp (MCP)")
	res, _ = s.send(versionsCall, "Host", "dc.example")
	assert.Equal(t, 200, res.StatusCode)
	res, _ = s.send(versionsCall, "Host", "evil.example")
	assert.Equal(t, 403, res.StatusCode)

	// The limit is that of reads, and the refusal is one of JSON-RPC.
	res, body = s.send(versionsCall)
	assert.Equal(t, 429, res.StatusCode)
	assert.NotEmpty(t, res.Header.Get("Retry-After"))
	assert.Contains(t, body, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,`)
	assert.Contains(t, body, `"code":"rate_limited"`)
	status, _ := s.get("/schemas")
	assert.Equal(t, 429, status)
	_, metrics := getURL(t, s.admin+"/metrics")
	assert.Contains(t, metrics, `"/mcp"`)
}

func TestServeWithoutMCP(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--mcp", "off", fastDrain)
	res, _ := s.send(versionsCall)
	assert.Equal(t, 404, res.StatusCode)
	assert.NotContains(t, s.log.String(), "MCP at")
}

func TestMCPCommand(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	var out, log lockedBuffer
	sys.Stdin, sys.Stdout, sys.Stderr = strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"), &out, &log
	assert.Equal(t, console.ExitGood, run(t.Context(), []string{"mcp"}, sys), log.String())
	assert.Contains(t, out.String(), `"serverInfo":{"name":"datachain"`)
	assert.Contains(t, out.String(), `"version":"v1.2.3"`)

	// A shell needs no handshake, and a line that can't be read is not the end.
	var piped lockedBuffer
	sys.Stdin, sys.Stdout = strings.NewReader("garbage\n"+versionsCall), &piped
	assert.Equal(t, console.ExitGood, run(t.Context(), []string{"mcp"}, sys), log.String())
	assert.Contains(t, piped.String(), `"error":{"code":-32700`)
	assert.Contains(t, piped.String(), "ai@latest")
	assert.Equal(t, console.ExitFailed, run(t.Context(), []string{"mcp", "--store", "nowhere"}, sys))
	assert.Contains(t, log.String(), "--store nowhere")
}
