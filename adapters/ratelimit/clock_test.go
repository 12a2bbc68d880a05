package ratelimit_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestClockSetBack turns the clock back: nobody gets in sooner, and nobody waits
// longer than the time that passes from then on.
func TestClockSetBack(t *testing.T) {
	for _, back := range []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour, 50 * 365 * 24 * time.Hour} {
		t.Run(back.String(), func(t *testing.T) {
			m, clock := newMemory(t, ratelimit.Options{})
			k := key(ratelimit.Resolve, "192.0.2.1", "")
			require.Equal(t, 15, passes(t, m, k, 20))
			clock.advance(10 * time.Second)
			require.Equal(t, 51*time.Second, allow(t, m, k).RetryAfter)
			clock.advance(-back)
			require.Equal(t, 51*time.Second, allow(t, m, k).RetryAfter)
			clock.advance(50 * time.Second)
			require.Equal(t, time.Second, allow(t, m, k).RetryAfter)
			clock.advance(time.Second)
			require.Equal(t, 15, passes(t, m, k, 20))
		})
	}
}

// TestClockSetForward frees everybody, once, however far the leap.
func TestClockSetForward(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	k := key(ratelimit.Resolve, "192.0.2.1", "")
	// 2^32 seconds are 136 years: slot numbers that came around would be equal.
	for _, leap := range []time.Duration{61 * time.Second, time.Hour, 1 << 32 * time.Second, 1<<32*time.Second + 30*time.Second} {
		require.Equal(t, 15, passes(t, m, k, 20))
		clock.advance(leap)
		require.Equal(t, 15, passes(t, m, k, 20), leap)
		clock.advance(-leap)
		require.Zero(t, passes(t, m, k, 20), leap)
		clock.advance(61 * time.Second)
	}
}

// TestClockGoneMad lets the clock leap about. In real time that is no time, or a
// minute at least, so a limiter may be lenient, but must go on to let people in
// and to refuse.
func TestClockGoneMad(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	k := key(ratelimit.Resolve, "192.0.2.1", "")
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		clock.elapsed.Store(rnd.Int64() - rnd.Int64())
		d := allow(t, m, k)
		require.LessOrEqual(t, d.RetryAfter, 61*time.Second)
	}
	clock.elapsed.Store(0)
	allow(t, m, k)
	clock.advance(61 * time.Second)
	assert.Equal(t, 15, passes(t, m, k, 20))
	assert.Zero(t, passes(t, m, k, 20))
}
