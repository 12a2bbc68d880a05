package ratelimit_test

import (
	"context"
	"errors"
	"slices"
	"sync"
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
	}, &ratelimittest.Options{Now: clock.now, Sleep: clock.advance, LimitsNames: true})
}

// simple is a limiter that counts the requests of each key, and knows nothing of names.
type simple struct {
	limits []int
	now    func() time.Time
	mu     sync.Mutex
	seen   map[ratelimit.Key][]time.Time // the start of the slots of requests that passed
}

func (s *simple) Allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	if err := ctx.Err(); err != nil {
		return ratelimit.Decision{}, err
	}
	if int(key.Bucket) >= len(s.limits) {
		return ratelimit.Decision{}, errors.New("unknown bucket")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limits[key.Bucket]
	if limit < 0 {
		return ratelimit.Decision{Allowed: true, Bucket: key.Bucket}, nil
	}
	const window = ratelimit.Window + time.Second
	now := s.now().Truncate(time.Second)
	list := slices.DeleteFunc(s.seen[key], func(at time.Time) bool { return now.Sub(at) >= window })
	d := ratelimit.Decision{Allowed: len(list) < limit, Bucket: key.Bucket, Limit: limit, Window: ratelimit.Window}
	if d.Allowed {
		list = append(list, now)
	}
	s.seen[key] = list
	d.Remaining, d.Reset = limit-len(list), window-now.Sub(list[0])
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d, nil
}

// TestCounting proves a limiter that knows nothing of names with what httpapi needs.
func TestCounting(t *testing.T) {
	var clock fakeClock
	ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
		t.Helper()
		effective, err := limits.Effective()
		require.NoError(t, err)
		return &simple{limits: effective, now: clock.now, seen: make(map[ratelimit.Key][]time.Time)}
	}, &ratelimittest.Options{Now: clock.now, Sleep: clock.advance})
}
