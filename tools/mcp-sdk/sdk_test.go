// Package mcpsdk uses the MCP server with the client of the Go SDK, in a module of its own, so that
// programs that import datachain do not inherit the SDK.
package mcpsdk

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/tools"
)

// newServer returns a server of the samples, with documents if there is a directory of them.
func newServer(t testing.TB, o mcp.Options, dir string) *mcp.Server {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	if dir != "" {
		origin, err := register.OpenDirectory(dir, nil)
		require.NoError(t, err)
		shelf, err := register.New(service, []register.Origin{origin}, nil)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, shelf.Close()) })
		o.Tools, o.Resources = tools.New(shelf, o.BaseURL), tools.Resources(shelf)
	}
	o.Timeout = time.Minute // the machine may be slow
	server, err := mcp.New(service, &o)
	require.NoError(t, err)
	return server
}

func overHTTP(t *testing.T, server *mcp.Server) *sdk.ClientSession {
	t.Helper()
	h := httptest.NewServer(server.Handler())
	t.Cleanup(h.Close)
	return connect(t, &sdk.StreamableClientTransport{Endpoint: h.URL})
}

func overStdio(t *testing.T, server *mcp.Server) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- server.ServeStdio(context.WithoutCancel(t.Context()), toServer, fromServer)
		_ = fromServer.Close()
	}()
	t.Cleanup(func() {
		_ = fromClient.Close()
		assert.NoError(t, <-ended)
	})
	return connect(t, &sdk.IOTransport{Reader: toClient, Writer: fromClient})
}

func connect(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestClients uses everything that the server offers over each transport.
func TestClients(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *mcp.Server) *sdk.ClientSession{"http": overHTTP, "stdio": overStdio} {
		for revisions, o := range map[string]mcp.Options{"all": {}, "legacy": {OnlyLegacy: true}} {
			t.Run(name+" "+revisions, func(t *testing.T) {
				walk(t, open(t, newServer(t, o, "")))
				readDocuments(t, open(t, newServer(t, o, "../../examples/documents")))
			})
		}
	}
}

func walk(t *testing.T, c *sdk.ClientSession) {
	t.Helper()
	ctx := t.Context()
	listed, err := c.ListTools(ctx, nil)
	require.NoError(t, err)
	callable, _ := mcp.Operations()
	assert.GreaterOrEqual(t, len(listed.Tools), len(callable))
	prompts, err := c.ListPrompts(ctx, nil)
	require.NoError(t, err)
	_, offered := mcp.Operations()
	assert.Len(t, prompts.Prompts, len(offered))
	resources, err := c.ListResources(ctx, nil)
	require.NoError(t, err)
	require.Len(t, resources.Resources, 1)
	view := resources.Resources[0]
	assert.Equal(t, "Datachain View", view.Name)
	assert.Equal(t, "text/html;profile=mcp-app", view.MIMEType)
	assert.Contains(t, view.Meta, "ui")

	page, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: view.URI})
	require.NoError(t, err)
	assert.Contains(t, page.Contents[0].Text, "awaiting tool call")
	sample, _ := documents.Find("benefits.json")
	arguments := map[string]any{"version": "ai@latest", "datachain": json.RawMessage(sample.Text), "locale": "fr"}
	res, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "render_datachain", Arguments: arguments})
	require.NoError(t, err)
	assert.False(t, res.IsError)
	page, err = c.ReadResource(ctx, &sdk.ReadResourceParams{URI: view.URI})
	require.NoError(t, err)
	assert.Contains(t, page.Contents[0].Text, "Examen des demandes")

	res, err = c.CallTool(ctx, &sdk.CallToolParams{Name: "get_icon_url", Arguments: map[string]any{"version": "ai@latest", "element_id": "purpose.benefits"}})
	require.NoError(t, err)
	url := res.StructuredContent.(map[string]any)["data"].(map[string]any)["url"].(string)
	assert.True(t, strings.HasPrefix(url, "http://127.0.0.1") || strings.HasPrefix(url, "data:image/svg+xml;base64,"), url)

	got, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "describe_system", Arguments: map[string]string{"type": "ai", "description": "It answers."}})
	require.NoError(t, err)
	assert.Contains(t, got.Messages[0].Content.(*sdk.TextContent).Text, "It answers.")
	list, err := c.Complete(ctx, &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "review_datachain"}, Argument: sdk.CompleteParamsArgument{Name: "type"},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"ai", "sensor"}, list.Completion.Values)

	_, err = c.CallTool(ctx, &sdk.CallToolParams{Name: "no_such_tool"})
	require.ErrorContains(t, err, "no_such_tool")
	_, err = c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "ui://service/other"})
	require.Error(t, err)
}

// readDocuments reads documents, which are resources.
func readDocuments(t *testing.T, c *sdk.ClientSession) {
	t.Helper()
	listed, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	callable, _ := mcp.Operations(tools.New(nil, "")...)
	assert.Len(t, listed.Tools, len(callable))
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, "datachain://documents/{slug}", templates.ResourceTemplates[0].URITemplate)
	list, err := c.ListResources(t.Context(), nil)
	require.NoError(t, err)
	assert.Greater(t, len(list.Resources), 2)
	read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "datachain://documents/mill-street-crossing"})
	require.NoError(t, err)
	want, _ := documents.Find("crossing-camera.json")
	assert.JSONEq(t, string(want.Text), read.Contents[0].Text)
}

// The server speaks every revision that the SDK speaks.
func TestRevisions(t *testing.T) {
	h := httptest.NewServer(newServer(t, mcp.Options{}, "").Handler())
	t.Cleanup(h.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	require.NoError(t, err)
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "server/discover")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Result struct{ SupportedVersions []string }
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&answer))
	assert.Equal(t, sdk.SupportedProtocolVersions(), answer.Result.SupportedVersions)
}

// BenchmarkEmptyTool measures a tool of the SDK that does nothing, behind the handler of the SDK
// alone, to compare with BenchmarkCall in adapters/mcp.
func BenchmarkEmptyTool(b *testing.B) {
	empty := sdk.NewServer(&sdk.Implementation{Name: "empty"}, nil)
	empty.AddTool(&sdk.Tool{Name: "empty", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(`{"ok":true}`), Content: []sdk.Content{&sdk.TextContent{Text: `{"ok":true}`}}}, nil
	})
	bare := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return empty }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"empty","arguments":{}}}`)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		bare.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}
