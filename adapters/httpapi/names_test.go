package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// counter is a limiter as a program may write it: it lets two requests of each key pass in a
// window.
type counter struct {
	window time.Duration

	mu   sync.Mutex
	seen map[ratelimit.Key][]time.Time
}

func (c *counter) Allow(_ context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	list := c.seen[key]
	for len(list) > 0 && now.Sub(list[0]) >= c.window {
		list = list[1:]
	}
	d := ratelimit.Decision{Allowed: len(list) < 2, Bucket: key.Bucket, Limit: 2, Window: c.window}
	if d.Allowed {
		list = append(list, now)
	}
	c.seen[key] = list
	return d, nil
}

// TestNamesOfAnOwnLimiter: whatever names a client invents, a limiter that only counts limits it.
func TestNamesOfAnOwnLimiter(t *testing.T) {
	t.Parallel()
	for _, window := range []time.Duration{time.Second, ratelimit.Window, 24 * time.Hour} {
		for budget, of := range map[time.Duration]string{time.Minute: "with a budget", -1: "without one"} {
			t.Run(fmt.Sprint(window, " ", of), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					h := handler(t, &httpapi.Options{
						Limiter: &counter{window: window, seen: make(map[ratelimit.Key][]time.Time)}, LimiterBudget: budget, MaxRequests: -1, MaxClientRequests: -1,
					})
					ask := func(client, name string) bool {
						r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, api+"/shapes/circle.svg", http.NoBody)
						r.RemoteAddr = client + ":99"
						r.Header.Set("Service-Client", name)
						s := &sink{header: http.Header{}}
						h.ServeHTTP(s, r)
						return s.status == http.StatusOK
					}
					passed := func(client, prefix string) int {
						var n atomic.Int64
						var group sync.WaitGroup
						for i := range 500 {
							group.Go(func() {
								if ask(client, fmt.Sprint(prefix, i)) {
									n.Add(1)
								}
							})
						}
						group.Wait()
						return int(n.Load())
					}
					require.Equal(t, ratelimit.MaxNames+2, passed("192.0.2.1", "a"), "a request of 32 names each, and two without")
					assert.Zero(t, passed("192.0.2.1", "b"), "the names are in use")
					assert.Equal(t, ratelimit.MaxNames, passed("192.0.2.1", "a"), "their second requests")
					assert.Equal(t, ratelimit.MaxNames+2, passed("192.0.2.2", "a"), "another client")
					time.Sleep(max(window, ratelimit.Window) + time.Second)
					assert.Equal(t, ratelimit.MaxNames+2, passed("192.0.2.1", "b"), "they are free again")
				})
			})
		}
	}
}
