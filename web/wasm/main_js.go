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
		// add(id, {release, symbols?, pack?})
		"add": js.FuncOf(func(_ js.Value, args []js.Value) any {
			parts := args[1]
			return string(e.Add(args[0].String(), engine.Parts{
				Release: bytesOf(parts.Get("release")), Symbols: textsOf(parts.Get("symbols")), Pack: bytesOf(parts.Get("pack")),
			}))
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

// textsOf copies an object of strings.
func textsOf(v js.Value) map[string]string {
	texts := make(map[string]string)
	if v.Type() != js.TypeObject {
		return texts
	}
	keys := js.Global().Get("Object").Call("keys", v)
	for i := range keys.Length() {
		key := keys.Index(i).String()
		texts[key] = v.Get(key).String()
	}
	return texts
}
