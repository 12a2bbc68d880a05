package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// idleConnections opens connections, some unused and some after one request, and reads
// on others. The first error says what the server did not free, the second one why it
// could not be measured.
func (b *bench) idleConnections(ctx context.Context) (kept, err error) {
	b.client.CloseIdleConnections()
	before, err := b.settled(0)
	if err != nil {
		return nil, err
	}
	conns := openIdle(ctx, strings.TrimPrefix(b.url, "http://"), b.idle)
	limited, cancel := context.WithTimeout(ctx, b.phase)
	defer cancel()
	d := b.paced(limited, b.rate)
	if _, err := b.row(fmt.Sprintf("reads beside %d idle connections", len(conns)), d, 0); err != nil {
		return nil, err
	}
	for _, conn := range conns {
		_ = conn.Close()
	}
	b.client.CloseIdleConnections()
	after, err := b.settled(before.goroutines + 20)
	switch {
	case err != nil:
		return nil, err
	case len(conns) < b.idle:
		kept = fmt.Errorf("only %d of %d idle connections could be opened: raise the limit of open files", len(conns), b.idle)
	case after.goroutines > before.goroutines+20, after.files > before.files+20:
		kept = errors.New("the server keeps what closed connections took")
	}
	return kept, nil
}

// settled takes a sample when the number of goroutines is low, or after a timeout.
func (s *server) settled(goroutines float64) (m sample, err error) {
	for range 50 {
		if m, err = s.sample(); err != nil || m.goroutines <= goroutines {
			return m, err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return m, nil
}

// openIdle opens up to n connections, as many as the system allows.
func openIdle(ctx context.Context, addr string, n int) []net.Conn {
	conns := make([]net.Conn, 0, n)
	for i := range n {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
		if err != nil {
			break
		}
		conns = append(conns, conn)
		if i%2 == 0 && !askOnce(conn) {
			break
		}
	}
	return conns
}

func askOnce(conn net.Conn) bool {
	_, err := io.WriteString(conn, "GET "+sampleVersion+"/manifest HTTP/1.1\r\nHost: x\r\n\r\n")
	if err != nil {
		return false
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err == nil && res.StatusCode == http.StatusOK
}
