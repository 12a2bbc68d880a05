// Command wasm is the WebAssembly module of the npm package in this directory. It gives
// JavaScript the calls of package engine, and nothing else: index.js fetches releases
// and has the interface that pages use.
package main

import (
	"syscall/js"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/editors/wasm/internal/interop"
)

// ready is the function that module.js waits for. It is called with an object of the
// functions below, each of which returns JSON.
const ready = "__datachain_ready"

func main() {
	e := engine.New()
	js.Global().Call(ready, map[string]any{
		// call(operation, options, document?)
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
			var document []byte
			if len(args) > 2 {
				document = interop.Bytes(args[2])
			}
			return string(e.Call(args[0].String(), []byte(args[1].String()), document))
		}),
		// setIndex(text)
		"setIndex": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(e.SetIndex(interop.Bytes(args[0])))
		}),
		// add(id, {release, symbols?, pack?})
		"add": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(e.Add(args[0].String(), interop.Bytes(args[1])))
		}),
	})
	select {} // the functions live as long as the page
}
