package ratelimit_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestConcurrent uses the same few keys from many goroutines: exactly as many
// requests pass as if they came one after the other.
func TestConcurrent(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{})
	keys := []ratelimit.Key{
		key(ratelimit.Read, "192.0.2.1", ""), key(ratelimit.Read, "192.0.2.1", "name"),
		key(ratelimit.Validate, "192.0.2.1", "name"), key(ratelimit.Icons, "2001:db8::1", ""),
	}
	limits := []int64{300, 300, 30, 1200}
	passed := make([]atomic.Int64, len(keys))
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 4000 {
				k := (g + i) % len(keys)
				d, err := m.Allow(t.Context(), keys[k])
				if assert.NoError(t, err) && d.Allowed {
					passed[k].Add(1)
				}
				if i%100 == 0 {
					clock.advance(60 * time.Second / 320) // 60 seconds in all
					m.Stats()
				}
			}
		})
	}
	group.Wait()
	for k, want := range limits {
		assert.Equal(t, want, passed[k].Load(), keys[k])
	}
}

// TestConcurrentCrowd grows, evicts and expires under load.
func TestConcurrentCrowd(t *testing.T) {
	m, clock := newMemory(t, ratelimit.Options{MaxKeys: 4096})
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 8000 {
				k := ratelimit.NewKey(ratelimit.Bucket(i%4), client((i*7+g)%3000), fmt.Sprint(i%50))
				if _, err := m.Allow(t.Context(), k); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					clock.advance(20 * time.Millisecond)
				}
			}
		})
	}
	group.Wait()
	st := m.Stats()
	total := uint64(0)
	for b := range st.Allowed {
		total += st.Allowed[b] + st.Refused[b]
	}
	require.Equal(t, uint64(64_000), total)
	assert.LessOrEqual(t, st.Keys, 4096)
}
