package httpapi_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// till counts the requests that are charged, and lets all of them pass.
type till struct{ charged atomic.Int64 }

func (l *till) Allow(context.Context, ratelimit.Key) (ratelimit.Decision, error) {
	l.charged.Add(1)
	return ratelimit.Decision{Allowed: true, Limit: 100, Window: time.Minute}, nil
}

// Local says that the limiter need not be guarded.
func (l *till) Local() {}

// take returns how many requests were charged since the last call.
func (l *till) take() int { return int(l.charged.Swap(0)) }

var notYet = &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "Nothing was read yet.", FixHint: "try again"}}

// TestMountNotReady shows that requests to a mounted handler that is not ready get 503
// before they are charged.
func TestMountNotReady(t *testing.T) {
	t.Parallel()
	var ready atomic.Bool
	limiter := new(till)
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	w := open(t, odd(t), &httpapi.Options{Limiter: limiter, Mounts: []httpapi.Mount{
		{Path: "/free", Handler: other},
		{Path: "/needs", Handler: other, Ready: func(context.Context, *http.Request) error {
			if ready.Load() {
				return nil
			}
			return notYet
		}},
	}})
	get := func(path string) *http.Response {
		res, err := client.Get(w.url + path)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res
	}
	res := get("/needs")
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	require.Equal(t, "1", res.Header.Get("Retry-After"))
	require.Empty(t, res.Header.Get("RateLimit"))
	require.Zero(t, limiter.take())
	require.Empty(t, w.log.lines("request failed"), "the server says once that it is not ready")

	require.Equal(t, http.StatusOK, get("/free").StatusCode)
	ready.Store(true)
	require.Equal(t, http.StatusOK, get("/needs").StatusCode)
	require.Equal(t, 2, limiter.take())
}

// TestStoreFailureIsNotCharged shows that a request is charged only if the store can
// provide what it needs. What is wrong with a request is said after it was charged.
func TestStoreFailureIsNotCharged(t *testing.T) {
	t.Parallel()
	limiter := new(till)
	store := &troubled{Store: odd(t)}
	broken := errors.New("damaged")
	var index, release atomic.Bool
	store.index = func(context.Context) error {
		if index.Load() {
			return broken
		}
		return nil
	}
	store.release = func(context.Context) error {
		if release.Load() {
			return broken
		}
		return nil
	}
	release.Store(true)
	w := openService(t, must(datachain.New(store, nil)), &httpapi.Options{Limiter: limiter})
	w.do(request{path: "/schemas/" + oddStable + "/manifest"}).issue(t, http.StatusBadGateway, "upstream_error")
	w.postWrong("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).issue(t, http.StatusBadGateway, "upstream_error")
	require.Zero(t, limiter.take())

	w.get("/schemas")
	w.get("/shapes/circle.svg")
	w.do(request{path: "/schemas/lager_1@nothing/manifest"}).issue(t, http.StatusNotFound, "not_found")
	w.do(request{path: "/schemas/no/manifest", wrong: true}).issue(t, http.StatusBadRequest, "bad_request")
	require.Equal(t, 4, limiter.take())

	index.Store(true)
	w.do(request{path: "/schemas"}).issue(t, http.StatusBadGateway, "upstream_error")
	require.Zero(t, limiter.take())
	w.do(request{path: "/schemas/no/manifest", wrong: true}).issue(t, http.StatusBadRequest, "bad_request")
	require.Equal(t, 1, limiter.take())

	index.Store(false)
	release.Store(false)
	w.get("/schemas/" + oddStable + "/manifest")
	require.Equal(t, 1, limiter.take())
}

// TestOverloadIsNotCharged shows that a request that is refused because too much is
// going on is not charged.
func TestOverloadIsNotCharged(t *testing.T) {
	t.Parallel()
	limiter := new(till)
	leave := make(chan struct{})
	rule := &validate.Rule{Name: "wait", Doc: "Waits.", Codes: []issue.Code{"wait"}, Run: func(*validate.Pass) { <-leave }}
	service := must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{rule}, MaxCPU: -1}))
	h, err := httpapi.New(service, &httpapi.Options{Limiter: limiter, MaxWork: 1, MaxRequests: 40, MaxClientRequests: 20, WorkTimeout: 10 * time.Minute})
	require.NoError(t, err)
	post := func(client string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, api+"/schemas/"+oddStable+"/validate", strings.NewReader(oddDocument(oddStable)))
		r.RemoteAddr = client + ":1"
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec.Code
	}
	var group sync.WaitGroup
	for i, client := range []string{"192.0.2.1", "192.0.2.2"} { // one works, and each may have 16 that wait
		for range 17 - i {
			group.Go(func() { assert.Equal(t, http.StatusOK, post(client)) })
		}
		require.Eventually(t, func() bool { return httpapi.Waiting(h) == 16*(i+1) }, time.Minute, time.Millisecond)
	}
	require.Equal(t, 33, limiter.take())
	for range 5 {
		require.Equal(t, http.StatusServiceUnavailable, post("192.0.2.1"), "its own line is full")
		require.Equal(t, http.StatusServiceUnavailable, post("192.0.2.3"), "all lines are full")
	}
	require.Zero(t, limiter.take())
	close(leave)
	group.Wait()
	require.Equal(t, http.StatusOK, post("192.0.2.3"))
	require.Equal(t, 1, limiter.take())
}

// TestDocumentThatWaitsTooLong shows that a document that gets no turn is refused.
func TestDocumentThatWaitsTooLong(t *testing.T) {
	t.Parallel()
	leave, works := make(chan struct{}), make(chan struct{}, 2)
	rule := &validate.Rule{Name: "wait", Doc: "Waits.", Codes: []issue.Code{"wait"}, Run: func(*validate.Pass) {
		works <- struct{}{}
		<-leave
	}}
	service := must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{rule}, MaxCPU: -1}))
	w := openService(t, service, &httpapi.Options{MaxWork: 1, WorkTimeout: 10 * time.Second})
	let := sync.OnceFunc(func() { close(leave) })
	t.Cleanup(let)
	var group sync.WaitGroup
	group.Go(func() { _ = w.postWrong("/schemas/"+oddStable+"/validate", oddDocument(oddStable)) })
	<-works
	w.postWrong("/schemas/"+oddStable+"/validate", oddDocument(oddStable)).issue(t, http.StatusServiceUnavailable, "overloaded")
	let()
	group.Wait()
}
