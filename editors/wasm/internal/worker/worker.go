// Package worker provides the language server of package lsp for a Worker in a browser:
// messages come one by one, and releases are fetched by the page.
//
//	server := worker.New(page, nil)
//	err := server.Refresh(ctx) // reads the index
//	go server.Serve(ctx)
//	server.Receive(message) // for each message of the client
//
// The package knows nothing of JavaScript, so it is tested like any other. Authoring
// source has no place in a browser: the server validates documents.
package worker

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/internal/product"
)

// Page is the page that the server works for.
type Page interface {
	engine.Source
	// Send sends a message to the client. It must not block.
	Send(message []byte)
}

// Options configure a [Server]. The zero value and nil are the defaults.
type Options struct {
	// BaseURL is where findings are explained, as in [lsp.Options].
	BaseURL string
	// Origin says where the releases come from, for people; "" means the page.
	Origin string
}

// delay is how long a document must be unchanged before it is validated. WebAssembly has
// one thread, so a run can't be canceled by a message that arrives meanwhile: messages
// that are already waiting must be read first. That takes one turn of the event loop.
const delay = 2 * time.Millisecond

// Server serves one client.
type Server struct {
	store *engine.Store
	inbox *inbox
	lsp   *lsp.Server
}

// New returns a server for a page.
func New(page Page, o *Options) *Server {
	if o == nil {
		o = new(Options)
	}
	origin := cmp.Or(o.Origin, "the page")
	s := &Server{store: engine.NewStore(page), inbox: newInbox(page.Send)}
	service, _ := product.New(s.store, &datachain.Options{MaxInput: -1, MaxCPU: -1}) // valid options
	s.lsp = lsp.New(func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: service, Origin: origin, Changes: s.store.Changes}, nil
	}, &lsp.Options{BaseURL: o.BaseURL, Delay: delay})
	return s
}

// Refresh reads the index again. If it has changed, open documents are validated again; if
// it can't be read, the last one stays in use.
func (s *Server) Refresh(ctx context.Context) error { return s.store.Refresh(ctx) }

// Receive takes a message of the client. It never blocks.
func (s *Server) Receive(message []byte) { s.inbox.put(message) }

// Serve serves the client until it ends the session or ctx ends. See
// [lsp.Server.Serve].
func (s *Server) Serve(ctx context.Context) error { return s.lsp.Serve(ctx, s.inbox) }

// inbox is an [lsp.Conn] to which messages are handed. Its queue has no bound: a Worker
// can't make a page wait, and both are the same program.
type inbox struct {
	send func(message []byte)

	mu    sync.Mutex
	queue [][]byte
	ready chan struct{} // has a value if the queue is not empty
}

func newInbox(send func([]byte)) *inbox {
	return &inbox{send: send, ready: make(chan struct{}, 1)}
}

func (b *inbox) put(message []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, message)
	b.signal()
}

// signal says that there are messages. The caller has the lock.
func (b *inbox) signal() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// Read returns the next message.
func (b *inbox) Read(ctx context.Context) ([]byte, error) {
	select {
	case <-b.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	message := b.queue[0]
	b.queue[0] = nil
	if b.queue = b.queue[1:]; len(b.queue) > 0 {
		b.signal()
	}
	return message, nil
}

// Write sends a message to the client.
func (b *inbox) Write(message []byte) error {
	b.send(message)
	return nil
}
