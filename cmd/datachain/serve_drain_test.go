package main

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// host is where the API of a server listens.
func (s *running) host() string {
	_, rest, _ := strings.Cut(s.api, "://")
	return strings.TrimSuffix(rest, "/api/v2")
}

const (
	validateLine = "POST /api/v2/schemas/ai@latest/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
	shapeLine    = "GET /api/v2/shapes/circle.svg HTTP/1.1\r\nHost: x\r\n\r\n"
)

// load is what clients met.
type load struct {
	answered, refused, moved atomic.Int64
	mu                       sync.Mutex
	lost                     []error
}

func (l *load) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = append(l.lost, err)
}

// client asks without a pause until it is refused. It does what HTTP/1.1 asks of
// clients, and no more: a connection is kept until an answer says that it will
// be closed, and nothing is tried twice.
func (l *load) client(address string, fresh bool) {
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			if errors.Is(err, syscall.ECONNREFUSED) {
				l.refused.Add(1)
			} else {
				l.lose(fmt.Errorf("connecting: %w", err))
			}
			return
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // what is lost is told, not waited for
		err = l.use(conn, fresh)
		_ = conn.Close()
		if err != nil {
			l.lose(err)
			return
		}
	}
}

// use sends requests on a connection until it is to be closed.
func (l *load) use(conn net.Conn, fresh bool) error {
	r := bufio.NewReader(conn)
	for n := 0; ; n++ {
		request := shapeLine
		if n%2 == 0 {
			request = validateLine + "{}"
		}
		if _, err := io.WriteString(conn, request); err != nil {
			return fmt.Errorf("request %d of a connection: %w", n, err)
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return fmt.Errorf("answer %d of a connection: %w", n, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return fmt.Errorf("body %d of a connection: %w", n, err)
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("answer %d of a connection: %s", n, res.Status)
		}
		l.answered.Add(1)
		if res.Close {
			l.moved.Add(1)
			return nil
		}
		if fresh {
			return nil
		}
	}
}

// TestDrainUnderLoad stops a server that is kept busy, by clients that keep their
// connections and by such that do not: whoever was not refused got an answer.
func TestDrainUnderLoad(t *testing.T) {
	for round := range 3 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--rate-limit=off", "--log-requests=off", "--drain-delay=2s", "--max-work=64")
			l := new(load)
			var wg sync.WaitGroup
			for i := range 24 {
				wg.Go(func() { l.client(s.host(), i%2 == 0) })
			}
			require.Eventually(t, func() bool { return l.answered.Load() > 200 }, 30*time.Second, time.Millisecond)
			require.Equal(t, exitGood, s.stop())
			wg.Wait()
			assert.Empty(t, l.lost)
			assert.Equal(t, int64(24), l.refused.Load(), "every client was refused in the end")
			assert.Positive(t, l.moved.Load(), "clients were asked to move on")
		})
	}
}

// TestDrainHTTP2 does the same with HTTP/2, where the server says which of the
// requests on a connection it has taken.
func TestDrainHTTP2(t *testing.T) {
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--rate-limit=off", "--log-requests=off", "--drain-delay=2s", "--max-work=64")
	l := new(load)
	var wg sync.WaitGroup
	client := &http.Client{Transport: h2cTransport(), Timeout: time.Minute}
	defer client.CloseIdleConnections()
	for range 16 {
		wg.Go(func() {
			for {
				res, err := client.Post(s.api+"/schemas/ai@latest/validate", "application/json", strings.NewReader("{}"))
				if errors.Is(err, syscall.ECONNREFUSED) {
					l.refused.Add(1)
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
	require.Eventually(t, func() bool { return l.answered.Load() > 200 }, 30*time.Second, time.Millisecond)
	require.Equal(t, exitGood, s.stop())
	wg.Wait()
	assert.Empty(t, l.lost)
	assert.Equal(t, int64(16), l.refused.Load())
}

func h2cTransport() *http.Transport {
	t := &http.Transport{Protocols: new(http.Protocols), TLSClientConfig: &tls.Config{}}
	t.Protocols.SetUnencryptedHTTP2(true)
	return t
}

// TestDrainWaits stops a server while a request is on its way: it is answered.
// Meanwhile the server says that it is not ready.
func TestDrainWaits(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, admission, "--drain-delay=5s", "--work-timeout=5m")
	conn := s.halfRequest()
	defer conn.Close()
	s.cancel()
	body := s.become(s.admin+"/readyz", http.StatusServiceUnavailable)
	assert.Equal(t, "stopping\n", body)
	status, _ := s.get("/schemas")
	assert.Equal(t, http.StatusOK, status, "clients that have not heard of it yet are served")
	require.Eventually(t, func() bool {
		c, err := net.DialTimeout("tcp", s.host(), time.Second)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 30*time.Second, 10*time.Millisecond, "it takes no new connections")
	require.Empty(t, s.ended, "it waits for the request")

	_, err := io.WriteString(conn, "}")
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.True(t, res.Close)
	assert.Equal(t, exitGood, s.stop())
}

// halfRequest sends a request but for its last byte.
func (s *running) halfRequest() net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.host())
	require.NoError(s.t, err)
	_, err = io.WriteString(conn, validateLine+"{")
	require.NoError(s.t, err)
	// The server has begun with it when it is among those in flight.
	if s.admin != "" {
		require.Eventually(s.t, func() bool {
			_, page := fetch(s.t, s.admin+"/metrics")
			return strings.Contains(page, "datachain_http_requests_in_flight 1\n")
		}, 30*time.Second, 10*time.Millisecond)
	}
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn
}

// TestDrainEnds shows that a request which never ends does not keep a server.
func TestDrainEnds(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, admission, fastDrain, "--drain-timeout=50ms", "--work-timeout=5m")
	conn := s.halfRequest()
	defer conn.Close()
	require.Equal(t, exitFailed, s.stop())
	require.Contains(t, s.log.String(), "requests were cut off that took longer than --drain-timeout 50ms\nGive them more time")
}

// TestIdleServerStopsAtOnce shows that nobody waits for a server that has nothing
// to do.
func TestIdleServerStopsAtOnce(t *testing.T) {
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--drain-delay=1h")
	require.Equal(t, exitGood, s.stop())
}
