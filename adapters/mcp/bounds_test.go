package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/taxonomy"
)

// A short batch can't request a long text any number of times. Notifications in it
// still get no answer.
func TestBatchRoom(t *testing.T) {
	o := &mcp.Options{MaxAnswer: 10_000}
	one := call("get_schema", `{"version":"kiosk@latest","include":"full"}`)
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	batch := "[" + strings.Repeat(one+","+note+",", 20) + ping + "]"
	body := serve(t, kioskStore(t), o).post(batch).body
	assert.Equal(t, body, piped(t, &mcp.Options{MaxAnswer: 10_000}, batch)[0])
	var answers []json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &answers))
	require.Len(t, answers, 21)
	size := 0
	for _, answer := range answers {
		assert.Equal(t, size > 20_000, strings.Contains(string(answer), "The answers to the calls before this one have more than 20000 bytes."), size)
		size += len(answer)
	}
	assert.Contains(t, string(answers[20]), `"id":1,"error":{"code":-32000`)
	assert.Less(t, len(body), 60_000)
}

// A call that ignores its deadline is answered with a timeout once it ends, and so
// are the calls after it.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, _ := quiet(&mcp.Options{Slots: slowSlots{func() { time.Sleep(time.Hour) }}})
		handler := newServer(t, must(datachain.New(kioskStore(t), nil)), o).Handler()
		note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		body := serveHTTP(handler, "["+call("render_datachain", with("kiosk@latest", goodKiosk))+","+note+","+ping+"]")
		var answers []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(body), &answers), body)
		require.Len(t, answers, 2)
		assert.Contains(t, string(answers[0]), `"id":7,"error":{"code":-32000,"message":"The call took too long."`)
		assert.Contains(t, string(answers[1]), `"id":1,"error":{"code":-32000,"message":"The deadline passed before the call started."`)
	})
}

// A document waits while others are processed, until its time is over.
func TestOverloaded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leave := make(chan struct{})
		o, _ := quiet(&mcp.Options{MaxWork: 1, Slots: slowSlots{func() { <-leave }}})
		handler := newServer(t, must(datachain.New(kioskStore(t), nil)), o).Handler()
		go serveHTTP(handler, call("render_datachain", with("kiosk@latest", goodKiosk)))
		synctest.Wait()
		body := serveHTTP(handler, call("validate_datachain", with("kiosk@latest", goodKiosk)))
		close(leave)
		assert.Contains(t, body, "overloaded")
		assert.Contains(t, body, `"isError":true`)
	})
}

// Completions and prompts wait for a place like documents do.
func TestOverloadedPrompts(t *testing.T) {
	complete := `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"language","value":""}}}`
	prompt := `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"describe_system","arguments":{"type":"kiosk","description":"x"}}}`
	synctest.Test(t, func(t *testing.T) {
		leave := make(chan struct{})
		o, _ := quiet(&mcp.Options{MaxWork: 1, Slots: slowSlots{func() { <-leave }}})
		handler := newServer(t, must(datachain.New(kioskStore(t), nil)), o).Handler()
		go serveHTTP(handler, call("render_datachain", with("kiosk@latest", goodKiosk)))
		synctest.Wait()
		for _, body := range []string{complete, prompt} {
			assert.Contains(t, serveHTTP(handler, body), `"code":-32000,"message":"The server is overloaded."`)
		}
		close(leave)
		synctest.Wait()
		for _, body := range []string{complete, prompt} {
			assert.Contains(t, serveHTTP(handler, body), `"result":`)
		}
	})
}

// A completion asks its context before it reads another version.
func TestCompletionStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o, log := quiet(nil)
	store := &countingStore{Store: must(published.Store()), read: cancel}
	handler := newServer(t, must(datachain.New(store, nil)), o).Handler()
	body := `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"language","value":""}}}`
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(body)))
	assert.Contains(t, w.Body.String(), `"error":`)
	assert.Equal(t, 1, store.releases)
	assert.Empty(t, log.String())
}

// countingStore counts the releases that are read.
type countingStore struct {
	taxonomy.Store
	read     func()
	releases int
}

func (c *countingStore) Release(ctx context.Context, id taxonomy.Version) (*taxonomy.Release, error) {
	c.releases++
	c.read()
	return c.Store.Release(ctx, id)
}

// Completions take no more time than there are candidates.
func TestCompletionIsLinear(t *testing.T) {
	growthtest.Linear(t, 2000, func(n int) func() {
		entries := make([]taxonomy.Entry, n)
		for i := range entries {
			entries[i] = taxonomy.Entry{ID: taxonomy.MustVersion(fmt.Sprintf("t%d@2026-02-03-stable", i)), Status: taxonomy.Stable}
		}
		index, err := taxonomy.NewIndex(entries)
		require.NoError(t, err)
		o, _ := quiet(nil)
		handler := newServer(t, must(datachain.New(indexStore{index: index}, nil)), o).Handler()
		body := `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"type","value":""}}}`
		return func() {
			assert.Contains(t, serveHTTP(handler, body), `"hasMore":true`)
		}
	})
}

// indexStore has nothing but an index.
type indexStore struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (i indexStore) Index(context.Context) (*taxonomy.Index, error) { return i.index, nil }

// A call that waits for the store takes no place of a document.
func TestSlowStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{Store: kioskStore(t), leave: make(chan struct{})}
		o, _ := quiet(&mcp.Options{MaxWork: 1})
		handler := newServer(t, must(datachain.New(store, nil)), o).Handler()
		validate := call("validate_datachain", with("kiosk@latest", goodKiosk))
		go serveHTTP(handler, validate)
		synctest.Wait()
		assert.Contains(t, serveHTTP(handler, validate), `"ok":true`)
		close(store.leave)
	})
}

// slowStore waits when it is first asked for its index.
type slowStore struct {
	taxonomy.Store
	asked atomic.Bool
	leave chan struct{}
}

func (s *slowStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	if !s.asked.Swap(true) {
		<-s.leave
	}
	return s.Store.Index(ctx)
}

// serveHTTP returns the answer of a handler, without a network.
func serveHTTP(handler http.Handler, body string) string {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	return w.Body.String()
}

// slowSlots wait before they store a page, whatever the context says.
type slowSlots struct{ wait func() }

func (s slowSlots) Put(context.Context, string, []byte) error {
	s.wait()
	return nil
}

func (slowSlots) Get(context.Context, string) ([]byte, bool, error) { return nil, false, nil }

// brokenSlots always fail.
type brokenSlots struct{}

var errSlots = errors.New("secret slots are broken")

func (brokenSlots) Put(context.Context, string, []byte) error { return errSlots }

func (brokenSlots) Get(context.Context, string) ([]byte, bool, error) {
	return nil, false, errSlots
}

func TestBrokenSlots(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{Slots: brokenSlots{}})
	r := h.tool("render_datachain", with("kiosk@latest", goodKiosk))
	assert.True(t, r.IsError)
	assert.Equal(t, []string{"upstream_error"}, r.codes())
	got := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://service/datachain/view.html"}}`).body
	assert.Contains(t, got, `"error":{"code":-32000,"message":"The page can't be read."`)
	assert.NotContains(t, fmt.Sprint(r.envelope)+got, "secret")
	assert.Equal(t, 2, strings.Count(h.log.String(), "secret slots"))
}

// loneSlots keep pages, and say that other servers do not have them.
type loneSlots struct{ *mcp.MemorySlots }

type errLone struct{ error }

func (errLone) Kept() bool { return true }

func (l loneSlots) Put(ctx context.Context, id string, page []byte) error {
	return errors.Join(l.MemorySlots.Put(ctx, id, page), errLone{errSlots})
}

// A page that only this server has is rendered with a warning, and can be read.
func TestPageOfOneServer(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{Slots: loneSlots{mcp.NewMemorySlots(nil)}})
	r := h.tool("render_datachain", with("kiosk@latest", goodKiosk))
	assert.False(t, r.IsError)
	assert.Contains(t, fmt.Sprint(r.envelope), "Other servers do not have the page")
	got := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://service/datachain/view.html"}}`).body
	assert.Contains(t, got, "Station kiosk")
	assert.NotContains(t, fmt.Sprint(r.envelope)+got, "secret")
}

// A client that disconnects causes no log lines.
func TestDisconnected(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o, log := quiet(nil)
	handler := newServer(t, must(datachain.New(leavingStore{kioskStore(t), cancel}, nil)), o).Handler()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(call("list_schema_versions", "{}"))))
	assert.Contains(t, w.Body.String(), `"isError":true`)
	assert.Empty(t, log.String())
}

// leavingStore fails because the client leaves while it reads.
type leavingStore struct {
	taxonomy.Store
	leave func()
}

func (l leavingStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	l.leave()
	<-ctx.Done()
	return nil, ctx.Err()
}

// brokenWriter panics when it is first written to.
type brokenWriter struct {
	*httptest.ResponseRecorder
	value any
}

func (b *brokenWriter) WriteHeader(status int) {
	if value := b.value; value != nil {
		b.value = nil
		panic(value)
	}
	b.ResponseRecorder.WriteHeader(status)
}

// A panic is answered, unless it is the one that aborts a response.
func TestPanics(t *testing.T) {
	o, log := quiet(nil)
	handler := newServer(t, must(datachain.New(kioskStore(t), nil)), o).Handler()
	request := func() *http.Request { return httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(ping)) }
	w := &brokenWriter{httptest.NewRecorder(), "a mistake"}
	handler.ServeHTTP(w, request())
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.Contains(t, w.Body.String(), `"code":-32603`)
	assert.Contains(t, log.String(), "a mistake")
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
		handler.ServeHTTP(&brokenWriter{httptest.NewRecorder(), http.ErrAbortHandler}, request())
	})
}

// largeStore has more elements and languages than prompts and completions list.
func largeStore(t *testing.T) taxonomy.Store {
	t.Helper()
	text := taxonomy.Localized{{Locale: "aa", Value: "thing"}}
	content := taxonomy.Content{
		Title: text, Description: text, Type: taxonomy.Type{ID: "kiosk", Name: text, Categories: []string{"a", "b", "c"}},
		Symbols: kiosk().Symbols,
	}
	for i := range 120 {
		content.Locales = append(content.Locales, string(rune('a'+i/26))+string(rune('a'+i%26)))
	}
	for i, c := range []taxonomy.Cardinality{{Min: 2, Max: 3}, {Min: 2}, {Max: 3}} {
		id := content.Type.Categories[i]
		content.Categories = append(content.Categories, taxonomy.Category{ID: id, Name: text, Description: text, Shape: "circle", Required: c.Min > 0, Cardinality: c})
		for j := range 90 {
			content.Elements = append(content.Elements, taxonomy.Element{
				ID: fmt.Sprintf("%s.e%02d", id, j), Title: text, Description: text, CategoryID: id, SymbolID: "dot", IconVariants: []string{"default", "dark"},
			})
		}
	}
	return storeOf(t, content)
}

func TestLargeTaxonomy(t *testing.T) {
	h := serve(t, largeStore(t), nil)
	text, err := h.prompt("describe_system", map[string]string{"type": "kiosk", "description": "x"})
	require.NoError(t, err)
	assert.Equal(t, 200, strings.Count(text, ": thing\n- ")+strings.Count(text, ": thing\n\n"))
	assert.Contains(t, text, `- … and 70 more: list_elements with category_id "c"`)
	for _, demand := range []string{"Place 2 to 3.", "Place 2 or more.", "Optional, at most 3."} {
		assert.Contains(t, text, demand)
	}
	list, err := ask[completed](h, "completion/complete", map[string]any{
		"ref": map[string]string{"type": "ref/prompt", "name": "describe_system"}, "argument": map[string]string{"name": "language", "value": ""},
	})
	require.NoError(t, err)
	assert.Len(t, list.Completion.Values, 100)
	assert.Equal(t, 120, list.Completion.Total)
	assert.True(t, list.Completion.HasMore)
}
