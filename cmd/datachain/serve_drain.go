package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// errCutOff is why a server did not stop well.
var errCutOff = errors.New("requests were cut off")

// drain stops the server without losing a request.
//
// To close a port or a connection at once would lose what is on its way there.
// So for a while the server goes on, is no longer ready for whoever asks
// /readyz, and closes each connection with an answer. Then it takes no new
// connections, and waits for the last requests.
func (s *server) drain(ctx context.Context) error {
	s.draining.Store(true)
	s.log.Info("stopping", "delay", s.drainDelay, "timeout", s.drainTimeout)
	s.delay()
	s.settle()
	ctx, cancel := context.WithTimeout(ctx, s.drainTimeout)
	defer cancel()
	err := s.public.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = &adviceError{
			fmt.Errorf("%w that took longer than --drain-timeout %s", errCutOff, shortDuration(s.drainTimeout)),
			"Give them more time with --drain-timeout or DATACHAIN_DRAIN_TIMEOUT.",
		}
	}
	if err = errors.Join(err, s.close()); err == nil {
		s.log.Info("stopped")
	}
	return err
}

const (
	// handshake is how long connections that are being made have to be made,
	// and firstRequest how long their first request may then take to arrive.
	handshake    = 100 * time.Millisecond
	firstRequest = time.Second
	// patience is how often is looked whether anybody is left.
	patience = 20 * time.Millisecond
)

// delay waits until clients had time to move on. Where nobody is there, and
// nobody asks whether the server is ready, there is nothing to wait for.
func (s *server) delay() {
	for end := time.Now().Add(s.drainDelay); time.Now().Before(end); time.Sleep(patience) {
		if all, _ := s.connections.count(); s.admin == nil && all == 0 {
			return
		}
	}
}

// settle lets no new connections in, and waits for the requests on those that
// came last: [http.Server.Shutdown] drops what it has not begun with.
func (s *server) settle() {
	if tcp, ok := s.publicListener.(*net.TCPListener); ok && ignoreNew(tcp) == nil {
		time.Sleep(handshake)
	}
	for end := time.Now().Add(firstRequest); time.Now().Before(end); time.Sleep(patience) {
		if _, fresh := s.connections.count(); fresh == 0 {
			break
		}
	}
	time.Sleep(patience) // what has arrived is taken up now
}

// connections are those that are open.
type connections struct {
	mu    sync.Mutex
	all   int
	fresh map[net.Conn]struct{} // nothing has arrived on these
	// anyFresh is how many those are, for the many requests on others.
	anyFresh atomic.Int64
}

// follow is told what happens to a connection: twice for each request.
func (c *connections) follow(conn net.Conn, state http.ConnState) {
	if state == http.StateIdle || state == http.StateActive && c.anyFresh.Load() == 0 {
		return
	}
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
	default:
		delete(c.fresh, conn)
	}
	c.anyFresh.Store(int64(len(c.fresh)))
}

func (c *connections) count() (all, fresh int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all, len(c.fresh)
}

// close ends at once whatever is still there.
func (s *server) close() error {
	err := s.public.Close()
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	return err
}
