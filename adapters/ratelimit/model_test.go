package ratelimit_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// A model is the limiter as one would explain it: a list of the slots of all
// requests of a key, and no thought for memory.
type model struct {
	limits map[ratelimit.Bucket]int
	last   time.Time
	passed time.Duration
	counts map[netip.Addr]map[ratelimit.Key][]int // by client
}

func newModel(limits ratelimit.Limits) *model {
	return &model{last: start, counts: map[netip.Addr]map[ratelimit.Key][]int{}, limits: map[ratelimit.Bucket]int{
		ratelimit.Read: limits.Read, ratelimit.Icons: limits.Icons, ratelimit.Validate: limits.Validate, ratelimit.Resolve: limits.Resolve,
	}}
}

// expire drops what a client's windows no longer hold.
func (m *model) expire(client netip.Addr, now int) {
	if m.counts[client] == nil {
		m.counts[client] = map[ratelimit.Key][]int{}
	}
	for k, slots := range m.counts[client] {
		slots = slices.DeleteFunc(slots, func(slot int) bool { return slot < now-60 })
		if m.counts[client][k] = slots; len(slots) == 0 {
			delete(m.counts[client], k)
		}
	}
}

// pooled drops a name that is one too many.
func (m *model) pooled(k ratelimit.Key) ratelimit.Key {
	names := map[string]bool{}
	for other := range m.counts[k.Client] {
		if other.Name != "" {
			names[other.Name] = true
		}
	}
	if len(names) >= ratelimit.MaxNames && !names[k.Name] {
		k.Name = ""
	}
	return k
}

func (m *model) allow(k ratelimit.Key, t time.Time) ratelimit.Decision {
	m.passed += max(0, t.Sub(m.last))
	m.last = t
	now := int(m.passed / time.Second)
	m.expire(k.Client, now)
	k = m.pooled(k)
	in := m.counts[k.Client][k]
	d := ratelimit.Decision{Bucket: k.Bucket, Limit: m.limits[k.Bucket], Window: time.Minute}
	if d.Allowed = len(in) < d.Limit; d.Allowed {
		in = append(in, now)
	}
	m.counts[k.Client][k] = in
	d.Remaining = d.Limit - len(in)
	d.Reset = time.Duration(in[0]+61-now) * time.Second
	if !d.Allowed {
		d.RetryAfter = d.Reset
	}
	return d
}

// TestModel sends random requests of few clients with many names, at random
// times, through the limiter and its model.
func TestModel(t *testing.T) {
	limits := ratelimit.Limits{Read: 9, Icons: 40, Validate: 3, Resolve: 1}
	var allowed, refused, pooled int
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		// So few keys are in one shard, and see the same clock set back. In
		// several shards, time goes forward.
		back, maxKeys := time.Duration(1), 1000
		if seed%2 == 1 {
			back, maxKeys = 0, 0
		}
		m, clock := newMemory(t, ratelimit.Options{Limits: limits, MaxKeys: maxKeys})
		want := newModel(limits)
		names, clients, pace := 1+rnd.IntN(60), 1+rnd.IntN(4), time.Duration(1+rnd.IntN(200))*time.Millisecond
		for i := range 1500 {
			switch rnd.IntN(200) {
			case 0:
				clock.advance(-back * time.Duration(rnd.Int64N(int64(3*time.Minute))))
			case 1:
				clock.advance(time.Duration(rnd.Int64N(int64(3 * time.Minute))))
			default:
				clock.advance(time.Duration(rnd.Int64N(int64(pace))))
			}
			k := ratelimit.NewKey(ratelimit.Bucket(rnd.IntN(4)), client(rnd.IntN(clients)), "")
			if n := rnd.IntN(names); n > 0 {
				k.Name = fmt.Sprint(n)
			}
			d := want.allow(k, clock.now())
			if got := allow(t, m, k); got != d {
				require.Equal(t, d, got, "seed %d, request %d, %v", seed, i, k)
			}
			switch {
			case k.Name != "" && want.pooled(k).Name == "":
				pooled++
			case d.Allowed:
				allowed++
			default:
				refused++
			}
		}
	}
	t.Log(allowed, "allowed,", refused, "refused,", pooled, "without their name")
	require.Greater(t, min(allowed, refused, pooled), 1000, "the requests have to be various")
}
