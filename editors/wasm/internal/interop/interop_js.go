// Package interop converts values between JavaScript and Go.
package interop

import (
	"context"
	"errors"
	"syscall/js"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
)

// Bytes copies a Uint8Array. Other values are nil.
func Bytes(v js.Value) []byte {
	if !v.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Await waits for a promise. A rejected one is an error with the message of its reason.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	// The functions are released by the one that is called, since a promise settles
	// even if nobody waits for it any more.
	var fulfilled, rejected js.Func
	settle := func(s settled) any {
		fulfilled.Release()
		rejected.Release()
		done <- s
		return nil
	}
	fulfilled = js.FuncOf(func(_ js.Value, args []js.Value) any { return settle(settled{value: args[0]}) })
	rejected = js.FuncOf(func(_ js.Value, args []js.Value) any {
		return settle(settled{err: errors.New(js.Global().Get("String").Invoke(args[0].Get("message")).String())})
	})
	promise.Call("then", fulfilled, rejected)
	select {
	case s := <-done:
		return s.value, s.err
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}

// Promise returns a promise for what a function returns, which runs in a goroutine.
func Promise(do func() (any, error)) js.Value {
	var executor js.Func
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve, reject := args[0], args[1]
		executor.Release()
		go func() {
			value, err := do()
			if err != nil {
				reject.Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			resolve.Invoke(value)
		}()
		return nil
	})
	return js.Global().Get("Promise").New(executor)
}

// Source is where releases come from, as a page has it: an object {index, release}.
type Source struct{ js.Value }

// Index calls index(), which returns a promise of a Uint8Array.
func (s Source) Index(ctx context.Context) ([]byte, error) {
	v, err := Await(ctx, s.Call("index"))
	if err != nil {
		return nil, err
	}
	return Bytes(v), nil
}

// Release calls release(needed), which returns a promise of a Uint8Array. What is needed is
// JSON.
func (s Source) Release(ctx context.Context, needed engine.Needed) ([]byte, error) {
	what, err := json.Marshal(needed)
	if err != nil {
		return nil, err
	}
	v, err := Await(ctx, s.Call("release", string(what)))
	if err != nil {
		return nil, err
	}
	return Bytes(v), nil
}
