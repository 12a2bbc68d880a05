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
// Closing a port or a connection at once would lose requests that have been sent. So the server goes
// on for DrainDelay, fails /readyz, and closes each connection with its next response. Then it accepts
// no new connections and waits for the last requests, but not for connections without one.
func (s *server) drain(ctx context.Context) error {
	s.draining.Store(true)
	s.Logger.Info("draining", "delay_ms", s.DrainDelay.Milliseconds(), "timeout_ms", s.DrainTimeout.Milliseconds())
	s.delay()
	s.refuseNew()
	ctx, cancel := context.WithTimeout(ctx, s.DrainTimeout)
	defer cancel()
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
	// handshake is the time for connections that are being established, and
	// firstRequest the time until their first request has to arrive.
	handshake    = 100 * time.Millisecond
	firstRequest = time.Second
	// poll is how often connections are counted.
	poll = 20 * time.Millisecond
)

// delay waits for DrainDelay. It does not wait if no client has made a request and there is no admin
// address at which a load balancer could ask whether the server is ready.
func (s *server) delay() {
	for end := time.Now().Add(s.DrainDelay); time.Now().Before(end); time.Sleep(poll) {
		if used, _ := s.connections.count(); s.admin == nil && used == 0 {
			return
		}
	}
}

// refuseNew accepts no new connections, and waits for the first request on those
// that came last. Then it closes the connections without a request, for which
// [http.Server.Shutdown] would wait.
func (s *server) refuseNew() {
	if tcp, ok := s.publicListener.(*net.TCPListener); ok && ignoreNew(tcp) == nil {
		time.Sleep(handshake)
	}
	for end := time.Now().Add(firstRequest); time.Now().Before(end); time.Sleep(poll) {
		if _, young := s.connections.count(); young == 0 {
			break
		}
	}
	time.Sleep(poll) // for requests that have arrived to be started
	s.connections.closeUnused()
}

// connections counts open connections.
type connections struct {
	mu     sync.Mutex
	used   int                    // those on which a request has arrived
	unused map[net.Conn]time.Time // the others, with the time at which they were opened
}

// follow is called by net/http when the state of a connection changes.
func (c *connections) follow(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, unused := c.unused[conn]
	switch state {
	case http.StateNew:
		if c.unused == nil {
			c.unused = make(map[net.Conn]time.Time)
		}
		c.unused[conn] = time.Now()
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

// count returns how many connections were used, and how many others are so young
// that their first request may be on its way.
func (c *connections) count() (used, young int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, opened := range c.unused {
		if time.Since(opened) < firstRequest {
			young++
		}
	}
	return c.used, young
}

// closeUnused closes the connections on which no request has arrived.
func (c *connections) closeUnused() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.unused {
		_ = conn.Close() // nothing was sent on it
	}
}
