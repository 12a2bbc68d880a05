package ratelimittest_test

import (
	"testing"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/ratelimit/ratelimittest"
)

// A test of a limiter is one line, a way to make it, and a clock that moves when the suite sleeps.
func ExampleRun() {
	var t *testing.T // as TestLimiter gets it
	now := time.Now()
	ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
		l, err := ratelimit.NewMemory(&ratelimit.Options{Limits: limits, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}, &ratelimittest.Options{
		Now: func() time.Time { return now }, Sleep: func(d time.Duration) { now = now.Add(d) }, LimitsNames: true,
	})
}
