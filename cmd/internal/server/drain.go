package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// ErrDrainTimeout means that requests took longer than [Options.DrainTimeout] and
// were cut off.
var ErrDrainTimeout = errors.New("requests were cut off by the drain timeout")

// drain stops the server without losing a request.
//
// Closing the port at once would lose requests that have been sent. So the server goes on for
// DrainDelay, fails /readyz, and closes each connection with its next response, so that load
// balancers and clients move on. Then it accepts no new connections and waits for the last requests.
func (s *server) drain(ctx context.Context) error {
	s.draining.Store(true)
	s.Logger.Info("draining", "delay_ms", s.DrainDelay.Milliseconds(), "timeout_ms", s.DrainTimeout.Milliseconds())
	s.delay()
	ctx, cancel := context.WithTimeout(ctx, s.DrainTimeout)
	defer cancel()
	defer time.AfterFunc(firstRequest, s.connections.closeUnused).Stop() // Shutdown would wait longer for them
	err := s.public.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = ErrDrainTimeout
	}
	if err = errors.Join(err, s.close()); err == nil {
		s.Logger.Info("stopped")
	}
	return err
}

const (
	// firstRequest is the time until the first request of a connection has to arrive, once the port
	// is closed.
	firstRequest = time.Second
	// poll is how often connections are counted.
	poll = 20 * time.Millisecond
)

// delay waits for DrainDelay. It does not wait if no client has made a request and there is no admin
// address at which a load balancer could ask whether the server is ready.
func (s *server) delay() {
	for end := time.Now().Add(s.DrainDelay); time.Now().Before(end); time.Sleep(poll) {
		if s.admin == nil && !s.connections.anyUsed() {
			return
		}
	}
}

// connections are the open connections.
type connections struct {
	mu     sync.Mutex
	used   int                   // those on which a request has arrived
	unused map[net.Conn]struct{} // the others
}

// follow is called by net/http when the state of a connection changes.
func (c *connections) follow(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, unused := c.unused[conn]
	switch state {
	case http.StateNew:
		if c.unused == nil {
			c.unused = make(map[net.Conn]struct{})
		}
		c.unused[conn] = struct{}{}
	case http.StateActive:
		if unused {
			delete(c.unused, conn)
			c.used++
		}
	case http.StateClosed, http.StateHijacked:
		if unused {
			delete(c.unused, conn)
		} else {
			c.used--
		}
	}
}

// anyUsed reports whether a request has arrived on an open connection.
func (c *connections) anyUsed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used > 0
}

// closeUnused closes the connections on which no request has arrived.
func (c *connections) closeUnused() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.unused {
		_ = conn.Close() // nothing was sent on it
	}
}
