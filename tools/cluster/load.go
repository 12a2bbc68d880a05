package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/examples/documents"
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

const api = "/api/v2"

// sample is a request and the only right response to it.
type sample struct {
	method, path string
	body         []byte
	limited      bool // counts for the only rate limit that is on

	status int
	etag   string
	want   []byte
}

// request builds the request for a server.
func (s *sample) request(ctx context.Context, url string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, s.method, url+s.path, bytes.NewReader(s.body))
	if err != nil {
		return nil, err
	}
	if s.method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	return req, nil
}

// learn asks the reference server for the right response.
func (s *sample) learn(ctx context.Context, client *http.Client, url string) error {
	req, err := s.request(ctx, url)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	s.want, err = io.ReadAll(res.Body)
	s.status, s.etag = res.StatusCode, res.Header.Get("ETag")
	if err == nil && s.status >= http.StatusInternalServerError {
		err = fmt.Errorf("%s %s: %s", s.method, s.path, res.Status)
	}
	return err
}

// samples returns the mixed load: reads, searches, icons, documents and MCP calls of
// stable versions, which never change.
func samples(ctx context.Context, url string) ([]*sample, error) {
	var all []*sample
	for _, version := range []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"} {
		some, err := reads(ctx, url, version)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for _, e := range documents.Valid() {
		var doc struct {
			SchemaVersion string `json:"schema_version"`
		}
		if err := json.Unmarshal(e.Text, &doc); err != nil {
			return nil, err
		}
		path := api + "/schemas/" + doc.SchemaVersion
		if !e.Resolved() {
			all = append(all, post(path+"/validate", e.Text, false), post(path+"/resolve", e.Text, true))
		}
	}
	all = append(all,
		call("get_element", map[string]any{"version": "ai@2026-11-15-stable", "element_id": "nothing.here"}),
		call("list_elements", map[string]any{"version": "sensor@2026-11-15-stable", "limit": 5}),
		call("list_elements", map[string]any{"version": "ai@2026-11-15-stable", "query": "person"}))
	client := newClient("127.0.0.1") // as those of the load: the ETag depends on the encoding
	defer client.CloseIdleConnections()
	for _, s := range all {
		if err := s.learn(ctx, client, url); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// reads returns reads of a version.
func reads(ctx context.Context, url, version string) ([]*sample, error) {
	base := api + "/schemas/" + version
	page, err := fetch(ctx, url+base+"/elements?fields=icon_variants&limit=200")
	if err != nil {
		return nil, err
	}
	var list struct {
		Elements []struct {
			ID           string   `json:"id"`
			IconVariants []string `json:"icon_variants"`
		} `json:"elements"`
	}
	if err := json.Unmarshal([]byte(page), &list); err != nil {
		return nil, err
	}
	var all []*sample
	for _, path := range []string{"/manifest", "/categories", "/elements", "/elements?fields=all&limit=200", "/release", "/elements/no.such.element"} {
		all = append(all, get(base+path))
	}
	for _, e := range list.Elements {
		all = append(all, get(base+"/elements/"+e.ID), get(base+"/elements?limit=10&locale=fr&query="+strings.ReplaceAll(e.ID, ".", "+")))
		for _, variant := range e.IconVariants {
			all = append(all, get(base+"/elements/"+e.ID+"/icon."+variant+".svg"))
		}
	}
	return all, nil
}

func get(path string) *sample { return &sample{method: http.MethodGet, path: path} }

func post(path string, body []byte, limited bool) *sample {
	return &sample{method: http.MethodPost, path: path, body: body, limited: limited}
}

// call returns a call of an MCP tool.
func call(tool string, arguments map[string]any) *sample {
	return post("/mcp", message("tools/call", map[string]any{"name": tool, "arguments": arguments}), false)
}

// message returns a JSON-RPC request.
func message(method string, params map[string]any) []byte {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err) // maps of strings and documents can be encoded
	}
	return text
}
