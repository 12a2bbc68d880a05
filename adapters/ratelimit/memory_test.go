package ratelimit_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestLimits compares the defaults with the contract: N requests pass, the next is
// refused, and other buckets, clients and names are not affected.
func TestLimits(t *testing.T) {
	for bucket, limit := range map[ratelimit.Bucket]int{
		ratelimit.Icons: 1200, ratelimit.Read: 300, ratelimit.Validate: 30, ratelimit.Resolve: 15, ratelimit.Pages: 1200, ratelimit.Forms: 120,
	} {
		t.Run(bucket.String(), func(t *testing.T) {
			m, err := ratelimit.NewMemory(nil)
			require.NoError(t, err)
			k := key(bucket, "192.0.2.1", "")
			for i := range limit {
				d := allow(t, m, k)
				require.True(t, d.Allowed, "request %d", i+1)
				require.Equal(t, limit-i-1, d.Remaining)
				require.Zero(t, d.RetryAfter)
			}
			d := allow(t, m, k)
			assert.False(t, d.Allowed)
			assert.Equal(t, limit, d.Limit)
			assert.Zero(t, d.Remaining)
			assert.Equal(t, time.Minute, d.Window)
			assert.GreaterOrEqual(t, d.RetryAfter, time.Second)

			assert.True(t, allow(t, m, key(bucket, "192.0.2.2", "")).Allowed)
			assert.True(t, allow(t, m, key(bucket, "192.0.2.1", "dashboard")).Allowed)
			for _, other := range ratelimit.Buckets() {
				assert.Equal(t, other != bucket, allow(t, m, key(other, "192.0.2.1", "")).Allowed, other)
			}
		})
	}
}

// TestSlots checks the edges of the window: a request counts in its second and in
// the sixty that follow.
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		first, then time.Duration // since the limiter was made
		want        time.Duration // RetryAfter; 0 if it passes
	}{
		{0, 0, 61 * time.Second},
		{0, 999 * time.Millisecond, 61 * time.Second},
		{0, 1 * time.Second, 60 * time.Second},
		{0, 59 * time.Second, 2 * time.Second},
		{0, 60 * time.Second, 1 * time.Second},
		{0, 61*time.Second - 1, 1 * time.Second},
		{0, 61 * time.Second, 0},
		{999 * time.Millisecond, 60*time.Second + 999*time.Millisecond, 1 * time.Second},
		{999 * time.Millisecond, 61 * time.Second, 0},
		{7*time.Second - 1, 66 * time.Second, 1 * time.Second},
		{7*time.Second - 1, 67 * time.Second, 0},
		{7 * time.Second, 67 * time.Second, 1 * time.Second},
		{7 * time.Second, time.Hour, 0},
	} {
		t.Run(c.first.String()+" and "+c.then.String(), func(t *testing.T) {
			m, clock := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Resolve: 1}})
			k := key(ratelimit.Resolve, "192.0.2.1", "")
			clock.advance(c.first)
			require.True(t, allow(t, m, k).Allowed)
			clock.advance(c.then - c.first)
			d := allow(t, m, k)
			assert.Equal(t, c.want == 0, d.Allowed)
			assert.Equal(t, c.want, d.RetryAfter)
			if !d.Allowed {
				clock.advance(d.RetryAfter)
				assert.True(t, allow(t, m, k).Allowed, "waiting as long as RetryAfter says is enough")
			}
		})
	}
}

// TestSpread uses all slots of a window.
func TestSpread(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Read: 61}})
	k := key(ratelimit.Read, "192.0.2.1", "")
	for i := range 61 { // one each second
		d := allow(t, m, k)
		require.True(t, d.Allowed, i)
		require.Equal(t, time.Duration(61-i)*time.Second, d.Reset)
		clock.advance(time.Second)
	}
	for range 200 { // each second, one request expires
		require.Equal(t, 1, passes(t, m, k, 2))
		clock.advance(time.Second)
	}
	clock.advance(30 * time.Second) // after one second before
	require.Equal(t, 31, passes(t, m, k, 100))
	clock.advance(time.Minute)
	assert.Equal(t, 61-31-1, allow(t, m, k).Remaining, "the 31 still count after 60 seconds")
	clock.advance(time.Second)
	assert.Equal(t, 60, passes(t, m, k, 100), "all but the one a second ago")
}

// TestRefusedIsNotCounted shows that a client that keeps trying gets in as soon as
// one that waits.
func TestRefusedIsNotCounted(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	loud, quiet := key(ratelimit.Resolve, "192.0.2.1", ""), key(ratelimit.Resolve, "192.0.2.2", "")
	require.Equal(t, 15, passes(t, m, loud, 15))
	require.Equal(t, 15, passes(t, m, quiet, 15))
	for s := range 61 {
		d := allow(t, m, loud)
		require.False(t, d.Allowed)
		require.Equal(t, time.Duration(61-s)*time.Second, d.RetryAfter)
		require.Zero(t, passes(t, m, loud, 100))
		clock.advance(time.Second)
	}
	assert.Equal(t, allow(t, m, quiet), allow(t, m, loud))
	assert.Equal(t, 14, passes(t, m, loud, 100))
}

func TestOff(t *testing.T) {
	m, _ := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Icons: -1}})
	d := ratelimit.Decision{}
	for range 5000 {
		d = allow(t, m, key(ratelimit.Icons, "192.0.2.1", "name"))
		require.True(t, d.Allowed)
	}
	assert.Equal(t, ratelimit.Decision{Allowed: true, Bucket: ratelimit.Icons}, d)
	st := m.Stats()
	assert.Zero(t, st.Keys, "a bucket without a limit takes no memory")
	assert.Equal(t, uint64(5000), st.Allowed[ratelimit.Icons])
	assert.Equal(t, 300, passes(t, m, key(ratelimit.Read, "192.0.2.1", "name"), 400), "other buckets keep their limits")
}

// TestClients shows which addresses share a count.
func TestClients(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"fe80::1%eth0", "fe80::1", true},
		{"fe80::1%eth0", "fe80::2%eth1", true},
		{"192.0.2.1", "::c000:201:0:0:0:1", false}, // the same 64 bits
		{"0.0.0.0", "::", false},
	} {
		t.Run(c.a+" and "+c.b, func(t *testing.T) {
			a, b := netip.MustParseAddr(c.a), netip.MustParseAddr(c.b)
			ka, kb := ratelimit.NewKey(ratelimit.Read, a, ""), ratelimit.NewKey(ratelimit.Read, b, "")
			assert.Equal(t, c.same, ka == kb, "for any limiter: %v, %v", ka, kb)
			for _, keys := range [][2]ratelimit.Key{{ka, kb}, {{Client: a}, {Client: b}}} {
				m, _ := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Read: 1}})
				require.True(t, allow(t, m, keys[0]).Allowed)
				assert.Equal(t, !c.same, allow(t, m, keys[1]).Allowed)
			}
		})
	}
	t.Run("unknown", func(t *testing.T) {
		m, _ := newMemory(t, ratelimit.Options{})
		k := ratelimit.NewKey(ratelimit.Resolve, netip.Addr{}, "")
		assert.Equal(t, 15, passes(t, m, k, 20))
		assert.True(t, allow(t, m, key(ratelimit.Resolve, "0.0.0.0", "")).Allowed)
	})
}

func TestStats(t *testing.T) {
	m, _ := newMemory(t, ratelimit.Options{})
	passes(t, m, key(ratelimit.Resolve, "192.0.2.1", ""), 20)
	passes(t, m, key(ratelimit.Resolve, "192.0.2.2", "name"), 16)
	passes(t, m, key(ratelimit.Read, "192.0.2.2", ""), 3)
	st := m.Stats()
	assert.Equal(t, []uint64{ratelimit.Read: 3, ratelimit.Resolve: 30, ratelimit.Forms: 0}, st.Allowed)
	assert.Equal(t, []uint64{ratelimit.Resolve: 6, ratelimit.Forms: 0}, st.Refused)
	assert.Equal(t, 3, st.Keys)
	assert.Zero(t, st.Evicted)
	assert.Positive(t, st.Bytes)
}

// TestExpiry shows that expired keys are removed as others come, before the bound
// is reached.
func TestExpiry(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: 2000})
	for i := range 1500 {
		allow(t, m, ratelimit.NewKey(ratelimit.Read, client(i), ""))
	}
	assert.Equal(t, 1500, m.Stats().Keys)
	clock.advance(61 * time.Second)
	for i := range 750 {
		allow(t, m, ratelimit.NewKey(ratelimit.Read, client(2000+i%100), ""))
	}
	assert.Equal(t, 100, m.Stats().Keys)
	assert.Zero(t, m.Stats().Evicted)
}

func TestErrors(t *testing.T) {
	_, err := ratelimit.NewMemory(&ratelimit.Options{MaxKeys: -1})
	require.NoError(t, err, "no limit")
	for want, o := range map[string]ratelimit.Options{
		"MaxKeys is 1073741824: it must be at most 67108864":  {MaxKeys: 1 << 30},
		"the limit of read is 65536: it must be from 1":       {Limits: ratelimit.Limits{Read: 65536}},
		"the limit of resolve is 65537: it must be from 1 to": {Limits: ratelimit.Limits{Resolve: 65537}},
	} {
		_, err := ratelimit.NewMemory(&o)
		require.ErrorContains(t, err, want)
	}
	m, _ := newMemory(t, ratelimit.Options{})
	_, err = m.Allow(t.Context(), ratelimit.Key{Bucket: 6})
	require.ErrorContains(t, err, "unknown bucket 6: use one of [read icons validate resolve pages forms]")
	_, err = new(ratelimit.Memory).Allow(t.Context(), ratelimit.Key{})
	require.ErrorContains(t, err, "use NewMemory")
	assert.Zero(t, new(ratelimit.Memory).Stats().Keys)
	assert.Equal(t, "unknown", ratelimit.Bucket(6).String())
	assert.Equal(t, "free", ratelimit.Free.String())
}

func TestLargestLimit(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{Limits: ratelimit.Limits{Read: 65535}})
	k := key(ratelimit.Read, "192.0.2.1", "")
	assert.Equal(t, 65535, passes(t, m, k, 70_000))
	clock.advance(61 * time.Second)
	for range 61 {
		allow(t, m, k)
		clock.advance(time.Second)
	}
	assert.Equal(t, 65535-60, passes(t, m, k, 70_000))
}
