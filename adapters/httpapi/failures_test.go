package httpapi_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

var errDisk = errors.New("disk on fire at /secret/path")

func fails(context.Context) error { return errDisk }

// waits is a store that does not answer.
func waits(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestStoreThatFails(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]*troubled{
		"index":   {Store: odd(t), index: fails},
		"release": {Store: odd(t), release: fails},
	} {
		w := open(t, store, nil)
		paths := []string{"/schemas/" + oddStable + "/manifest", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon.svg"}
		if name == "index" {
			paths = append(paths, "/schemas")
		}
		for _, path := range paths {
			a := w.do(request{path: path})
			a.issue(t, 502, "upstream_error")
			require.NotContains(t, a.text, "secret", "the cause is only logged")
		}
		w.post("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).issue(t, 502, "upstream_error")
		lines := w.log.lines("request failed")
		require.Len(t, lines, len(paths)+1)
		require.Contains(t, lines[0], "secret")
		require.Contains(t, lines[0], "request_id=")
		require.Equal(t, 200, w.get("/shapes/circle.svg").StatusCode, "which needs no store")
		require.Equal(t, 200, w.get("/openapi.json").StatusCode)
	}
}

func TestLastGoodIsServed(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	memory := odd(t)
	fault := func(context.Context) error {
		if broken.Load() {
			return errDisk
		}
		return nil
	}
	store := &troubled{Store: memory, index: fault, release: fault}
	var reports atomic.Int64
	service := must(datachain.New(must(laststore.New(store, &laststore.Options{RetryAfter: 50 * time.Millisecond, Report: func(error) { reports.Add(1) }})), nil))
	w := openService(t, service, nil)
	before := w.get("/schemas/" + oddBeta + "/manifest")

	broken.Store(true)
	changed := oddContent()
	changed.Title = text("Neu", "新")
	require.NoError(t, memory.Put(publication(t, oddBeta, changed)))
	require.Equal(t, before.text, w.get("/schemas/"+oddBeta+"/manifest").text)
	require.Equal(t, 200, w.get("/schemas").StatusCode)
	require.Equal(t, 200, w.post("/schemas/"+oddBeta+"/resolve", oddDocument(oddBeta)).StatusCode)
	require.Positive(t, reports.Load(), "the operator is told")
	w.do(request{path: "/schemas/" + oddStable + "/manifest"}).issue(t, 502, "upstream_error") // never read before

	broken.Store(false)
	require.Eventually(t, func() bool {
		return strings.Contains(w.get("/schemas/"+oddBeta+"/manifest").text, "Neu")
	}, 30*time.Second, 10*time.Millisecond, "it recovers by itself")
	require.Equal(t, 200, w.get("/schemas/"+oddStable+"/manifest").StatusCode)
}

func TestStoreThatIsSlow(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]*troubled{
		"index":   {Store: odd(t), index: waits},
		"release": {Store: odd(t), release: waits},
	} {
		w := open(t, store, &httpapi.Options{ReadTimeout: 50 * time.Millisecond, WorkTimeout: 50 * time.Millisecond})
		w.do(request{path: "/schemas/" + oddStable + "/manifest"}).issue(t, 504, "timeout")
		w.post("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).issue(t, 504, "timeout")
		if name == "index" {
			w.do(request{path: "/schemas"}).issue(t, 504, "timeout")
		}
	}
}

// slowRule does not end.
func slowRule(until <-chan struct{}) *validate.Rule {
	return &validate.Rule{Name: "slow", Doc: "Waits.", Codes: []issue.Code{"slow"}, Run: func(context.Context, *validate.Pass) error { <-until; return nil }}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	var angry atomic.Bool
	store := &troubled{Store: odd(t), index: func(context.Context) error {
		if angry.Load() {
			panic("a bug with a secret")
		}
		return nil
	}}
	w := open(t, store, nil)
	angry.Store(true)
	a := w.do(request{path: "/schemas", header: map[string]string{"X-Request-Id": "tell-me"}})
	issue := a.issue(t, 500, "internal_error")
	require.Contains(t, issue["fix_hint"], "X-Request-Id")
	require.Equal(t, "tell-me", a.Header.Get("X-Request-Id"))
	require.NotContains(t, a.text, "secret")
	lines := w.log.lines("panic")
	require.Len(t, lines, 1)
	require.Contains(t, lines[0], "request_id=tell-me")
	require.Contains(t, lines[0], "failures_test.go", "with the stack")
	w.post("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).issue(t, 500, "internal_error")
	angry.Store(false)
	require.Equal(t, 200, w.get("/schemas").StatusCode, "others are served")
	for range 50 {
		require.Equal(t, 200, w.post("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).StatusCode, "no place was lost")
	}
}

// TestOverload sends more requests than the server accepts.
func TestOverload(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}, 8), make(chan struct{})
	store := &troubled{Store: odd(t), index: func(context.Context) error {
		entered <- struct{}{}
		<-leave
		return nil
	}}
	w := open(t, store, &httpapi.Options{MaxRequests: 2, MaxClientRequests: 2, ReadTimeout: time.Minute})
	let := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(let) // also if the test fails: the server waits for its requests
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			a, err := w.try(request{path: "/schemas"})
			require.NoError(t, err)
			require.Equal(t, 200, a.StatusCode)
		})
	}
	<-entered
	<-entered
	for _, path := range []string{"/schemas", "/shapes/circle.svg", "/nothing"} {
		a := w.do(request{path: path})
		a.issue(t, 503, "overloaded")
		require.Equal(t, "1", a.Header.Get("Retry-After"))
	}
	require.Equal(t, 204, w.do(request{method: "OPTIONS", path: "/schemas"}).StatusCode)
	let()
	group.Wait()
	require.Equal(t, 200, w.get("/schemas").StatusCode, "and then there is room again")
}

// TestTooMuchWork shows what happens while one document occupies the only place.
func TestTooMuchWork(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	service := must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{slowRule(free)}}))
	w := openService(t, service, &httpapi.Options{MaxWork: 1, WorkTimeout: time.Minute})
	let := sync.OnceFunc(func() { close(free) })
	t.Cleanup(let)
	var sent, overloaded, fine atomic.Int64
	var group sync.WaitGroup
	send := func() { // one works, and 16 of this client may wait
		sent.Add(1)
		group.Go(func() {
			a, err := w.try(request{method: "POST", path: "/schemas/" + oddStable + "/validate", body: strings.NewReader(oddDocument(oddStable)), wrong: true})
			require.NoError(t, err)
			switch a.StatusCode {
			case http.StatusOK:
				fine.Add(1)
			case http.StatusServiceUnavailable:
				require.Equal(t, "1", a.Header.Get("Retry-After"))
				overloaded.Add(1)
			}
		})
	}
	require.Eventually(t, func() bool {
		send()
		return overloaded.Load() >= 7
	}, 30*time.Second, time.Millisecond)
	require.Equal(t, 200, w.get("/schemas/"+oddStable+"/manifest").StatusCode, "reads are served")
	let()
	group.Wait()
	require.Equal(t, sent.Load(), fine.Load()+overloaded.Load())
	require.Positive(t, fine.Load())
}

func TestTooMuchTime(t *testing.T) {
	t.Parallel()
	slow := &validate.Rule{Name: "slow", Doc: "Computes.", Codes: []issue.Code{"slow"}, Run: func(context.Context, *validate.Pass) error {
		text := []byte("work")
		for range 1_000_000 { // CPU time, not wall time
			sum := sha256.Sum256(text)
			text = sum[:]
		}
		return nil
	}}
	service := must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{slow}, MaxCPU: 10 * time.Millisecond}))
	w := openService(t, service, nil)
	a := w.post("/schemas/"+oddStable+"/resolve", oddDocument(oddStable))
	a.issue(t, 504, "timeout")
}

// TestRuleThatPanics shows that a document that could not be validated is neither valid nor
// invalid, and that the log names the rule.
func TestRuleThatPanics(t *testing.T) {
	t.Parallel()
	loud := &validate.Rule{Name: "loud", Doc: "Panics.", Codes: []issue.Code{"loud"}, Run: func(context.Context, *validate.Pass) error { panic("a secret") }}
	service := must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{loud}}))
	w := openService(t, service, nil)
	for _, route := range []string{"validate", "resolve"} {
		a := w.post("/schemas/"+oddStable+"/"+route, oddDocument(oddStable))
		a.issue(t, 500, "internal_error")
		require.NotContains(t, a.text, "secret")
	}
	lines := w.log.lines("request failed")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], "the rule loud panicked: a secret")
	require.Contains(t, lines[0], "failures_test.go:")
	require.Empty(t, w.log.lines("panic"))
}

// TestClientThatLeaves shows that others who wait for the same response get it.
func TestClientThatLeaves(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	store := &troubled{Store: odd(t)}
	store.index = func(ctx context.Context) error {
		if store.indexed.Load() != 2 {
			return nil
		}
		close(begun) // the response to the first request is being created
		<-ctx.Done()
		return ctx.Err()
	}
	w := open(t, store, &httpapi.Options{ReadTimeout: time.Minute})
	ctx, leave := context.WithCancel(t.Context())
	ask := func(ctx context.Context, into chan<- error) {
		err := errors.New("the test has failed meanwhile")
		defer func() { into <- err }()
		var a *answer
		a, err = w.try(request{ctx: ctx, path: "/schemas/" + oddStable + "/elements"})
		if err == nil && a.StatusCode != http.StatusOK {
			err = errors.New(a.text)
		}
	}
	impatient, patient := make(chan error, 1), make(chan error, 1)
	go ask(ctx, impatient)
	<-begun
	go ask(t.Context(), patient)
	require.Eventually(t, func() bool { return store.indexed.Load() >= 3 }, 30*time.Second, time.Millisecond)
	time.Sleep(20 * time.Millisecond) // it probably waits for the first by now; the test holds if not
	leave()
	require.ErrorIs(t, <-impatient, context.Canceled)
	require.NoError(t, <-patient)
	require.Empty(t, w.log.lines("request failed"), "a client that disconnects is not a failure")
}

// sink discards a response.
type sink struct {
	header http.Header
	status int
	bytes  int
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(n int)   { s.status = n }
func (s *sink) Write(b []byte) (int, error) {
	s.bytes += len(b)
	return len(b), nil
}

func handler(t *testing.T, o *httpapi.Options) http.Handler {
	t.Helper()
	if o == nil {
		o = &httpapi.Options{}
	}
	o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	h, err := httpapi.New(must(datachain.New(odd(t), nil)), o)
	require.NoError(t, err)
	return h
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestSecondReadMakesNothing shows that a repeated read allocates far less than the
// size of its response, in every encoding.
func TestSecondReadMakesNothing(t *testing.T) {
	h := handler(t, nil)
	for _, path := range everyRead {
		for _, encoding := range []string{"identity", "gzip"} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+path, http.NoBody)
			r.Header.Set("Accept-Encoding", encoding)
			serve := func() *sink {
				s := &sink{header: http.Header{}}
				h.ServeHTTP(s, r)
				return s
			}
			require.Equal(t, 200, serve().status)
			const times = 50
			before := allocated()
			for range times {
				serve()
			}
			each := (allocated() - before) / times
			require.Less(t, each, uint64(4096), "%s %s", path, encoding)
		}
	}
}

func TestIconsAreAskedForOnce(t *testing.T) {
	store := &baked{Store: odd(t), has: true}
	w := open(t, store, nil)
	for range 5 {
		w.get("/schemas/" + oddBeta + "/elements/zweck.Lagern/icon.svg")
		w.get("/schemas/" + oddBeta + "/elements/zweck.Lagern/icon.default.svg")
	}
	require.EqualValues(t, 1, store.asks.Load())
}

// TestSearchesKeepOthers makes more searches than fit in the cache, each once. What is asked for
// between them stays.
func TestSearchesKeepOthers(t *testing.T) {
	store := &baked{Store: odd(t), has: true}
	h, err := httpapi.New(must(datachain.New(store, nil)), &httpapi.Options{CacheBytes: 64 << 10, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	get := func(path string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/schemas/"+oddBeta+path, http.NoBody)
		s := &sink{header: http.Header{}}
		h.ServeHTTP(s, r)
		require.Equal(t, 200, s.status, path)
	}
	get("/elements/zweck.Lagern/icon.svg")
	for i := range 200 {
		get(fmt.Sprint("/elements?query=neu", i))
		if i%10 == 0 {
			get("/elements/zweck.Lagern/icon.svg")
		}
	}
	require.EqualValues(t, 1, store.asks.Load())
}

// TestChangedBetaIsMadeOnce sends many requests at the same time.
func TestChangedBetaIsMadeOnce(t *testing.T) {
	memory := odd(t)
	store := &baked{Store: memory, has: true}
	w := open(t, store, nil)
	for round := range 3 {
		changed := oddContent()
		changed.Elements[0].Title = text(fmt.Sprint("Neu ", round), "新")
		require.NoError(t, memory.Put(publication(t, oddBeta, changed)))
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				a, err := w.try(request{path: "/schemas/" + oddBeta + "/elements/zweck.Lagern/icon.svg"})
				if err != nil || a.StatusCode != http.StatusOK {
					panic(fmt.Sprint(a, err))
				}
			})
		}
		group.Wait()
		require.EqualValues(t, round+1, store.asks.Load())
	}
}

// TestCacheIsBounded requests many different responses.
func TestCacheIsBounded(t *testing.T) {
	const bound = 1 << 20
	h := handler(t, &httpapi.Options{CacheBytes: bound})
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	get := func(query string) {
		s := &sink{header: http.Header{}}
		h.ServeHTTP(s, httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/schemas/"+oddStable+"/elements?"+query, http.NoBody))
		require.Equal(t, 200, s.status)
	}
	get("query=regal&locale=de")
	before := heap()
	long := strings.Repeat("x", 20_000)
	for i := range 400 {
		get(fmt.Sprintf("limit=200&fields=all&query=regal+%d&locale=de", i)) // about 80 KB each
		get(fmt.Sprintf("limit=1&category_id=%s%d", long, i))                // a long request with a short response
	}
	grown := heap() - before
	runtime.KeepAlive(h)
	require.Less(t, grown, int64(3*bound), "of about 40 MB that were created")
}

func TestCacheCanBeOff(t *testing.T) {
	store := &baked{Store: odd(t), has: true}
	w := open(t, store, &httpapi.Options{CacheBytes: -1})
	for range 3 {
		w.get("/schemas/" + oddStable + "/elements/zweck.Lagern/icon.svg")
	}
	require.EqualValues(t, 3, store.asks.Load())
}

func TestObserve(t *testing.T) {
	var mu sync.Mutex
	var seen []httpapi.Observation
	w := open(t, odd(t), &httpapi.Options{LogRequests: true, Observe: func(o httpapi.Observation) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, o)
	}})
	a := w.get("/schemas/" + oddStable + "/manifest")
	w.do(request{path: "/nothing"})
	w.do(request{method: "OPTIONS", path: "/schemas"})
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seen) == 3
	}, 30*time.Second, time.Millisecond)
	require.Equal(t, "/api/v2/schemas/{version}/manifest", seen[0].Route)
	require.Equal(t, 200, seen[0].Status)
	require.EqualValues(t, len(a.raw), seen[0].Bytes)
	require.Empty(t, seen[1].Route)
	require.Equal(t, 404, seen[1].Status)
	require.Equal(t, 204, seen[2].Status)
	require.Len(t, w.log.lines("request"), 3, "one line per request")
	require.Contains(t, w.log.lines("request")[0], "client=127.0.0.1")
	require.Regexp(t, `\bduration_ms=\d+(\.\d{1,3})?\b`, w.log.lines("request")[0])
}
