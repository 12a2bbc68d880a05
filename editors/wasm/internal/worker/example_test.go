package worker_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/editors/wasm/internal/worker"
)

// empty is a page without releases.
type empty struct{}

func (empty) Index(context.Context) ([]byte, error) { return []byte(`{"versions":[]}`), nil }

func (empty) Release(context.Context, engine.Needed) ([]byte, error) {
	return nil, nil
}

func (empty) Send(message []byte) { fmt.Println(string(message)) }

// The messages of a client are handed over one by one.
func Example() {
	ctx := context.Background()
	server := worker.New(empty{}, nil)
	if err := server.Refresh(ctx); err != nil {
		panic(err)
	}
	server.Receive([]byte(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`))
	server.Receive([]byte(`{"jsonrpc":"2.0","method":"exit"}`))
	fmt.Println(server.Serve(ctx))
	// Output:
	// {"error":{"code":-32002,"message":"The first request must be initialize."},"id":1,"jsonrpc":"2.0"}
	// lsp: the client ended the session without a shutdown request
}
