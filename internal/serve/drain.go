package serve

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
// To close a port or a connection at once would lose what is on its way there. So
// the server first goes on for a while, fails /readyz, and closes each connection
// with a response. Then it takes no new connections and waits for the last
// requests.
func (s *server) drain(ctx context.Context) error {
	s.draining.Store(true)
	s.Logger.Info("draining", "delay", s.DrainDelay, "timeout", s.DrainTimeout)
	s.delay()
	s.settle()
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

// delay waits until clients had time to move on. It does not wait if no client is
// connected and none can ask whether the server is ready.
func (s *server) delay() {
	for end := time.Now().Add(s.DrainDelay); time.Now().Before(end); time.Sleep(poll) {
		if all, _ := s.connections.count(); s.admin == nil && all == 0 {
			return
		}
	}
}

// settle lets no new connections in, and waits for the first request on those
// that came last: [http.Server.Shutdown] drops connections without one.
func (s *server) settle() {
	if tcp, ok := s.publicListener.(*net.TCPListener); ok && ignoreNew(tcp) == nil {
		time.Sleep(handshake)
	}
	for end := time.Now().Add(firstRequest); time.Now().Before(end); time.Sleep(poll) {
		if _, fresh := s.connections.count(); fresh == 0 {
			break
		}
	}
	time.Sleep(poll) // requests that have arrived are begun now
}

// connections counts open connections.
type connections struct {
	mu    sync.Mutex
	all   int
	fresh map[net.Conn]struct{} // on which nothing has arrived
}

// follow is called by net/http when the state of a connection changes.
func (c *connections) follow(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.fresh == nil {
			c.fresh = make(map[net.Conn]struct{})
		}
		c.all++
		c.fresh[conn] = struct{}{}
	case http.StateClosed, http.StateHijacked:
		c.all--
		delete(c.fresh, conn)
	case http.StateActive:
		delete(c.fresh, conn)
	}
}

func (c *connections) count() (all, fresh int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all, len(c.fresh)
}
