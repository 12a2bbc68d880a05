// Package hub notifies listeners of changes.
package hub

import (
	"context"
	"sync"
)

// Hub notifies any number of listeners. The zero Hub has none. It is safe for concurrent use.
type Hub struct {
	mu        sync.Mutex
	listeners map[chan struct{}]struct{}
}

// Listen returns a channel that receives a value after one or more calls of [Hub.Notify]. It is
// closed when ctx ends.
func (h *Hub) Listen(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = make(map[chan struct{}]struct{})
	}
	h.listeners[c] = struct{}{}
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners, c)
		close(c)
	})
	return c
}

// Notify notifies all listeners. It never blocks.
func (h *Hub) Notify() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.listeners {
		select {
		case c <- struct{}{}:
		default: // a notification is pending
		}
	}
}
