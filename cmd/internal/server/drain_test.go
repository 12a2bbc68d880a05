package server_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/cmd/internal/server"
	handler "github.com/datachain-go/datachain/pages/server"
)

// load counts what clients experience.
type load struct {
	answered, moved atomic.Int64
	elsewhere       atomic.Bool // new connections go to another server
	mu              sync.Mutex
	lost            []error
}

func (l *load) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = append(l.lost, err)
}

// client sends requests without a pause until a response says that the connection will be closed,
// and then goes to another server, as a load balancer does. It never sends a request twice.
func (l *load) client(address string, fresh bool) {
	for moved := false; !moved; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.SetDeadline(time.Now().Add(time.Minute))
			moved, err = l.use(conn, fresh)
			_ = conn.Close()
		}
		if err != nil {
			l.lose(err)
			return
		}
	}
	l.moved.Add(1)
}

// use sends requests on a connection, only one if fresh. It reports whether a response said that the
// connection will be closed.
func (l *load) use(conn net.Conn, fresh bool) (moved bool, err error) {
	r := bufio.NewReader(conn)
	for n := 0; ; n++ {
		request := shapeLine
		if n%2 == 0 {
			request = validateLine + "{}"
		}
		if _, err := io.WriteString(conn, request); err != nil {
			return false, fmt.Errorf("request %d of a connection: %w", n, err)
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return false, fmt.Errorf("response %d of a connection: %w", n, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return false, fmt.Errorf("body %d of a connection: %w", n, err)
		}
		if res.StatusCode != http.StatusOK {
			return false, fmt.Errorf("response %d of a connection: %s", n, res.Status)
		}
		l.answered.Add(1)
		if res.Close || fresh {
			return res.Close, nil
		}
	}
}

// busy are options under which no request is refused, and the port stays open until no client is
// left: what is too late then is not for a clock to say.
func busy() server.Options {
	return server.Options{DrainDelay: time.Hour, Options: handler.Options{HTTP: httpapi.Options{MaxWork: 64, WorkTimeout: time.Minute}}}
}

// drain stops a server while clients send requests: each request is answered, and all clients are
// told to move on before the drain delay ends. An idle connection keeps it from ending early.
func (l *load) drain(s *running, clients *sync.WaitGroup, n int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return l.answered.Load() > 200 }, 30*time.Second, time.Millisecond)
	idle, err := net.Dial("tcp", s.host())
	require.NoError(s.t, err)
	defer idle.Close()
	_, err = l.use(idle, true)
	require.NoError(s.t, err)
	l.elsewhere.Store(true)
	s.cancel()
	clients.Wait()
	assert.Empty(s.t, l.lost)
	assert.Equal(s.t, int64(n), l.moved.Load(), "every client is told to move on")
	require.Empty(s.t, s.ended)
	require.NoError(s.t, idle.Close())
	require.NoError(s.t, s.stop())
}

// TestDrainUnderLoad stops a server that is kept busy by clients that keep their
// connections and by clients that do not.
func TestDrainUnderLoad(t *testing.T) {
	s := start(t, samples(t), busy())
	l := new(load)
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() { l.client(s.host(), i%2 == 0) })
	}
	l.drain(s, &wg, 24)
}

// errElsewhere is what a client gets that needs a new connection once the server drains.
var errElsewhere = errors.New("the load balancer chose another server")

// TestDrainHTTP2 does the same with HTTP/2, where the server says which requests on
// a connection it has accepted.
func TestDrainHTTP2(t *testing.T) {
	s := start(t, samples(t), busy())
	l := new(load)
	var wg sync.WaitGroup
	transport := h2cTransport()
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if l.elsewhere.Load() {
			return nil, errElsewhere
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	for range 16 {
		wg.Go(func() {
			for {
				res, err := client.Post(s.URL+"/api/v2/schemas/ai@latest/validate", "application/json", strings.NewReader("{}"))
				if errors.Is(err, errElsewhere) {
					l.moved.Add(1)
					return
				}
				if err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					err = errors.Join(err, res.Body.Close())
				}
				if err != nil {
					l.lose(err)
					return
				}
				l.answered.Add(1)
			}
		})
	}
	l.drain(s, &wg, 16)
}

func h2cTransport() *http.Transport {
	t := &http.Transport{Protocols: new(http.Protocols)}
	t.Protocols.SetUnencryptedHTTP2(true)
	return t
}

// TestDrainWaits stops a server while a request is sent: it is answered. Meanwhile
// the server is not ready, serves clients that do not know it yet, and in the end
// takes no new connections.
func TestDrainWaits(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{AdminAddr: anyPort, DrainDelay: 3 * time.Second, Options: handler.Options{HTTP: httpapi.Options{WorkTimeout: 5 * time.Minute}}})
	conn := s.halfRequest()
	defer conn.Close()
	s.cancel()
	assert.Equal(t, "draining\n", s.become(s.AdminURL+"/readyz", http.StatusServiceUnavailable))
	status, _ := s.get("/schemas")
	assert.Equal(t, http.StatusOK, status)
	require.Eventually(t, func() bool {
		c, err := net.DialTimeout("tcp", s.host(), time.Second)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 30*time.Second, 10*time.Millisecond, "it takes no new connections")
	require.Empty(t, s.ended, "it waits for the request")
	res := finish(t, conn)
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.True(t, res.Close)
	assert.NoError(t, s.stop())
}

// TestDrainTimeout shows that a request which never ends does not keep a server.
func TestDrainTimeout(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{AdminAddr: anyPort, DrainTimeout: 50 * time.Millisecond, Options: handler.Options{HTTP: httpapi.Options{WorkTimeout: 5 * time.Minute}}})
	conn := s.halfRequest()
	defer conn.Close()
	require.ErrorIs(t, s.stop(), server.ErrDrainTimeout)
}

// TestIdleServerStopsAtOnce shows that a server without clients does not wait for
// the drain delay.
func TestIdleServerStopsAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, samples(t), server.Options{DrainDelay: time.Hour})
	require.NoError(t, s.stop())
}

// TestUnusedConnectionsAreNotWaitedFor shows that connections on which nothing was
// asked neither delay a stop nor make it fail.
func TestUnusedConnectionsAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		t.Run(map[bool]string{false: "plain", true: "TLS"}[secure], func(t *testing.T) {
			t.Parallel()
			o, trust := server.Options{DrainDelay: time.Hour, DrainTimeout: 4 * time.Second}, (*tls.Config)(nil)
			if secure {
				o, trust = secured(t, o)
			}
			s := start(t, samples(t), o)
			for i := range 6 {
				conn, err := net.Dial("tcp", s.host())
				require.NoError(t, err)
				t.Cleanup(func() { _ = conn.Close() })
				if secure && i%3 > 0 {
					conn = tls.Client(conn, &tls.Config{RootCAs: trust.RootCAs, ServerName: "127.0.0.1"})
					require.NoError(t, conn.(*tls.Conn).Handshake())
				}
				if i%3 > 1 {
					_, err = io.WriteString(conn, "GET /api/v2/sch")
					require.NoError(t, err)
				}
			}
			require.NoError(t, s.stop())
			require.NotContains(t, s.log.String(), "handshake failed")
		})
	}
}
