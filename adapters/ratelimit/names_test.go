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

// TestNames takes all names that an address may have, and one more.
func TestNames(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	named := func(b ratelimit.Bucket, i int) ratelimit.Key { return key(b, "192.0.2.1", fmt.Sprint("name", i)) }
	for i := range 32 {
		require.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, i)).Remaining, "name %d has a count of its own", i)
	}
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 32)).Remaining, "the 33rd is in the pool")
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 33)).Remaining, "as all that follow")
	assert.Equal(t, 12, allow(t, m, key(ratelimit.Resolve, "192.0.2.1", "")).Remaining, "and those without a name")
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 5)).Remaining, "who has a name keeps it")
	assert.Equal(t, 29, allow(t, m, named(ratelimit.Validate, 5)).Remaining, "in other buckets, too")
	assert.Equal(t, 29, allow(t, m, named(ratelimit.Validate, 32)).Remaining, "where the 33rd is in the pool, too")
	assert.Equal(t, 28, allow(t, m, key(ratelimit.Validate, "192.0.2.1", "")).Remaining)
	assert.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "192.0.2.2", "name33")).Remaining, "other addresses have their own names")

	// A name goes when nothing of it is left in any bucket.
	clock.advance(60 * time.Second)
	allow(t, m, named(ratelimit.Icons, 7))
	assert.Equal(t, 11, allow(t, m, named(ratelimit.Resolve, 40)).Remaining, "still in the pool")
	clock.advance(time.Second)
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 40)).Remaining)
	for i := 41; i < 71; i++ {
		require.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, i)).Remaining)
	}
	// Name 7 is in use in another bucket: 1 + 31 names.
	assert.Equal(t, 13, allow(t, m, named(ratelimit.Resolve, 71)).Remaining, "one in the pool, from a second ago, and this")
	assert.Equal(t, 14, allow(t, m, named(ratelimit.Resolve, 7)).Remaining)
}

// TestNeighbours has clients that lie side by side in memory use all their
// names: they don't count one another's.
func TestNeighbours(t *testing.T) {
	m, _ := newMemory(t, ratelimit.Options{})
	for i := range 32 { // the first 64 bits are the same
		require.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "192.0.2.1", fmt.Sprint(i))).Remaining)
		require.Equal(t, 14, allow(t, m, key(ratelimit.Resolve, "::c000:201:0:0:0:1", fmt.Sprint(-i))).Remaining)
	}
	for range 10 { // by chance, but nearly always
		m, _ := newMemory(t, ratelimit.Options{MaxKeys: 2000})
		for n := range 32 {
			for c := range 60 {
				require.Equal(t, 14, allow(t, m, ratelimit.NewKey(ratelimit.Resolve, client(c), fmt.Sprint(c, "-", n))).Remaining)
			}
		}
	}
}

// TestRotatingNames makes up names as fast as it can, in three ways, and gets
// past a bucket 33 times as often as one key, in any 60 seconds. So does a
// greedy one that makes the most of it, which shows that the bound is tight.
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
			for s := range 200 {
				passed := 0
				for i := range 200 {
					if allow(t, m, key(ratelimit.Resolve, "192.0.2.1", next(200*s+i))).Allowed {
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

// TestOneAddressTakesLittle lets an address use every name in every bucket.
func TestOneAddressTakesLittle(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: 1000})
	for i := range 800 {
		require.True(t, allow(t, m, ratelimit.NewKey(ratelimit.Read, client(i), "")).Allowed)
	}
	for i := range 50_000 {
		allow(t, m, key(ratelimit.Bucket(i/7%4), "192.0.2.1", fmt.Sprint(i%1000)))
		if i%100 == 0 {
			clock.advance(100 * time.Millisecond) // 50 seconds in all
		}
	}
	st := m.Stats()
	assert.Equal(t, 800+33*4, st.Keys)
	assert.Zero(t, st.Evicted)
	for i := range 800 {
		require.Equal(t, 298, allow(t, m, ratelimit.NewKey(ratelimit.Read, client(i), "")).Remaining, "nobody was forgotten")
	}
}
