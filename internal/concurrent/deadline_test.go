package concurrent_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/concurrent"
)

type key struct{}

// alike runs a test with a context of this package and with one of package
// context, which must behave the same.
func alike(t *testing.T, test func(t *testing.T, open func(context.Context, time.Time) (context.Context, func()))) {
	t.Helper()
	for name, open := range map[string]func(context.Context, time.Time) (context.Context, func()){
		"ours": func(parent context.Context, end time.Time) (context.Context, func()) {
			c := concurrent.WithDeadline(parent, end)
			return c, c.Stop
		},
		"standard": func(parent context.Context, end time.Time) (context.Context, func()) {
			return context.WithDeadline(parent, end)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, open) })
		})
	}
}

func TestEnd(t *testing.T) {
	alike(t, func(t *testing.T, open func(context.Context, time.Time) (context.Context, func())) {
		end := time.Now().Add(time.Second)
		waited, stop := open(t.Context(), end)
		defer stop()
		asked, stop := open(t.Context(), end)
		defer stop()
		got, ok := asked.Deadline()
		require.True(t, ok)
		require.Equal(t, end, got)
		require.NoError(t, asked.Err())
		<-waited.Done()
		require.Equal(t, end, time.Now())
		synctest.Wait()
		for range 2 {
			require.Equal(t, context.DeadlineExceeded, waited.Err())
			require.Equal(t, context.DeadlineExceeded, asked.Err(), "even if no goroutine waits")
			stop()
		}
		<-asked.Done()
	})
}

func TestStop(t *testing.T) {
	alike(t, func(t *testing.T, open func(context.Context, time.Time) (context.Context, func())) {
		for _, waits := range []bool{false, true} {
			c, stop := open(t.Context(), time.Now().Add(time.Second))
			if waits {
				require.NotNil(t, c.Done())
			}
			stop()
			require.Equal(t, context.Canceled, c.Err())
			<-c.Done()
			time.Sleep(2 * time.Second)
			require.Equal(t, context.Canceled, c.Err(), "it stays what it was")
		}
	})
}

func TestParent(t *testing.T) {
	alike(t, func(t *testing.T, open func(context.Context, time.Time) (context.Context, func())) {
		parent, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
		waited, stop := open(parent, time.Now().Add(time.Second))
		defer stop()
		asked, stop := open(parent, time.Now().Add(time.Second))
		defer stop()
		done := waited.Done()
		require.Equal(t, "value", waited.Value(key{}))
		require.Equal(t, "value", asked.Value(key{}))
		cancel()
		<-done
		require.Equal(t, context.Canceled, waited.Err())
		require.Equal(t, context.Canceled, asked.Err())
		time.Sleep(2 * time.Second)
		require.Equal(t, context.Canceled, asked.Err(), "it stays what it was")
	})
}

func TestChild(t *testing.T) {
	alike(t, func(t *testing.T, open func(context.Context, time.Time) (context.Context, func())) {
		c, stop := open(t.Context(), time.Now().Add(time.Second))
		child, cancel := context.WithCancel(c)
		defer cancel()
		late, cancel := context.WithTimeout(c, time.Hour)
		defer cancel()
		require.NoError(t, child.Err())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, context.DeadlineExceeded, child.Err())
		require.Equal(t, context.DeadlineExceeded, late.Err())
		require.Equal(t, context.DeadlineExceeded, context.Cause(late))
		stop()
	})
}

// TestEarlierParent keeps to the end of the context that it was made of.
func TestEarlierParent(t *testing.T) {
	alike(t, func(t *testing.T, open func(context.Context, time.Time) (context.Context, func())) {
		parent, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c, stop := open(parent, time.Now().Add(time.Hour))
		defer stop()
		got, _ := c.Deadline()
		require.Equal(t, time.Now().Add(time.Second), got)
		<-c.Done()
		require.Equal(t, context.DeadlineExceeded, c.Err())
	})
}

func TestHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		begun := time.Now()
		half := concurrent.HalfDeadline(parent)
		defer half.Stop()
		quarter := concurrent.HalfDeadline(half)
		<-quarter.Done()
		assert.Equal(t, time.Second, time.Since(begun))
		<-half.Done()
		assert.Equal(t, 2*time.Second, time.Since(begun))
		require.NoError(t, parent.Err())

		late := concurrent.WithDeadline(half, time.Now().Add(time.Hour))
		require.Equal(t, context.DeadlineExceeded, late.Err(), "like the one that it was made of")
		late = concurrent.WithDeadline(concurrent.WithDeadline(parent, time.Now().Add(time.Hour)), time.Now().Add(time.Hour))
		require.NoError(t, late.Err())
		cancel()
		require.Equal(t, context.Canceled, late.Err())
		require.Nil(t, concurrent.HalfDeadline(context.Background()))
	})
}

// BenchmarkDeadline is what a request does that is answered from memory: it opens a
// context, gives half of the time to the store, and looks at both.
func BenchmarkDeadline(b *testing.B) {
	ctx := b.Context()
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := concurrent.WithDeadline(ctx, time.Now().Add(time.Second))
			half := concurrent.HalfDeadline(c)
			_, _ = half.Err(), c.Err()
			half.Stop()
			c.Stop()
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c, stop := context.WithDeadline(ctx, time.Now().Add(time.Second))
			half, stopHalf := context.WithTimeout(c, time.Second/2)
			_, _ = half.Err(), c.Err()
			stopHalf()
			stop()
		}
	})
}

func TestCountsWork(t *testing.T) {
	clock := concurrent.StartClock()
	defer clock.Stop()
	before := clock.Used()
	for n, begun := uint64(1), time.Now(); time.Since(begun) < 20*time.Millisecond; n++ {
		if n*n == 3 {
			t.Fatal("no square is 3")
		}
	}
	assert.Greater(t, clock.Used(), before)
	assert.True(t, clock.Exceeds(before))
	assert.False(t, clock.Exceeds(time.Hour))
}

func TestSkip(t *testing.T) {
	clock := concurrent.StartClock()
	defer clock.Stop()
	other := concurrent.StartClock()
	defer other.Stop()
	clock.Skip(func() {
		for other.Used() < 20*time.Millisecond {
			continue
		}
	})
	assert.Less(t, clock.Used(), other.Used()-15*time.Millisecond)
}

func TestDoesNotCountWaiting(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("this system has only the wall clock")
		return
	}
	clock, start := concurrent.StartClock(), time.Now()
	defer clock.Stop()
	time.Sleep(50 * time.Millisecond)
	assert.Less(t, clock.Used(), time.Since(start)/2)
	assert.False(t, clock.Exceeds(25*time.Millisecond), "although more time has passed")
}
