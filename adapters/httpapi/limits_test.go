package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
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
	for i, b := range m.Stats().Buckets {
		n[i] = b.Allowed + b.Refused
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
		{"GET", "/schemas/" + oddStable + "/instance.schema.json", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/openapi.json", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/json-schemas/instance.json", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/nothing", "", ratelimit.Read, `"read";q=300;w=60`},
		{"PUT", "/schemas", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/validate", "", ratelimit.Read, `"read";q=300;w=60`},
		{"DELETE", "/schemas/" + oddStable + "/resolve", "", ratelimit.Read, `"read";q=300;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
		{"GET", "/schemas/" + oddStable + "/elements/zweck.Lagern/icon.nope.svg", "", ratelimit.Icons, `"icons";q=1200;w=60`},
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
