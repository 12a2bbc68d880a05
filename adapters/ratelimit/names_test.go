package ratelimit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestNames uses all names that an address may have, and more.
func TestNames(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	named := func(b ratelimit.Bucket, i int) ratelimit.Key { return key(b, "192.0.2.1", fmt.Sprint("name", i)) }
	for i := range 32 {
		require.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, i)).Remaining, "name %d has a count of its own", i)
	}
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 32)).Remaining, "the 33rd shares the count without a name")
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 33)).Remaining, "and so do all that follow")
	assert.Equal(t, 12, allow(t, m, key(ratelimit.Resolve, "192.0.2.1", "")).Remaining, "and requests without a name")
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 5)).Remaining, "a name in use keeps its count")
	assert.Equal(t, 29, allow(t, m, named(ratelimit.Validate, 5)).Remaining, "in other buckets, too")
	assert.Equal(t, 29, allow(t, m, named(ratelimit.Validate, 32)).Remaining, "where the 33rd has none either")
	assert.Equal(t, 28, allow(t, m, key(ratelimit.Validate, "192.0.2.1", "")).Remaining)
	assert.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "192.0.2.2", "name33")).Remaining, "other addresses have their own names")

	// A name is free when none of its requests count in any bucket.
	clock.advance(60 * time.Second)
	allow(t, m, named(ratelimit.Icons, 7))
	assert.Equal(t, 11, allow(t, m, named(ratelimit.Resolve, 40)).Remaining, "still without a count of its own")
	clock.advance(time.Second)
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 40)).Remaining)
	for i := 41; i < 71; i++ {
		require.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, i)).Remaining)
	}
	// Name 7 is in use in another bucket: 1 + 31 names.
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 71)).Remaining, "shares with the request of a second ago")
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 7)).Remaining)
}

// TestNeighbours shows that clients do not count one another's names.
func TestNeighbours(t *testing.T) {
	m, _ := newMemory(t, ratelimit.Options{})
	for i := range 32 { // the first 64 bits are the same
		require.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "192.0.2.1", fmt.Sprint(i))).Remaining)
		require.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "::c000:201:0:0:0:1", fmt.Sprint(-i))).Remaining)
	}
	m, _ = newMemory(t, ratelimit.Options{MaxKeys: 2000})
	for n := range 32 {
		for c := range 60 {
			require.Equal(t, 14, allow(t, m, ratelimit.NewKey(ratelimit.Resolve, client(c), fmt.Sprint(c, "-", n))).Remaining)
		}
	}
}

// TestRotatingNames invents names in three ways and never gets more than 33 times
// the limit past a bucket in any 60 seconds. One way reaches that bound.
func TestRotatingNames(t *testing.T) {
	const limit = 3
	rnd := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func(i int) string{
		"a new name each time": func(i int) string { return fmt.Sprint(i) },
		"at random":            func(int) string { return fmt.Sprint(rnd.IntN(100)) },
		"each to its limit":    func(i int) string { return fmt.Sprint(i / limit) },
	} {
		t.Run(name, func(t *testing.T) {
			m, clock := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Resolve: limit}})
			perSecond, most := []int{}, 0
			for s := range 130 {
				passed := 0
				for i := range 120 {
					if allow(t, m, key(ratelimit.Resolve, "192.0.2.1", next(120*s+i))).Allowed {
						passed++
					}
				}
				perSecond = append(perSecond, passed)
				sum := 0
				for _, n := range perSecond[max(0, s-60):] {
					sum += n
				}
				most = max(most, sum)
				require.LessOrEqual(t, sum, 33*limit, "second %d", s)
				require.LessOrEqual(t, m.Stats().Keys, 33)
				clock.advance(time.Second)
			}
			t.Log(most, "passed in the busiest window")
			if name == "each to its limit" {
				assert.Equal(t, 33*limit, most)
			}
		})
	}
}

// TestOneAddressTakesLittle shows that one address with every name in every bucket
// evicts nobody else.
func TestOneAddressTakesLittle(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: 1000})
	for i := range 800 {
		require.True(t, allow(t, m, ratelimit.NewKey(ratelimit.Read, client(i), "")).Allowed)
	}
	for i := range 15_000 {
		allow(t, m, key(ratelimit.Bucket(i/7%4), "192.0.2.1", fmt.Sprint(i%1000)))
		if i%100 == 0 {
			clock.advance(100 * time.Millisecond) // 15 seconds in all
		}
	}
	st := m.Stats()
	assert.Equal(t, 800+33*4, st.Keys)
	assert.Zero(t, st.Evicted)
	for i := range 800 {
		require.Equal(t, 298, allow(t, m, ratelimit.NewKey(ratelimit.Read, client(i), "")).Remaining, "no client was evicted")
	}
}
