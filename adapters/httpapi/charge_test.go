package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// limiterFunc is a limiter that does anything.
type limiterFunc func(ctx context.Context) (ratelimit.Decision, error)

func (f limiterFunc) Allow(ctx context.Context, _ ratelimit.Key) (ratelimit.Decision, error) {
	return f(ctx)
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
