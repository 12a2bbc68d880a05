//go:build unix

package redisshare_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp/slottest"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/ratelimit/ratelimittest"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// TestLimiter proves the limiter with the suite that ratelimit.Memory passes.
func TestLimiter(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	var clauses atomic.Int64
	ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
		t.Helper()
		o := redisshare.Options{Limits: limits, Prefix: fmt.Sprint("clause", clauses.Add(1))}
		return open(t, server.Address, redisshare.Patient(o, time.Second))
	}, &ratelimittest.Options{Window: time.Second, LimitsNames: true})
}

// TestSlots proves the pages with the suite of session slots.
func TestSlots(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	clauses := 0
	options := func(b slottest.Bounds) *redisshare.Options {
		return redisshare.Patient(redisshare.Options{MaxPage: b.MaxValue, MaxPageAge: b.MaxAge, Prefix: fmt.Sprint("clause", clauses)}, 0)
	}
	slottest.Run(t, func(t *testing.T, b slottest.Bounds) slottest.Slots {
		t.Helper()
		clauses++
		return open(t, server.Address, options(b))
	}, nil)
}

// TestExact counts requests from three servers and 16 goroutines.
func TestExact(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	shares := three(t, server.Address, redisshare.Patient(redisshare.Options{}, 0))
	for i, name := range []string{"", "name"} {
		for _, b := range []ratelimit.Bucket{ratelimit.Read, ratelimit.Validate} {
			n := passed(t, ratelimit.NewKey(b, client(i), name), 40, shares...)
			assert.Equal(t, []int{300, 1200, 30}[b], n)
		}
	}
	for _, s := range shares {
		assert.Zero(t, s.Stats().Local)
	}
}

// TestPooledNameRefused shows that a name without a count of its own is refused until it gets one.
func TestPooledNameRefused(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	o := redisshare.Patient(redisshare.Options{Limits: ratelimit.Limits{Resolve: 1}}, time.Second)
	s := open(t, server.Address, o)
	named := func(i int) ratelimit.Key {
		return ratelimit.NewKey(ratelimit.Resolve, client(1), fmt.Sprint("name", i))
	}
	for i := range ratelimit.MaxNames {
		require.True(t, allow(t, s, named(i)).Allowed)
	}
	// The count of requests without a name is used up a slot later, so it
	// becomes free a slot later.
	nextSlot(t, server)
	require.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Resolve, client(1), "")).Allowed)
	var retry time.Duration
	for d := allow(t, s, named(99)); !d.Allowed; d = allow(t, s, named(99)) {
		retry = d.RetryAfter
		time.Sleep(time.Millisecond)
	}
	if retry > 0 { // else this machine is too slow to tell
		assert.Equal(t, 2*time.Second, retry, "it was not refused until the request without a name expires, a second later")
	}
}

// TestLowerLimit shows that RetryAfter waits for enough slots to expire if a
// server has a lower limit than others had, as during a rollout.
func TestLowerLimit(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	key := ratelimit.NewKey(ratelimit.Read, client(1), "")
	old := open(t, server.Address, redisshare.Patient(redisshare.Options{}, time.Second))
	allow(t, old, key)
	nextSlot(t, server)
	allow(t, old, key)
	fresh := open(t, server.Address, redisshare.Patient(redisshare.Options{Limits: ratelimit.Limits{Read: 1}}, time.Second))
	for d := allow(t, fresh, key); !d.Allowed; d = allow(t, fresh, key) {
		time.Sleep(d.RetryAfter)
	}
	assert.LessOrEqual(t, fresh.Stats().Checks, uint64(2), "waiting once is enough")
}

// TestCommands counts the scripts that Redis runs: one for a check, whether it passes or not.
func TestCommands(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	s := open(t, server.Address, redisshare.Patient(redisshare.Options{Limits: ratelimit.Limits{Resolve: 1}}, 0))
	c := control(t, server)
	scripts := func() int {
		info, err := c.Info(t.Context(), "commandstats").Result()
		require.NoError(t, err)
		_, rest, _ := strings.Cut(info, "cmdstat_evalsha:calls=")
		calls, _, _ := strings.Cut(rest, ",")
		n, err := strconv.Atoi(calls)
		require.NoError(t, err)
		return n
	}
	const checks = 1000
	before := scripts()
	for i := range checks {
		assert.Equal(t, i == 0, allow(t, s, ratelimit.NewKey(ratelimit.Resolve, client(1), "")).Allowed)
	}
	// Probes run the script as well, under another key. Checks make them superfluous, so there are few.
	assert.InDelta(t, checks, scripts()-before, checks/20)
	assert.EqualValues(t, checks, s.Stats().Checks)
}
