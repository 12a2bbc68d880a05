package lsp_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/examples/published"
)

// A client over a pair of streams, which a program would take from its standard input
// and output.
func Example() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	server := lsp.New(func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: service, Origin: "the samples"}, nil
	}, nil)

	var in strings.Builder
	for _, message := range []string{
		`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}`,
		`{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}`,
		`{"jsonrpc": "2.0", "method": "exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	fmt.Println(server.Serve(context.Background(), lsp.NewStream(strings.NewReader(in.String()), io.Discard)))
	// Output: <nil>
}
