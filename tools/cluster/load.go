package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// tally counts responses.
type tally struct {
	mu       sync.Mutex
	requests int
	failed   int // no response, or a status that the request does not deserve
	begun    int // the response began and broke off
	wrong    int // other bytes than the right ones
	notes    []string
}

// errBegun marks a response that broke off after its header.
var errBegun = errors.New("the response broke off")

// errWrong marks a response with wrong bytes.
var errWrong = errors.New("wrong response")

func (t *tally) add(path string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	switch {
	case err == nil:
		return
	case errors.Is(err, errWrong):
		t.wrong++
	case errors.Is(err, errBegun):
		t.begun++
	default:
		t.failed++
	}
	if len(t.notes) < 3 {
		t.notes = append(t.notes, fmt.Sprintf("%s %s: %v", time.Now().Format("15:04:05.000"), path, err))
	}
}

// newClient returns a client whose requests come from an address of the loopback network,
// which is the client for rate limits.
func newClient(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 5 * time.Second}
	return &http.Client{
		Transport: &http.Transport{DialContext: dialer.DialContext, DisableCompression: true, MaxIdleConnsPerHost: 4},
		// Longer than the timeout after which the balancer asks another server.
		Timeout: 25 * time.Second,
	}
}

// send sends a sample and compares the response.
func send(ctx context.Context, client *http.Client, url string, s *sample) error {
	req, err := s.request(ctx, url)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errBegun, err)
	case res.StatusCode != s.status && (res.StatusCode >= 500 || res.StatusCode == http.StatusTooManyRequests):
		return fmt.Errorf("%s: %.200s", res.Status, body)
	case res.StatusCode != s.status || res.Header.Get("ETag") != s.etag || !bytes.Equal(body, s.want):
		return fmt.Errorf("%w: %s with %d bytes, want status %d with %d bytes", errWrong, res.Status, len(body), s.status, len(s.want))
	}
	return nil
}

// load sends requests at a steady rate until it is stopped.
type load struct {
	tally
	stop context.CancelFunc
	done sync.WaitGroup
}

// clients is how many clients send requests at the same time.
const clients = 16

// startLoad starts clients with addresses 127.1.round.x, so that no round counts for the
// limits of another.
func (c *cluster) startLoad(ctx context.Context, round int) *load {
	l := &load{}
	running, stop := context.WithCancel(ctx)
	l.stop = stop
	for i := range clients {
		random := rand.New(rand.NewPCG(c.seed, uint64(round*clients+i)))
		client := newClient(fmt.Sprintf("127.1.%d.%d", round, i+1))
		l.done.Go(func() {
			defer client.CloseIdleConnections()
			// While Redis is away, one server lets a third of the limit pass.
			budget := c.limit / 4
			tick := time.NewTicker(time.Second * clients / time.Duration(c.rate))
			defer tick.Stop()
			for {
				s := c.samples[random.IntN(len(c.samples))]
				if s.limited {
					budget--
				}
				if !s.limited || budget >= 0 {
					// A request is completed even if the load ends meanwhile.
					l.add(s.path, send(ctx, client, c.url, s))
				}
				select {
				case <-running.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	return l
}

// end stops the load, and waits for the last responses.
func (l *load) end() {
	l.stop()
	l.done.Wait()
}
