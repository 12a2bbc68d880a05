package ratelimit_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// naive is what one would write first: a map of slices of times behind a lock.
type naive struct {
	mu    sync.Mutex
	times map[ratelimit.Key][]time.Time
}

func (n *naive) Allow(_ context.Context, k ratelimit.Key) (ratelimit.Decision, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	times := n.times[k]
	for len(times) > 0 && now.Sub(times[0]) > ratelimit.Window {
		times = times[1:]
	}
	d := ratelimit.Decision{Allowed: len(times) < 1200}
	if d.Allowed {
		times = append(times, now)
	}
	n.times[k] = times
	return d, nil
}

func limiters(b *testing.B) map[string]func() ratelimit.Limiter {
	b.Helper()
	return map[string]func() ratelimit.Limiter{
		"memory": func() ratelimit.Limiter {
			m, err := ratelimit.NewMemory(nil)
			require.NoError(b, err)
			return m
		},
		"naive": func() ratelimit.Limiter { return &naive{times: map[ratelimit.Key][]time.Time{}} },
	}
}

// BenchmarkAllow asks on behalf of 100,000 clients, in turn and from all cores,
// and says what a key with one request costs in memory.
func BenchmarkAllow(b *testing.B) {
	const clients = 100_000
	keys := make([]ratelimit.Key, clients)
	for i := range keys {
		keys[i] = ratelimit.NewKey(ratelimit.Icons, client(i), "")
	}
	for name, open := range limiters(b) {
		b.Run(name, func(b *testing.B) {
			before := heap()
			l := open()
			for _, k := range keys {
				allow(b, l, k)
			}
			bytes := heap() - before
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				ctx := context.Background()
				for i := 0; pb.Next(); i++ {
					_, _ = l.Allow(ctx, keys[i*7919%clients])
				}
			})
			b.ReportMetric(float64(bytes)/clients, "B/key")
		})
	}
}

// BenchmarkRefuse hammers on one key that is full, in every slot of its window.
func BenchmarkRefuse(b *testing.B) {
	m, clock := newMemory(b, ratelimit.Options{Limits: ratelimit.Limits{Icons: 61}})
	k := ratelimit.NewKey(ratelimit.Icons, client(1), "")
	for range 61 {
		allow(b, m, k)
		clock.advance(time.Second)
	}
	allow(b, m, k)
	b.ReportAllocs()
	ctx := b.Context()
	for b.Loop() {
		_, _ = m.Allow(ctx, k)
	}
}

// BenchmarkRotate makes up a name each time, when all places are taken: the
// most work that a client can make.
func BenchmarkRotate(b *testing.B) {
	m, _ := newMemory(b, ratelimit.Options{})
	names := make([]ratelimit.Key, 1000)
	for i := range names {
		names[i] = ratelimit.NewKey(ratelimit.Bucket(i%4), client(1), time.Duration(i/4).String())
		allow(b, m, names[i])
	}
	b.ReportAllocs()
	ctx := b.Context()
	for i := 0; b.Loop(); i++ {
		_, _ = m.Allow(ctx, names[200+i%800])
	}
}
