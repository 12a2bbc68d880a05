package server_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// lockedBuffer is a text that several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// running is a server of a test.
type running struct {
	t *testing.T
	server.Started
	log    *lockedBuffer
	cancel context.CancelFunc
	ended  chan error
}

const anyPort = "127.0.0.1:0"

// start serves a store until the test ends.
func start(t *testing.T, store taxonomy.Store, o server.Options) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	s := &running{t: t, log: new(lockedBuffer), cancel: cancel, ended: make(chan error, 1)}
	started := make(chan server.Started, 1)
	if o.Addr == "" {
		o.Addr = anyPort
	}
	if o.DrainTimeout == 0 {
		o.DrainTimeout = time.Minute
	}
	o.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	o.Started = func(s server.Started) { started <- s }
	go func() { s.ended <- server.Run(ctx, store, &o) }()
	t.Cleanup(func() { _ = s.stop() })
	select {
	case s.Started = <-started:
	case err := <-s.ended:
		s.ended <- err
		require.NoError(t, err)
	}
	return s
}

// runUnstarted returns the error of a server that can't start, and nil if it does.
func runUnstarted(t *testing.T, o server.Options) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Logger = slog.New(slog.DiscardHandler)
	o.Started = func(server.Started) { cancel() }
	return server.Run(ctx, samples(t), &o)
}

// stop drains the server and returns how it ended. It may be called again.
func (s *running) stop() error {
	s.t.Helper()
	s.cancel()
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(time.Minute):
		s.t.Fatalf("the server does not stop: %s", s.log)
		return nil
	}
}

func (s *running) host() string {
	_, host, _ := strings.Cut(s.URL, "://")
	return host
}

// get reads a path of the API.
func (s *running) get(path string) (status int, body string) { return fetch(s.t, s.URL+"/api/v2"+path) }

// become waits until a URL answers with a status.
func (s *running) become(url string, want int) string {
	s.t.Helper()
	var status int
	var body string
	require.Eventually(s.t, func() bool {
		status, body = fetch(s.t, url)
		return status == want
	}, 30*time.Second, 10*time.Millisecond, "%s never answers %d", url, want)
	return body
}

// logged waits until the log contains a text.
func (s *running) logged(text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(s.log.String(), text) }, 30*time.Second, 5*time.Millisecond, "%q is not logged", text)
}

// gauge returns the value of a metric.
func (s *running) gauge(name string) string {
	s.t.Helper()
	_, page := fetch(s.t, s.AdminURL+"/metrics")
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	s.t.Fatalf("there is no %s: %s", name, page)
	return ""
}

// reads waits until a metric has a value.
func (s *running) reads(name, want string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.gauge(name) == want }, 30*time.Second, 5*time.Millisecond, "%s never is %s", name, want)
}

func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}

const (
	validateLine = "POST /api/v2/schemas/ai@latest/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
	shapeLine    = "GET /api/v2/shapes/circle.svg HTTP/1.1\r\nHost: x\r\n\r\n"
)

// halfRequest sends a request except for its last byte.
func (s *running) halfRequest() net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.host())
	require.NoError(s.t, err)
	_, err = io.WriteString(conn, validateLine+"{")
	require.NoError(s.t, err)
	require.Eventually(s.t, func() bool { return s.gauge("datachain_http_requests_in_flight") == "1" }, 30*time.Second, 5*time.Millisecond)
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return conn
}

// finish sends the last byte of a request and returns the response.
func finish(t *testing.T, conn net.Conn) *http.Response {
	t.Helper()
	_, err := io.WriteString(conn, "}")
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res
}

func samples(t *testing.T) taxonomy.Store {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return store
}

// release compiles the starter taxonomy as a version.
func release(t *testing.T, version string) listing.Publication {
	t.Helper()
	v := taxonomy.MustVersion(version)
	files := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		files[path.Join(v.Type(), v.Folder(), name)] = &fstest.MapFile{Data: data}
	}
	c, err := source.Compile(files, v, nil)
	require.NoError(t, err)
	require.NotNil(t, c.Release)
	return listing.Publication{Release: c.Release}
}

// changing is a store that is replaced, or fails.
type changing struct {
	mu  sync.Mutex
	now taxonomy.Store
	err error
}

var errBroken = errors.New("the disk is on fire")

func (c *changing) become(t *testing.T, err error, versions ...string) {
	t.Helper()
	var pubs []listing.Publication
	for _, v := range versions {
		pubs = append(pubs, release(t, v))
	}
	next, e := memstore.New(pubs...)
	require.NoError(t, e)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.err = next, err
}

func (c *changing) current() (taxonomy.Store, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.err
}

func (c *changing) Index(ctx context.Context) (*taxonomy.Index, error) {
	s, err := c.current()
	if err != nil {
		return nil, err
	}
	return s.Index(ctx)
}

func (c *changing) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	s, err := c.current()
	if err != nil {
		return nil, err
	}
	return s.Release(ctx, v)
}
