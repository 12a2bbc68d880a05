package ratelimit_test

import (
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

var start = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// A fakeClock moves only when it is told to.
type fakeClock struct{ elapsed atomic.Int64 }

func (f *fakeClock) now() time.Time          { return start.Add(time.Duration(f.elapsed.Load())) }
func (f *fakeClock) advance(d time.Duration) { f.elapsed.Add(int64(d)) }

// newMemory returns a limiter and its clock.
func newMemory(tb testing.TB, o ratelimit.Options) (*ratelimit.Memory, *fakeClock) {
	tb.Helper()
	clock := &fakeClock{}
	o.Now = clock.now
	m, err := ratelimit.NewMemory(&o)
	require.NoError(tb, err)
	return m, clock
}

func allow(tb testing.TB, l ratelimit.Limiter, k ratelimit.Key) ratelimit.Decision {
	tb.Helper()
	d, err := l.Allow(tb.Context(), k)
	if err != nil { // require is slow in a loop of a million
		require.NoError(tb, err)
	}
	return d
}

// client returns the i-th of many IPv4 addresses.
func client(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
}

func key(b ratelimit.Bucket, client, name string) ratelimit.Key {
	return ratelimit.NewKey(b, netip.MustParseAddr(client), name)
}

// passes makes n requests at once and returns how many pass.
func passes(tb testing.TB, l ratelimit.Limiter, k ratelimit.Key, n int) int {
	tb.Helper()
	passed := 0
	for range n {
		if allow(tb, l, k).Allowed {
			passed++
		}
	}
	return passed
}
