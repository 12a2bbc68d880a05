package lsp_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

const chain = "file:///w/chain.datachain.json"

func TestLifecycle(t *testing.T) {
	server := lsp.New(opened(samples(t)), &lsp.Options{Version: "v1.2.3"})

	t.Run("requests before initialize", func(t *testing.T) {
		e := connect(t, server)
		assert.Equal(t, -32002, e.answer(e.request("shutdown", nil)).Error.Code)
		assert.Equal(t, -32002, e.answer(e.request("textDocument/hover", object{})).Error.Code)
		e.open(chain, "{}") // is ignored
		e.notify("exit", nil)
		require.ErrorIs(t, e.end(), lsp.ErrNoShutdown)
		assert.Empty(t, e.published)
	})

	t.Run("in order", func(t *testing.T) {
		e := connect(t, server)
		var result struct {
			Capabilities struct {
				PositionEncoding string `json:"positionEncoding"`
				TextDocumentSync struct{ Change int }
			}
			ServerInfo struct{ Name, Version string }
		}
		require.NoError(t, json.Unmarshal(e.initialize(object{}), &result)) // no capabilities at all
		assert.Equal(t, "utf-16", result.Capabilities.PositionEncoding)
		assert.Equal(t, 1, result.Capabilities.TextDocumentSync.Change)
		assert.Equal(t, "datachain", result.ServerInfo.Name)
		assert.Equal(t, "v1.2.3 with schema versions from a test", result.ServerInfo.Version)
		e.logged("schema versions come from a test")
		assert.Equal(t, -32600, e.answer(e.request("initialize", object{})).Error.Code)
		assert.JSONEq(t, "null", string(e.ask("shutdown", nil)))
		assert.Equal(t, -32600, e.answer(e.request("textDocument/hover", object{})).Error.Code)
		e.notify("exit", nil)
		assert.NoError(t, e.end())
	})

	t.Run("exit without shutdown", func(t *testing.T) {
		e := start(t, server, nil)
		e.notify("exit", nil)
		assert.ErrorIs(t, e.end(), lsp.ErrNoShutdown)
	})

	t.Run("the stream ends", func(t *testing.T) {
		e := start(t, server, nil)
		e.out.Close()
		assert.ErrorIs(t, e.end(), lsp.ErrNoShutdown)
	})
}

// TestInitialize opens the releases of a client, and asks it to watch files.
func TestInitialize(t *testing.T) {
	server := lsp.New(opened(samples(t)), nil)

	t.Run("releases that can't be opened", func(t *testing.T) {
		e := connect(t, lsp.New(func(context.Context, []string) (*lsp.Releases, error) { return nil, io.ErrNoProgress }, nil))
		m := e.answer(e.request("initialize", object{}))
		require.NotNil(t, m.Error)
		assert.Contains(t, m.Error.Message, io.ErrNoProgress.Error())
	})

	t.Run("folders", func(t *testing.T) {
		var got [][]string
		open := func(_ context.Context, folders []string) (*lsp.Releases, error) {
			got = append(got, folders)
			return opened(samples(t))(t.Context(), folders)
		}
		connect(t, lsp.New(open, nil)).initialize(object{"rootUri": "file:///a", "workspaceFolders": []object{{"uri": "file:///b", "name": "b"}, {"uri": "file:///c", "name": "c"}}})
		connect(t, lsp.New(open, nil)).initialize(object{"rootUri": "file:///a", "workspaceFolders": nil})
		assert.Equal(t, [][]string{{"file:///b", "file:///c"}, {"file:///a"}}, got)
	})

	t.Run("watched files", func(t *testing.T) {
		e := start(t, server, object{"workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": true}}})
		e.await("a registration", func() bool { return len(e.asked) == 1 })
		assert.Equal(t, "client/registerCapability", e.asked[0].Method)
		e.send(object{"id": "watch", "result": nil})
		e.ask("shutdown", nil) // the answer did no harm
	})
}

func TestMessages(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), nil)
	for _, c := range []struct {
		name, text string
		id         string
		code       int
	}{
		{"not JSON", `{"jsonrpc":`, "null", -32700},
		{"empty", ``, "null", -32700},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`, "null", -32600},
		{"a number", `7`, "null", -32600},
		{"duplicate key", `{"jsonrpc":"2.0","id":71,"id":72,"method":"x"}`, "null", -32700},
		{"version", `{"id":73,"method":"shutdown"}`, "73", -32600},
		{"no method", `{"jsonrpc":"2.0","id":74}`, "74", -32600},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, "null", -32600},
		{"unknown method", `{"jsonrpc":"2.0","id":"x","method":"textDocument/unheard"}`, `"x"`, -32601},
		{"unknown optional method", `{"jsonrpc":"2.0","id":75,"method":"$/unheard"}`, `75`, -32601},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.mu.Lock()
			delete(e.answers, c.id)
			e.mu.Unlock()
			e.raw(c.text)
			m := e.answer(c.id)
			require.NotNil(t, m.Error)
			assert.Equal(t, c.code, m.Error.Code, m.Error.Message)
		})
	}
	// Params that are null are none.
	for _, method := range []string{"textDocument/hover", "textDocument/completion", "workspace/executeCommand"} {
		m := e.answer(e.request(method, nil))
		require.NotNil(t, m.Error, method)
		assert.Equal(t, -32602, m.Error.Code, method)
		assert.Equal(t, "The params are missing.", m.Error.Message, method)
	}
	for _, method := range []string{"textDocument/didOpen", "textDocument/didClose", "workspace/didChangeWatchedFiles", "$/cancelRequest"} {
		e.notify(method, nil)
		e.logged(method + ": The params are missing.")
	}
	// What is wrong with a notification is logged, and does not end the session.
	e.notify("textDocument/didOpen", object{"textDocument": 7})
	e.logged("textDocument/didOpen: The params are invalid")
	e.change("file:///never-opened", 1, "{}")
	e.logged("is not open")
	e.notify("$/unheard", object{})
	e.ask("shutdown", nil)
}

func TestStream(t *testing.T) {
	read := func(in string, most int64) ([]string, error) {
		s := lsp.NewShortStream(strings.NewReader(in), io.Discard, most)
		var messages []string
		for {
			m, err := s.Read(t.Context())
			if err != nil {
				return messages, err
			}
			messages = append(messages, string(m))
		}
	}
	for _, c := range []struct {
		name, in string
		want     []string
		err      string
	}{
		{"two", "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n7", []string{"{}", "7"}, "EOF"},
		{"other headers", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2 \r\n\r\n{}", []string{"{}"}, "EOF"},
		{"only line feeds", "Content-Length: 2\n\n{}", []string{"{}"}, "EOF"},
		{"nothing", "", nil, "EOF"},
		{"no length", "Content-Type: x\r\n\r\n{}", nil, "expected a Content-Length header"},
		{"not a header", "GET / HTTP/1.1\r\n\r\n", nil, `found "GET / HTTP/1.1"`},
		{"negative", "Content-Length: -1\r\n\r\n", nil, "must be one number"},
		{"a sign", "Content-Length: +1\r\n\r\n", nil, "must be one number"},
		{"beyond 64 bits", "Content-Length: 99999999999999999999\r\n\r\n", nil, "must be one number"},
		{"twice", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", nil, "must be one number"},
		{"cut off in headers", "Content-Length: 2", nil, "unexpected EOF"},
		{"cut off", "Content-Length: 20\r\n\r\n{}", nil, "unexpected EOF"},
		{"endless line", strings.Repeat("x", 1<<20), nil, "more than 4096 bytes"},
		{"endless headers", strings.Repeat("A: b\r\n", 1<<18), nil, "more than 4096 bytes"},
		{"promises much", "Content-Length: 33554432\r\n\r\n{}", nil, "unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(c.in, 0)
			assert.Equal(t, c.want, got)
			assert.ErrorContains(t, err, c.err)
		})
	}
	t.Run("too large", func(t *testing.T) {
		s := lsp.NewShortStream(strings.NewReader("Content-Length: 9\r\n\r\n123456789Content-Length: 2\r\n\r\n{}"), io.Discard, 8)
		_, err := s.Read(t.Context())
		var large *lsp.TooLargeError
		require.ErrorAs(t, err, &large)
		assert.Equal(t, lsp.TooLargeError{Size: 9, Max: 8, Outline: []byte("123456789")}, *large)
		m, err := s.Read(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "{}", string(m))
	})
}

// TestTooLarge shows that a message that is too large costs neither the session nor
// the truth of what is shown.
func TestTooLarge(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	e.initialize(object{})
	e.open(chain, "{}")
	require.NotEmpty(t, e.diagnostics(chain, 1))
	e.change(chain, 2, strings.Repeat(" ", maxMessage))
	found := e.diagnostics(chain, 2)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "not checked")
	e.send(object{"id": "big", "method": "textDocument/hover", "params": object{"pad": strings.Repeat(" ", maxMessage)}})
	assert.Equal(t, -32803, e.answer(`"big"`).Error.Code)
	e.change(chain, 3, "{}")
	require.NotEmpty(t, e.diagnostics(chain, 3))
}

// TestPanic shows that a crash ends neither the session nor later runs.
func TestPanic(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	crash := &crashing{Store: store}
	crash.now.Store(true)
	e := start(t, lsp.New(opened(must(datachain.New(crash, nil))), nil), nil)
	e.open(chain, valid)
	log := e.logged("internal error in diagnostics of " + chain)
	assert.Contains(t, log, "this is a test")
	assert.Contains(t, log, "session_test.go", "the log has the stack")
	m := e.answer(e.request("textDocument/hover", at(position{0, 0})))
	require.NotNil(t, m.Error)
	assert.Equal(t, -32603, m.Error.Code)
	e.logged("internal error in textDocument/hover")
	crash.now.Store(false)
	e.change(chain, 2, valid)
	assert.Empty(t, e.diagnostics(chain, 2))
}

// crashing is a store that panics.
type crashing struct {
	taxonomy.Store
	now atomic.Bool
}

func (s *crashing) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if s.now.Load() {
		panic("this is a test")
	}
	return s.Store.Release(ctx, v)
}

// hanging is a store that never answers.
type hanging struct{ taxonomy.Store }

func (hanging) Index(ctx context.Context) (*taxonomy.Index, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestHangingStore shows that a store that does not answer delays nothing else.
func TestHangingStore(t *testing.T) {
	e := start(t, lsp.New(opened(must(datachain.New(hanging{}, nil))), nil), nil)
	e.open(chain, valid)
	e.change(chain, 2, valid)
	e.change(chain, 3, "{")
	assert.Len(t, e.diagnostics(chain, 3), 1)
	e.change(chain, 4, valid)

	// Requests that wait for the store are canceled, and others are not delayed by
	// them, as long as they are not too many.
	var waiting []string
	for range 5 {
		waiting = append(waiting, e.request("textDocument/hover", at(position{0, 0})))
	}
	again := e.answer(e.request("textDocument/unheard", nil))
	assert.Equal(t, -32601, again.Error.Code)
	e.send(object{"id": json.RawMessage(waiting[0]), "method": "textDocument/hover", "params": at(position{0, 0})})
	assert.Equal(t, -32600, e.answer(waiting[0]).Error.Code, "the id is in use")
	e.mu.Lock()
	delete(e.answers, waiting[0])
	e.mu.Unlock()
	for _, id := range waiting {
		e.notify("$/cancelRequest", object{"id": json.RawMessage(id)})
		assert.Equal(t, -32800, e.answer(id).Error.Code)
	}
	e.notify("$/cancelRequest", object{"id": 4711}) // is ignored
	e.ask("shutdown", nil)
	e.notify("exit", nil)
	assert.NoError(t, e.end())
}
