package ratelimit_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// bytesPerKey is the documented maximum.
const bytesPerKey = 800

func heap() int64 {
	runtime.GC()
	var st runtime.MemStats
	runtime.ReadMemStats(&st)
	return int64(st.HeapAlloc)
}

// TestManyKeys sends more clients within a minute than there is room for.
func TestManyKeys(t *testing.T) {
	before := heap()
	const bound = 1 << 14
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: bound})
	for i := range 100_000 {
		allow(t, m, ratelimit.NewKey(ratelimit.Icons, client(i), ""))
		if i%2_000 == 0 {
			clock.advance(time.Second)
		}
	}
	grown := heap() - before
	st := m.Stats()
	t.Logf("%d keys, heap grown by %d bytes, %d counted", st.Keys, grown, st.Bytes)
	assert.Equal(t, bound, st.Keys)
	assert.Equal(t, uint64(100_000), st.Allowed[ratelimit.Icons])
	assert.Equal(t, uint64(100_000-bound), st.Evicted)
	assert.Less(t, st.Bytes, int64(300*bound), "a key with one request takes little memory")
	assert.InDelta(t, st.Bytes, grown, 1<<19, "Stats.Bytes is what is used")
}

// TestWorstCase gives every key a full window, then does the same with other keys,
// which evict them or follow after they have expired.
func TestWorstCase(t *testing.T) {
	for _, bound := range []int{1, 3, 1000, 2500} {
		m, clock := newMemory(t, ratelimit.Options{MaxKeys: bound})
		for s := range 180 {
			for i := range bound {
				allow(t, m, ratelimit.NewKey(ratelimit.Icons, client(s/60*bound+i), ""))
			}
			clock.advance(time.Second)
			if s == 119 {
				clock.advance(time.Minute)
			}
		}
		st := m.Stats()
		t.Logf("%d keys, %d bytes", st.Keys, st.Bytes)
		assert.LessOrEqual(t, st.Keys, bound)
		assert.Greater(t, st.Bytes, int64(600*bound), "else this is not the worst case")
		assert.Less(t, st.Bytes, int64(bytesPerKey*bound))
	}
}

// TestEviction shows that the least recently seen key is evicted, whether its
// requests passed or not.
func TestEviction(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: 3, Limits: ratelimit.Limits{Resolve: 2}})
	of := func(i int) ratelimit.Key { return ratelimit.NewKey(ratelimit.Resolve, client(i), "") }
	see := func(i int, allowed bool, remaining int) {
		t.Helper()
		d := allow(t, m, of(i))
		require.Equal(t, allowed, d.Allowed)
		require.Equal(t, remaining, d.Remaining)
		clock.advance(time.Second)
	}
	see(1, true, 1)
	see(1, true, 0)
	see(2, true, 1)
	see(3, true, 1)
	see(1, false, 0) // refused, but seen
	see(4, true, 1)  // evicts 2
	require.Equal(t, uint64(1), m.Stats().Evicted)
	see(1, false, 0)
	see(3, true, 0)
	see(2, true, 1) // starts again, evicts 4
	see(1, false, 0)
	see(4, true, 1) // evicts 3
	see(3, true, 1) // evicts 2
	see(1, false, 0)
	st := m.Stats()
	assert.Equal(t, 3, st.Keys)
	assert.Equal(t, uint64(4), st.Evicted)

	clock.advance(time.Minute)
	see(5, true, 1)
	see(6, true, 1)
	assert.Equal(t, uint64(4), m.Stats().Evicted, "expired keys are not counted as evicted")
}
