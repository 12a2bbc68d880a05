package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load is a number of connections, each of which sends the next request when it has
// the response to the last.
type load struct {
	wrk         string // the program, or "" for the goroutines here
	connections int
	each        time.Duration
}

// name returns the name of the load generator.
func (l *load) name() string {
	if l.wrk == "" {
		return "goroutines"
	}
	return "wrk"
}

// run sends the request of one case and returns the number of responses and the
// elapsed time.
func (l *load) run(ctx context.Context, c *testCase, url, tag string) (int, time.Duration, error) {
	if l.wrk != "" {
		return l.runWrk(ctx, c, url, tag)
	}
	return l.runHere(ctx, c, url, tag)
}

var wrkTotal = regexp.MustCompile(`(\d+) requests in ([0-9.]+)(ms|s|m)`)

func (l *load) runWrk(ctx context.Context, c *testCase, url, tag string) (int, time.Duration, error) {
	args := []string{"-t", "2", "-c", strconv.Itoa(l.connections), "-d", strconv.Itoa(int(l.each.Seconds())) + "s"}
	for _, field := range c.fields(tag) {
		args = append(args, "-H", field)
	}
	out, err := exec.CommandContext(ctx, l.wrk, append(args, url+c.Path)...).CombinedOutput()
	found := wrkTotal.FindStringSubmatch(string(out))
	if err != nil || found == nil || strings.Contains(string(out), "Non-2xx") || strings.Contains(string(out), "Socket errors") {
		return 0, 0, fmt.Errorf("wrk on %s: %w\n%s", url+c.Path, errors.Join(err, errors.New("not all went well")), out)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0, 0, err
	}
	took, err := time.ParseDuration(found[2] + found[3])
	return n, took, err
}

func (l *load) runHere(ctx context.Context, c *testCase, url, tag string) (int, time.Duration, error) {
	host, prefix, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	if prefix != "" {
		prefix = "/" + prefix
	}
	request := fmt.Sprintf("GET %s%s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", prefix, c.Path, host, strings.Join(c.fields(tag), "\r\n"))
	begun := time.Now()
	ctx, cancel := context.WithDeadline(ctx, begun.Add(l.each))
	defer cancel()
	var total atomic.Int64
	var group sync.WaitGroup
	failures := make(chan error, l.connections)
	for range l.connections {
		group.Go(func() {
			n, err := repeat(ctx, host, request, c.Status)
			total.Add(n)
			if err != nil {
				failures <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failures:
		return 0, 0, err
	default:
		return int(total.Load()), time.Since(begun), nil
	}
}

// repeat sends a request repeatedly on one connection and counts the responses.
func repeat(ctx context.Context, host, request string, status int) (int64, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }() // nothing is under way
	r := bufio.NewReader(conn)
	for n := int64(0); ; n++ {
		if ctx.Err() != nil {
			return n, nil
		}
		if _, err := io.WriteString(conn, request); err != nil {
			return n, err
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return n, err
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return n, err
		}
		if res.StatusCode != status {
			return n, fmt.Errorf("%s answers with status %d", host, res.StatusCode)
		}
	}
}
