package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// roleBare is the server that this program runs itself.
const roleBare = "bare"

const mcpPath = "/mcp"

var mcpFields = []string{"Accept: application/json, text/event-stream"}

// emptyCall is the call that those of our tools are compared with.
var emptyCall = &testCase{Name: "empty tool", Method: http.MethodPost, Path: mcpPath, Body: callOf("empty", "{}"), Fields: mcpFields, Status: http.StatusOK}

func callOf(tool, arguments string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// serveAs runs a server until its input ends.
func serveAs(role string) error {
	var replies []*testCase
	if err := json.NewDecoder(os.Stdin).Decode(&replies); err != nil {
		return err
	}
	if role != roleBare {
		return fmt.Errorf("there is no role %q", role)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	// As in `datachain serve`.
	server := &http.Server{
		Handler: yardsticks(replies), Protocols: new(http.Protocols), MaxHeaderBytes: 32 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 15 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetHTTP2(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the program that started this one exits
		_ = server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// yardsticks serves the bare handler, and the empty tool at the path of MCP.
func yardsticks(replies []*testCase) http.Handler {
	bare, empty := bare(replies), emptyTool()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI == mcpPath {
			empty.ServeHTTP(w, r)
		} else {
			bare.ServeHTTP(w, r)
		}
	})
}

// prefix distinguishes the cases for the bare handler.
func prefix(i int) string { return fmt.Sprintf("/case%d", i) }

// bare reads the body of a request and sends the recorded response of its case.
func bare(replies []*testCase) http.Handler {
	byPrefix := make(map[string]*testCase)
	for i, c := range replies {
		c.Header.Del("Date") // net/http has its own
		byPrefix[prefix(i)[1:]] = c
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(r.RequestURI[1:], "/")
		c := byPrefix[first]
		if c == nil {
			http.NotFound(w, r)
			return
		}
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		maps.Copy(w.Header(), c.Header)
		w.WriteHeader(c.Status)
		_, _ = w.Write(c.Answer)
	})
}

// emptyTool serves a tool that does nothing, without sessions, as ours do.
func emptyTool() http.Handler {
	const done = `{"ok":true}`
	server := sdk.NewServer(&sdk.Implementation{Name: "empty"}, nil)
	server.AddTool(&sdk.Tool{Name: "empty", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(done), Content: []sdk.Content{&sdk.TextContent{Text: done}}}, nil
	})
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}
