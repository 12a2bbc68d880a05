// Command wasm is the WebAssembly module of the npm package in this directory. It gives
// JavaScript the calls of package engine, and nothing else: index.js fetches releases
// and has the interface that pages use.
package main

import (
	"syscall/js"

	"github.com/datachain-go/datachain/web/wasm/engine"
)

// ready is the function that index.js waits for. It is called with an object of the
// functions below, each of which returns JSON.
const ready = "__datachain_ready"

func main() {
	e := engine.New()
	js.Global().Call(ready, map[string]any{
		// call(operation, options, document?)
		"call": js.FuncOf(func(_ js.Value, args []js.Value) any {
			var document []byte
			if len(args) > 2 {
				document = bytesOf(args[2])
			}
			return string(e.Call(args[0].String(), []byte(args[1].String()), document))
		}),
		// setIndex(text)
		"setIndex": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(e.SetIndex(bytesOf(args[0])))
		}),
		// add(id, release, symbols?)
		"add": js.FuncOf(func(_ js.Value, args []js.Value) any {
			symbols := make(map[string]string)
			if len(args) > 2 && args[2].Type() == js.TypeObject {
				ids := js.Global().Get("Object").Call("keys", args[2])
				for i := range ids.Length() {
					id := ids.Index(i).String()
					symbols[id] = args[2].Get(id).String()
				}
			}
			return string(e.Add(args[0].String(), bytesOf(args[1]), symbols))
		}),
	})
	select {} // the functions live as long as the page
}

// bytesOf copies a Uint8Array.
func bytesOf(v js.Value) []byte {
	if v.Type() != js.TypeObject {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}
