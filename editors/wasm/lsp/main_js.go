// Command lsp is the WebAssembly module of the language server, which runs in a Worker.
// It connects package worker with JavaScript, and nothing else: lsp-worker.js passes
// messages, and lsp.js fetches releases in the page.
package main

import (
	"context"
	"syscall/js"

	"github.com/datachain-go/datachain/editors/wasm/internal/interop"
	"github.com/datachain-go/datachain/editors/wasm/internal/worker"
)

// ready is the function that module.js waits for. It is called with an object of the
// functions below.
const ready = "__datachain_ready"

func main() {
	js.Global().Call(ready, map[string]any{
		// serve({index, release, send, origin, baseURL}) returns {receive, refresh}
		"serve": js.FuncOf(func(_ js.Value, args []js.Value) any { return serve(args[0]) }),
	})
	select {} // the server lives as long as the Worker
}

// serve starts a server for a page.
func serve(p js.Value) any {
	server := worker.New(page{interop.Source{Value: p}}, &worker.Options{Origin: text(p.Get("origin")), BaseURL: text(p.Get("baseURL"))})
	ctx := context.Background()
	ended := interop.Promise(func() (any, error) { return nil, server.Serve(ctx) })
	return map[string]any{
		// receive(message)
		"receive": js.FuncOf(func(_ js.Value, args []js.Value) any {
			server.Receive([]byte(args[0].String()))
			return nil
		}),
		// refresh() returns a promise
		"refresh": js.FuncOf(func(js.Value, []js.Value) any {
			return interop.Promise(func() (any, error) { return nil, server.Refresh(ctx) })
		}),
		// ended is a promise that is settled when the session ends.
		"ended": ended,
	}
}

// page is a page, by its functions.
type page struct{ interop.Source }

// Send calls send(message).
func (p page) Send(message []byte) { p.Call("send", string(message)) }

// text returns a string, or "" for other values.
func text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}
