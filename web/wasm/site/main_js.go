// Command site is the WebAssembly module that searches a static site. It makes parts of
// pages as the explorer of a server does, with the releases of the site.
package main

import (
	"context"
	"syscall/js"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/web/wasm/internal/interop"
	"github.com/datachain-go/datachain/web/wasm/internal/remote"
)

// ready is the function that site-worker.js waits for. It is called with the functions
// below.
const ready = "__datachain_ready"

func main() {
	js.Global().Call(ready, map[string]any{
		// open({index, release}) returns a promise of a function that takes a
		// request as JSON and returns a promise of HTML.
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
	store := remote.New(source)
	if err := store.Refresh(ctx); err != nil {
		return nil, err
	}
	service, err := datachain.New(store, &datachain.Options{MaxCPU: -1}) // it is the visitor's own
	if err != nil {
		return nil, err
	}
	pages, err := explorer.New(service, nil)
	if err != nil {
		return nil, err
	}
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		request := args[0].String()
		return interop.Promise(func() (any, error) {
			var part explorer.SitePart
			if err := json.Unmarshal([]byte(request), &part, json.MatchCaseInsensitiveNames(true)); err != nil {
				return nil, err
			}
			html, err := pages.SitePart(ctx, part)
			return string(html), err
		})
	}), nil
}
