package lru_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/datachain-go/datachain/internal/lru"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// get asks for a key whose value is twice the key, at a cost of 1.
func get(t *testing.T, c *lru.Cache[int, int], key int) (made bool) {
	t.Helper()
	v, err := c.Do(t.Context(), key, func() (int, int64, error) {
		made = true
		return 2 * key, 1, nil
	})
	require.NoError(t, err)
	require.Equal(t, 2*key, v)
	return made
}

func TestBound(t *testing.T) {
	c := lru.New[int, int](3)
	for key := range 3 {
		assert.True(t, get(t, c, key))
	}
	assert.False(t, get(t, c, 0), "cached, and now the most recently used")
	assert.True(t, get(t, c, 3))
	assert.EqualValues(t, 3, c.Cost())
	_, ok := c.Get(1)
	assert.False(t, ok, "the least recently used")
	_, ok = c.Get(0)
	assert.True(t, ok)
	c.Delete(0)
	c.Delete(0)
	assert.EqualValues(t, 2, c.Cost())
	assert.True(t, get(t, c, 0))
	c.Clear()
	assert.Zero(t, c.Cost())
	assert.True(t, get(t, c, 0))
}

func TestTooCostlyIsNotKept(t *testing.T) {
	c := lru.New[int, int](10)
	get(t, c, 1)
	_, err := c.Do(t.Context(), 2, func() (int, int64, error) { return 4, 6, nil })
	require.NoError(t, err)
	_, ok := c.Get(2)
	assert.False(t, ok)
	_, ok = c.Get(1)
	assert.True(t, ok, "and evicts nothing")
}

func TestErrorsAreNotKept(t *testing.T) {
	c := lru.New[int, int](10)
	failed := errors.New("failed")
	_, err := c.Do(t.Context(), 1, func() (int, int64, error) { return 0, 0, failed })
	require.ErrorIs(t, err, failed)
	assert.True(t, get(t, c, 1))
}

func TestMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := lru.New[string, int](10)
		release := make(chan struct{})
		var made atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				v, err := c.Do(t.Context(), "key", func() (int, int64, error) {
					<-release
					return int(made.Add(1)), 1, nil
				})
				if err != nil || v != 1 {
					t.Errorf("%d, %v", v, err)
				}
			})
		}
		synctest.Wait()
		// Who can't wait need not.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Do(ctx, "key", nil)
		require.ErrorIs(t, err, context.Canceled)
		close(release)
		wg.Wait()
		assert.EqualValues(t, 1, made.Load())
	})
}

// TestTakenOver shows that a caller goes on if the one that it waits for gives up, and fails
// like the other one otherwise.
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := lru.New[int, int](10)
		broken := errors.New("broken")
		for _, failed := range []error{context.Canceled, fmt.Errorf("too late: %w", context.DeadlineExceeded), broken} {
			release := make(chan struct{})
			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := c.Do(t.Context(), 1, func() (int, int64, error) { <-release; return 0, 0, failed })
				assert.ErrorIs(t, err, failed)
			})
			synctest.Wait()
			for range 3 {
				wg.Go(func() {
					v, err := c.Do(t.Context(), 1, func() (int, int64, error) { return 7, 1, nil })
					if !errors.Is(err, broken) {
						assert.Equal(t, 7, v, err)
					}
					assert.Equal(t, errors.Is(failed, broken), err != nil, err)
				})
			}
			synctest.Wait()
			close(release)
			wg.Wait()
			c.Delete(1)
		}
	})
}

func TestPanicEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := lru.New[int, int](10)
		release := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { assert.NotNil(t, recover()) }()
			_, _ = c.Do(t.Context(), 1, func() (int, int64, error) { <-release; panic("made wrongly") })
		})
		synctest.Wait()
		wg.Go(func() {
			_, err := c.Do(t.Context(), 1, nil)
			assert.Error(t, err)
		})
		synctest.Wait()
		close(release)
		wg.Wait()
		assert.True(t, get(t, c, 1), "and the next caller tries again")
	})
}

func TestConcurrent(t *testing.T) {
	c := lru.New[int, int](64)
	var wg sync.WaitGroup
	for seed := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			for range 2000 {
				key := r.IntN(200)
				v, err := c.Do(t.Context(), key, func() (int, int64, error) { return 2 * key, 1 + int64(key%3), nil })
				if err != nil || v != 2*key {
					t.Errorf("%d: %d, %v", key, v, err)
				}
				if r.IntN(10) == 0 {
					c.Delete(key)
				}
			}
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, c.Cost(), int64(64))
}

func BenchmarkGet(b *testing.B) {
	c := lru.New[string, int](1000)
	_, err := c.Do(b.Context(), "a key of some length", func() (int, int64, error) { return 1, 1, nil })
	require.NoError(b, err)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.Get("a key of some length")
		}
	})
}
