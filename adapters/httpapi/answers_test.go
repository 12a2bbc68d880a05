package httpapi_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
)

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
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
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

// TestSearchesEvictNothing makes more searches than fit in the cache, each once.
func TestSearchesEvictNothing(t *testing.T) {
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
	}
	get("/elements/zweck.Lagern/icon.svg")
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
