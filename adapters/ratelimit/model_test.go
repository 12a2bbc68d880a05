package ratelimit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/ratelimit/ratelimittest"
)

func TestMemory(t *testing.T) {
	var clock fakeClock
	ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
		t.Helper()
		m, err := ratelimit.NewMemory(&ratelimit.Options{Limits: limits, Now: clock.now})
		require.NoError(t, err)
		return m
	}, &ratelimittest.Options{Now: clock.now, Sleep: clock.advance})
}

// TestModel sends random requests of a few clients with many names, at random
// times, and compares the decisions with those of the plain limiter.
func TestModel(t *testing.T) {
	limits := ratelimit.Limits{Read: 9, Icons: 40, Validate: 3, Resolve: 1, Pages: 5, Forms: 2}
	var allowed, refused int
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		m, clock := newMemory(t, ratelimit.Options{Limits: limits})
		want := newPlain([6]int{9, 40, 3, 1, 5, 2}, clock.now)
		names, clients, pace := 1+rnd.IntN(60), 1+rnd.IntN(4), time.Duration(1+rnd.IntN(200))*time.Millisecond
		for i := range 1500 {
			if rnd.IntN(100) == 0 {
				clock.advance(time.Duration(rnd.Int64N(int64(3 * time.Minute))))
			}
			clock.advance(time.Duration(rnd.Int64N(int64(pace))))
			k := ratelimit.NewKey(ratelimit.Bucket(rnd.IntN(6)), client(rnd.IntN(clients)), "")
			if n := rnd.IntN(names); n > 0 {
				k.Name = fmt.Sprint(n)
			}
			d := allow(t, want, k)
			if got := allow(t, m, k); got != d {
				require.Equal(t, d, got, "seed %d, request %d, %v", seed, i, k)
			}
			if d.Allowed {
				allowed++
			} else {
				refused++
			}
		}
	}
	t.Log(allowed, "allowed,", refused, "refused")
	require.Greater(t, min(allowed, refused), 1000, "the requests have to be various")
}
