package worker

import (
	"context"
	"sync"
)

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
