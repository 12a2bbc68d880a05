// Package broadcast tells any number of listeners that something has changed.
package broadcast

import (
	"context"
	"sync"
)

// Hub knows who listens. The zero value has nobody. It is safe for concurrent
// use.
type Hub struct {
	mu        sync.Mutex
	listeners map[chan struct{}]struct{}
}

// Listen returns a channel that receives after each [Hub.Tell], several perhaps
// at once, until ctx ends and the channel is closed.
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

// Tell tells all listeners. It never waits for one.
func (h *Hub) Tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.listeners {
		select {
		case c <- struct{}{}:
		default: // it has one waiting already
		}
	}
}
