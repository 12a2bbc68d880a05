package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
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

// limiter returns a limiter and its clock.
func limiter(t *testing.T, limits ratelimit.Limits) (*ratelimit.Memory, *clock) {
	t.Helper()
	c := &clock{now: time.Unix(1_000_000, 0)}
	m, err := ratelimit.NewMemory(&ratelimit.Options{Limits: limits, Now: c.Now})
	require.NoError(t, err)
	return m, c
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counts returns how many requests each bucket was charged.
func counts(m *ratelimit.Memory) [4]uint64 {
	var n [4]uint64
	st := m.Stats()
	for i := range n {
		n[i] = st.Allowed[i] + st.Refused[i]
	}
	return n
}

func TestEachRequestIsChargedToOneBucket(t *testing.T) {
	t.Parallel()
	m, _ := limiter(t, ratelimit.Limits{})
	w := open(t, odd(t), &httpapi.Options{Limiter: m})
	doc := oddDocument(oddStable)
	for _, tt := range []struct {
		method, path, body string
		bucket             ratelimit.Bucket
		policy             string
	}{
		{"GET", "/schemas", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/manifest", "", ratelimit.Read, `"read";q=300;w=60`},
		{"HEAD", "/schemas/" + oddStable + "/categories", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/release", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/openapi.json", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/json-schemas/instance.json", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/nothing", "", ratelimit.Read, `"read";q=300;w=60`},
		{"PUT", "/schemas", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/validate", "", ratelimit.Read, `"read";q=300;w=60`},
		{"DELETE", "/schemas/" + oddStable + "/resolve", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon.nope.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/nope.svg", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/shapes/circle.png", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/symbols/Kiste-1.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
		{"GET", "/shapes/circle.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
		{"POST", "/schemas/" + oddStable + "/validate", doc, ratelimit.Validate, `"validate";q=30;w=60`},
		{"POST", "/schemas/" + oddStable + "/resolve", doc, ratelimit.Resolve, `"resolve";q=15;w=60`},
		{"POST", "/schemas/" + oddStable + "/validate_resolved", doc, ratelimit.Resolve, `"resolve";q=15;w=60`},
	} {
		want := counts(m)
		want[tt.bucket]++
		a := w.do(request{method: tt.method, path: tt.path, body: strings.NewReader(tt.body), wrong: true})
		require.Equal(t, want, counts(m), "%s %s", tt.method, tt.path)
		require.Equal(t, tt.policy, a.Header.Get("RateLimit-Policy"))
		require.Regexp(t, `^"[a-z]+";r=\d+;t=\d+$`, a.Header.Get("RateLimit"))
	}
	before := counts(m)
	a := w.do(request{method: "OPTIONS", path: "/schemas"})
	require.Equal(t, before, counts(m), "a preflight is not charged")
	require.Empty(t, a.Header.Get("RateLimit"))
}

func TestRateLimited(t *testing.T) {
	t.Parallel()
	m, c := limiter(t, ratelimit.Limits{})
	w := open(t, odd(t), &httpapi.Options{Limiter: m})
	doc := oddDocument(oddStable)
	for i := range 15 {
		operation := []string{"resolve", "validate_resolved"}[i%2]
		a := w.do(request{method: "POST", path: "/schemas/" + oddStable + "/" + operation, body: strings.NewReader(doc), wrong: true})
		require.Equal(t, 200, a.StatusCode)
		require.Contains(t, a.Header.Get("RateLimit"), fmt.Sprintf(`"resolve";r=%d;`, 14-i))
	}
	c.pass(20 * time.Second)
	refused := w.post("/schemas/"+oddStable+"/resolve", doc)
	issue := refused.issue(t, 429, "rate_limited")
	require.Contains(t, issue["fix_hint"], "Service-Client")
	wait, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	require.NoError(t, err)
	require.True(t, 40 <= wait && wait <= 41, wait)
	require.Contains(t, refused.Header.Get("RateLimit"), "r=0")
	require.Empty(t, refused.Header.Get("Service-Content-Hash"))

	require.Equal(t, 200, w.post("/schemas/"+oddStable+"/validate", doc).StatusCode, "another bucket")
	own := w.do(request{method: "POST", path: "/schemas/" + oddStable + "/resolve", body: strings.NewReader(doc), header: map[string]string{"Service-Client": "mine"}, wrong: true})
	require.Equal(t, 200, own.StatusCode, "a name has its own count")
	bad := w.do(request{method: "POST", path: "/schemas/" + oddStable + "/resolve", body: strings.NewReader(doc), header: map[string]string{"Service-Client": strings.Repeat("x", 65)}, wrong: true})
	require.Equal(t, 429, bad.StatusCode, "an invalid name is ignored")
	c.pass(time.Duration(wait) * time.Second)
	require.Equal(t, 200, w.post("/schemas/"+oddStable+"/resolve", doc).StatusCode, "after Retry-After")
}

// TestWhatIsCheckedFirstWins fixes one fault after the other.
func TestWhatIsCheckedFirstWins(t *testing.T) {
	t.Parallel()
	m, c := limiter(t, ratelimit.Limits{Validate: 1})
	w := open(t, odd(t), &httpapi.Options{Limiter: m, MaxBody: 2000})
	large := strings.Repeat("x", 2001)
	post := func(version, body string) *answer {
		return w.do(request{method: "POST", path: "/schemas/" + version + "/validate", body: strings.NewReader(body), wrong: true})
	}
	require.Equal(t, 200, post(oddStable, oddDocument(oddStable)).StatusCode)
	post("bad", large).issue(t, 429, "rate_limited")
	for _, tt := range []struct {
		version, body string
		status        int
		code          string
	}{
		{"bad", large, 400, "bad_request"},
		{"lager_1@nope", large, 404, "not_found"},
		{oddStable, large, 413, "payload_too_large"},
		{oddStable, large[1:], 400, "bad_request"},
	} {
		c.pass(2 * time.Minute)
		post(tt.version, tt.body).issue(t, tt.status, tt.code)
	}
	c.pass(2 * time.Minute)
	require.Equal(t, []string{"parse_error"}, post(oddStable, `{"id":"x","schema_version":"`+oddStable+`","created_at":"2026-06-01T10:00Z","elements":[{"element_id":7}]}`).codes(), "shape before rules")
	c.pass(2 * time.Minute)
	require.Contains(t, post(oddStable, strings.Replace(oddDocument(oddStable), "zweck", "nope", 1)).codes(), "INSTANCE_ELEMENT_UNKNOWN")
}

func TestWithoutLimiter(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for range 20 {
		a := w.post("/schemas/"+oddStable+"/resolve", oddDocument(oddStable))
		require.Equal(t, 200, a.StatusCode)
		require.Empty(t, a.Header.Get("RateLimit"))
	}
}

type brokenLimiter struct{}

func (brokenLimiter) Allow(context.Context, ratelimit.Key) (ratelimit.Decision, error) {
	return ratelimit.Decision{}, errors.New("the limiter is unavailable")
}

func TestLimiterThatFailsLetsPass(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{Limiter: brokenLimiter{}})
	require.Equal(t, http.StatusOK, w.get("/schemas").StatusCode)
	require.Equal(t, http.StatusOK, w.get("/schemas").StatusCode)
	require.Len(t, w.log.lines("limiter failed, requests pass unchecked"), 1, "of a lasting failure")
}

// limiterFunc is a limiter that does anything.
type limiterFunc func(ctx context.Context) (ratelimit.Decision, error)

func (l limiterFunc) Allow(ctx context.Context, _ ratelimit.Key) (ratelimit.Decision, error) {
	return l(ctx)
}

// TestLimiterWithoutTimes shows that a refusal says when to try again, even if the
// limiter does not.
func TestLimiterWithoutTimes(t *testing.T) {
	t.Parallel()
	refuses := limiterFunc(func(context.Context) (ratelimit.Decision, error) { return ratelimit.Decision{}, nil })
	w := open(t, odd(t), &httpapi.Options{Limiter: refuses})
	a := w.do(request{path: "/schemas"})
	require.Equal(t, "Too many requests.", a.issue(t, http.StatusTooManyRequests, "rate_limited")["message"])
	require.Equal(t, "1", a.Header.Get("Retry-After"))
}

// TestLimiterThatHangs shows that a limiter does not cost a request more than its
// budget, whatever it does.
func TestLimiterThatHangs(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, limiter := range map[string]limiterFunc{
		"and ignores its context": func(context.Context) (ratelimit.Decision, error) {
			<-release
			return ratelimit.Decision{}, nil // a refusal that comes too late
		},
		"and heeds its context": func(ctx context.Context) (ratelimit.Decision, error) {
			<-ctx.Done()
			return ratelimit.Decision{}, ctx.Err()
		},
		"after a panic": func(context.Context) (ratelimit.Decision, error) { panic("limiter") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var unchecked atomic.Int64
			w := open(t, odd(t), &httpapi.Options{Limiter: limiter, ReadTimeout: 10 * time.Minute, Observe: func(o httpapi.Observation) {
				if o.Unchecked {
					unchecked.Add(1)
				}
			}})
			for range 3 {
				a := w.get("/schemas")
				require.Empty(t, a.Header.Get("RateLimit"))
			}
			require.EqualValues(t, 3, unchecked.Load())
			require.Len(t, w.log.lines("limiter failed, requests pass unchecked"), 1)
		})
	}
}

// TestLimiterThatHangsForever shows that checks which never return do not pile up,
// and that the limiter decides again once it has recovered.
func TestLimiterThatHangsForever(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	let := sync.OnceFunc(func() { close(release) })
	t.Cleanup(let)
	var running, most atomic.Int64
	limiter := limiterFunc(func(context.Context) (ratelimit.Decision, error) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		<-release
		return ratelimit.Decision{Limit: 1, Window: time.Minute}, nil
	})
	var unchecked atomic.Int64
	h := handler(t, &httpapi.Options{Limiter: limiter, LimiterBudget: time.Nanosecond, Observe: func(o httpapi.Observation) {
		if o.Unchecked {
			unchecked.Add(1)
		}
	}})
	ask := func() int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/shapes/circle.svg", http.NoBody)
		s := &sink{header: http.Header{}}
		h.ServeHTTP(s, r)
		return s.status
	}
	for range 1500 {
		require.Equal(t, http.StatusOK, ask())
	}
	require.EqualValues(t, 1500, unchecked.Load())
	require.LessOrEqual(t, most.Load(), int64(1024))
	let()
	require.Eventually(t, func() bool { return running.Load() == 0 }, time.Minute, time.Millisecond)
}

// TestLimiterWithinItsBudget shows that a limiter which waits, but not too long,
// decides.
func TestLimiterWithinItsBudget(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	w := open(t, odd(t), &httpapi.Options{LimiterBudget: time.Minute, ReadTimeout: time.Minute, Limiter: limiterFunc(func(context.Context) (ratelimit.Decision, error) {
		if down.Load() {
			return ratelimit.Decision{}, errDisk
		}
		return ratelimit.Decision{Limit: 1, Window: time.Minute}, nil
	})})
	w.do(request{path: "/schemas"}).issue(t, 429, "rate_limited")
	down.Store(true)
	w.get("/schemas")
	down.Store(false)
	w.do(request{path: "/schemas"}).issue(t, 429, "rate_limited")
	require.Len(t, w.log.lines("limiter recovered"), 1)
}

// till counts the requests that are charged, and lets all of them pass.
type till struct{ charged atomic.Int64 }

func (t *till) Allow(context.Context, ratelimit.Key) (ratelimit.Decision, error) {
	t.charged.Add(1)
	return ratelimit.Decision{Allowed: true, Limit: 100, Window: time.Minute}, nil
}

// take returns how many requests were charged since the last call.
func (t *till) take() int { return int(t.charged.Swap(0)) }

var notYet = &datachain.Error{Issue: issue.Issue{Code: issue.CodeUpstreamError, Message: "Nothing was read yet.", FixHint: "try again"}}

// TestMountNotReady shows that requests to a mounted handler that is not ready get 503
// before they are charged.
func TestMountNotReady(t *testing.T) {
	t.Parallel()
	var ready atomic.Bool
	limiter := new(till)
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	w := open(t, odd(t), &httpapi.Options{Limiter: limiter, LimiterBudget: -1, Mounts: []httpapi.Mount{
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
	rule := &validate.Rule{Name: "wait", Doc: "Waits.", Codes: []issue.Code{"wait"}, Run: func(context.Context, *validate.Pass) error { <-leave; return nil }}
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
	rule := &validate.Rule{Name: "wait", Doc: "Waits.", Codes: []issue.Code{"wait"}, Run: func(context.Context, *validate.Pass) error {
		works <- struct{}{}
		<-leave
		return nil
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

// loopback are the proxies of a test, so that it can have several addresses.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// TestClientsTakeTurns shows that a client whose documents wait delays the document
// of another one by one of its own, and that it can't take all places in the queue.
func TestClientsTakeTurns(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var order []string
	step := make(chan struct{})
	rule := &validate.Rule{Name: "order", Doc: "Notes the order.", Codes: []issue.Code{"order"}, Run: func(_ context.Context, p *validate.Pass) error {
		mu.Lock()
		order = append(order, p.Instance.ID)
		mu.Unlock()
		<-step
		return nil
	}}
	h, err := httpapi.New(must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{rule}, MaxCPU: -1})), &httpapi.Options{MaxWork: 1, WorkTimeout: 10 * time.Minute})
	require.NoError(t, err)
	post := func(ctx context.Context, client, id string) int {
		body := strings.Replace(oddDocument(oddStable), `"id":"d"`, `"id":"`+id+`"`, 1)
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, api+"/schemas/"+oddStable+"/validate", strings.NewReader(body))
		r.RemoteAddr = client + ":1"
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec.Code
	}
	var group sync.WaitGroup
	wait := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return httpapi.Waiting(h) == n }, time.Minute, time.Millisecond)
	}
	group.Go(func() { post(t.Context(), "192.0.2.1", "first") })
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(order) == 1
	}, time.Minute, time.Millisecond)
	gone, leave := context.WithCancel(t.Context())
	group.Go(func() { post(gone, "192.0.2.1", "gone") })
	wait(1)
	for range 15 {
		group.Go(func() { post(t.Context(), "192.0.2.1", "greedy") })
	}
	wait(16)
	require.Equal(t, http.StatusServiceUnavailable, post(t.Context(), "192.0.2.1", "too much"))
	group.Go(func() { post(t.Context(), "192.0.2.2", "other") })
	wait(17)
	leave()
	wait(16)
	close(step)
	group.Wait()
	require.NotContains(t, order, "gone")
	require.LessOrEqual(t, slices.Index(order, "other"), 2, "%v", order)
	require.Contains(t, order, "other")
	require.Len(t, order, 17)
	require.Equal(t, http.StatusOK, post(t.Context(), "192.0.2.3", "last"), "all places were returned")
}
