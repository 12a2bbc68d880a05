package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/editors/wasm/internal/worker"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// patience is how long a test waits for something that must happen.
const patience = 30 * time.Second

// page has the sample releases at hand, and keeps what the server sends.
type page struct {
	store taxonomy.Store
	sent  chan string

	mu      sync.Mutex
	fail    error
	index   func([]byte) []byte // changes the index, or nil
	fetched []string
	hold    chan struct{} // releases wait until it is closed, or nil
}

func newPage(t testing.TB) *page {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return &page{store: store, sent: make(chan string, 1000)}
}

func (p *page) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *page) Index(ctx context.Context) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return nil, p.fail
	}
	index, err := p.store.Index(ctx)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(index)
	if p.index != nil {
		text = p.index(text)
	}
	return text, err
}

func (p *page) Release(ctx context.Context, needed engine.Needed) ([]byte, error) {
	p.mu.Lock()
	p.fetched = append(p.fetched, needed.ID.String())
	fail, hold := p.fail, p.hold
	p.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if fail != nil {
		return nil, fail
	}
	r, err := p.store.Release(ctx, needed.ID)
	if err != nil {
		return nil, err
	}
	return r.MarshalJSON()
}

func (p *page) Send(message []byte) { p.sent <- string(message) }

// next waits for a message that contains all parts.
func (p *page) next(t testing.TB, parts ...string) string {
	t.Helper()
	seen := []string{}
	for {
		select {
		case message := <-p.sent:
			if all(message, parts) {
				return message
			}
			seen = append(seen, message)
		case <-time.After(patience):
			require.Fail(t, "no such message", "%q in %s", parts, strings.Join(seen, "\n"))
		}
	}
}

func all(message string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(message, part) {
			return false
		}
	}
	return true
}

// start starts a server with an initialized client.
func start(t testing.TB, p *page) *worker.Server {
	t.Helper()
	s := worker.New(p, &worker.Options{BaseURL: "https://example.org", Origin: "a test"})
	require.NoError(t, s.Refresh(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(context.Background()) }()
	s.Receive([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"textDocument":{"diagnostic":{}}}}}`))
	require.Contains(t, p.next(t, `"id":1`), "with schema versions from a test")
	s.Receive([]byte(`{"jsonrpc":"2.0","method":"initialized","params":{}}`))
	t.Cleanup(func() {
		s.Receive([]byte(`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`))
		s.Receive([]byte(`{"jsonrpc":"2.0","method":"exit"}`))
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(patience):
			t.Error("the server does not end")
		}
	})
	return s
}

func notify(t testing.TB, s *worker.Server, method string, params any) {
	t.Helper()
	message, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	require.NoError(t, err)
	s.Receive(message)
}

// text returns a document that pins a version and places an unknown element.
func text(version string) string {
	return fmt.Sprintf(`{"id":"x","schema_version":%q,"created_at":"2026-06-20T12:00:00Z","elements":[{"element_id":"nothing"}]}`, version)
}

func open(t testing.TB, s *worker.Server, version string) {
	t.Helper()
	notify(t, s, "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "inmemory:///x.json", "version": 1, "languageId": "json", "text": text(version)}})
}

func change(t testing.TB, s *worker.Server, n int, version string) {
	t.Helper()
	notify(t, s, "textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": "inmemory:///x.json", "version": n},
		"contentChanges": []any{map[string]any{"text": text(version)}},
	})
}

// TestReleases fetches a release when a document needs it, once.
func TestReleases(t *testing.T) {
	p := newPage(t)
	s := start(t, p)
	require.Empty(t, p.fetched)
	open(t, s, "ai@latest")
	p.next(t, "publishDiagnostics", `"version":1`, "INSTANCE_ELEMENT_UNKNOWN", "https://example.org/codes/INSTANCE_ELEMENT_UNKNOWN")
	change(t, s, 2, "ai@2026-11-15-stable")
	p.next(t, "publishDiagnostics", `"version":2`, "INSTANCE_ELEMENT_UNKNOWN")
	change(t, s, 3, "sensor@latest")
	p.next(t, "publishDiagnostics", `"version":3`, "INSTANCE_ELEMENT_UNKNOWN")
	p.set(func() { require.Equal(t, []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"}, p.fetched) })
}

// TestSlowRelease types while a release is being fetched: it is fetched once, and only
// the last text is validated.
func TestSlowRelease(t *testing.T) {
	p := newPage(t)
	p.hold = make(chan struct{})
	s := start(t, p)
	open(t, s, "ai@latest")
	require.Eventually(t, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.fetched) == 1
	}, patience, time.Millisecond)
	for n := range 20 {
		change(t, s, n+2, "ai@latest")
	}
	// The server answers in order, so it has seen all changes when it answers this.
	s.Receive([]byte(`{"jsonrpc":"2.0","id":"seen","method":"unknown"}`))
	p.next(t, `"id":"seen"`)
	close(p.hold)
	require.Contains(t, p.next(t, "publishDiagnostics"), `"version":21`)
	p.set(func() { require.Len(t, p.fetched, 1) })
}

// TestRefresh changes the index: open documents are validated again.
func TestRefresh(t *testing.T) {
	p := newPage(t)
	s := start(t, p)
	open(t, s, "ai@2026-11-15-stable")
	p.next(t, "publishDiagnostics", "INSTANCE_ELEMENT_UNKNOWN")
	p.set(func() {
		p.index = func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("ai@2026-11-15-stable"), []byte("ai@2026-11-16-stable"))
		}
	})
	require.NoError(t, s.Refresh(t.Context()))
	p.next(t, "publishDiagnostics", "There is no schema version")
	// What can't be read changes nothing.
	p.set(func() { p.fail = errors.New("offline") })
	require.ErrorContains(t, s.Refresh(t.Context()), "offline")
	p.set(func() { p.fail, p.index = nil, func([]byte) []byte { return []byte("{") } })
	require.ErrorContains(t, s.Refresh(t.Context()), "malformed")
	change(t, s, 2, "sensor@latest")
	p.next(t, "publishDiagnostics", `"version":2`, "INSTANCE_ELEMENT_UNKNOWN")
}

// TestFailures can't fetch a release: that is a finding, and the next change tries again.
func TestFailures(t *testing.T) {
	p := newPage(t)
	s := start(t, p)
	p.set(func() { p.fail = errors.New("offline") })
	open(t, s, "ai@latest")
	p.next(t, "publishDiagnostics", `"version":1`, "upstream_error")
	p.set(func() { p.fail = nil })
	change(t, s, 2, "ai@latest")
	p.next(t, "publishDiagnostics", `"version":2`, "INSTANCE_ELEMENT_UNKNOWN")
}

// TestNewBeta publishes a beta again after the index was read.
func TestNewBeta(t *testing.T) {
	p := newPage(t)
	index, err := p.store.Index(t.Context())
	require.NoError(t, err)
	beta, ok := index.Lookup(taxonomy.MustVersion("ai@2026-11-18-beta").Ref())
	require.True(t, ok)
	p.index = func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(beta.ContentHash.String()), fmt.Appendf(nil, "sha256-%064d", 1))
	}
	s := start(t, p)
	p.set(func() { p.index = nil })
	open(t, s, "ai@latest-beta")
	p.next(t, "publishDiagnostics", "INSTANCE_ELEMENT_UNKNOWN")

	// A store whose index and release do not fit is refused.
	p.set(func() {
		p.index = func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte(beta.ContentHash.String()), fmt.Appendf(nil, "sha256-%064d", 2))
		}
	})
	require.NoError(t, s.Refresh(t.Context()))
	p.next(t, "publishDiagnostics", "upstream_error")
}

// TestNoIndex starts before the index was read.
func TestNoIndex(t *testing.T) {
	p := newPage(t)
	p.fail = errors.New("offline")
	s := worker.New(p, nil)
	require.ErrorContains(t, s.Refresh(t.Context()), "the index of schema versions could not be read: offline")
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	s.Receive([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
	s.Receive([]byte("not JSON"))
	open(t, s, "ai@latest")
	p.next(t, "-32700")
	p.next(t, "publishDiagnostics", "upstream_error")
	cancel()
	require.ErrorIs(t, <-served, context.Canceled)
}
