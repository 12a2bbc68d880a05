// Command site is the WebAssembly module that searches a static site and answers its form. It
// makes pages and parts of them as the explorer of a server does, with the releases of the site.
package main

import (
	"bytes"
	"context"
	"net/http"
	"syscall/js"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/editors/wasm/internal/interop"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/pages"
)

// ready is the function that site-worker.js waits for. It is called with the functions
// below.
const ready = "__datachain_ready"

func main() {
	js.Global().Call(ready, map[string]any{
		// open({index, release, base}) returns a promise of a function that takes a
		// request {file, lang, method, address, type} and its body, and returns a promise
		// of a response {status, headers, body}.
		"open": js.FuncOf(func(_ js.Value, args []js.Value) any {
			source := interop.Source{Value: args[0]}
			return interop.Promise(func() (any, error) { return open(source) })
		}),
	})
	select {} // the functions live as long as the Worker
}

// open reads the index of a site.
func open(source interop.Source) (any, error) {
	ctx := context.Background()
	store := engine.NewStore(source)
	if err := store.Refresh(ctx); err != nil {
		return nil, err
	}
	service, err := product.New(store, &datachain.Options{MaxInput: -1, MaxCPU: -1}) // it is the visitor's own
	if err != nil {
		return nil, err
	}
	site, err := pages.New(service, &pages.Options{BaseURL: source.Get("base").String(), Timeout: -1})
	if err != nil {
		return nil, err
	}
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		of := func(name string) string { return args[0].Get(name).String() }
		handler := site.SiteHandler(of("file"), of("lang"))
		r, err := http.NewRequestWithContext(ctx, of("method"), of("address"), bytes.NewReader(interop.Bytes(args[1])))
		if err == nil {
			r.Header.Set("Content-Type", of("type"))
		}
		return interop.Promise(func() (any, error) {
			if err != nil {
				return nil, err
			}
			w := &response{header: make(http.Header), status: http.StatusOK}
			handler.ServeHTTP(w, r)
			return w.value(), nil
		})
	}), nil
}

// response is an [http.ResponseWriter] that keeps the response.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *response) Header() http.Header         { return w.header }
func (w *response) WriteHeader(status int)      { w.status = status }
func (w *response) Write(p []byte) (int, error) { return w.body.Write(p) }

// value returns the response for JavaScript.
func (w *response) value() map[string]any {
	headers := make(map[string]any)
	for name := range w.header {
		headers[name] = w.header.Get(name)
	}
	body := js.Global().Get("Uint8Array").New(w.body.Len())
	js.CopyBytesToJS(body, w.body.Bytes())
	return map[string]any{"status": w.status, "headers": headers, "body": body}
}
