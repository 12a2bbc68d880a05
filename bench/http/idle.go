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

// measureIdle opens connections, some unused and some after one request, and reads
// on others. It fails if the server does not free what the connections used.
func measureIdle(ctx context.Context, s *server, c *load, o options) error {
	c.client.CloseIdleConnections()
	before, err := s.settled(0)
	if err != nil {
		return err
	}
	conns := openIdle(ctx, strings.TrimPrefix(s.url, "http://"), o.idle)
	with, err := s.sample()
	if err != nil {
		return err
	}
	n := float64(len(conns))
	fmt.Printf("%d idle connections, of which every other one has asked once: %.1f KiB of memory each, %.1f KiB of it live heap.\n",
		len(conns), (with.resident-before.resident)/n/1024, (with.heap-before.heap)/n/1024)
	limited, cancel := context.WithTimeout(ctx, o.phase)
	d := c.paced(limited, o.rate)
	cancel()
	fmt.Printf("\nLatency of reads beside them:\n\n| reads | p50 | p99 | longest |\n|---:|---:|---:|---:|\n| %s |\n", d)
	for _, conn := range conns {
		_ = conn.Close()
	}
	c.client.CloseIdleConnections()
	after, err := s.settled(before.goroutines + 20)
	if err != nil {
		return err
	}
	fmt.Printf("\nAfter they were closed: %.0f goroutines, %.0f files, %.1f MiB live heap; before: %.0f, %.0f, %.1f MiB.\n",
		after.goroutines, after.files, after.heap/(1<<20), before.goroutines, before.files, before.heap/(1<<20))
	switch {
	case len(conns) < o.idle:
		return fmt.Errorf("only %d of %d idle connections could be opened: raise the limit of open files", len(conns), o.idle)
	case after.goroutines > before.goroutines+20, after.files > before.files+20:
		return errors.New("the server keeps what closed connections took")
	}
	return nil
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
