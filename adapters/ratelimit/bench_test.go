package ratelimit_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// BenchmarkAllow asks on behalf of 100,000 clients in turn, from all cores. It also
// reports the memory of a key with one request, and the time of a garbage
// collection.
func BenchmarkAllow(b *testing.B) {
	const clients = 100_000
	keys := make([]ratelimit.Key, clients)
	for i := range keys {
		keys[i] = ratelimit.NewKey(ratelimit.Icons, client(i), "")
	}
	before := heap()
	l, err := ratelimit.NewMemory(nil)
	require.NoError(b, err)
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
	b.StopTimer()
	b.ReportMetric(float64(bytes)/clients, "B/key")
	const collections = 10
	began := time.Now()
	for range collections {
		runtime.GC()
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/collections, "µs/GC")
	runtime.KeepAlive(l)
}

// BenchmarkRefuse asks for a key whose window is full in every slot.
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

// BenchmarkRotate uses a new name each time while all names are in use: the most
// expensive request that a client can make.
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
