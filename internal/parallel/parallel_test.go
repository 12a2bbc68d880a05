package parallel_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/stretchr/testify/require"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 3, 1000} {
		done := make([]atomic.Int32, n)
		var busy [4]atomic.Int32
		require.NoError(t, parallel.Each(t.Context(), len(busy), n, func(worker, i int) error {
			if busy[worker].Add(1) != 1 {
				return errors.New("two calls share a worker number")
			}
			done[i].Add(1)
			busy[worker].Add(-1)
			return nil
		}))
		for i := range done {
			require.EqualValues(t, 1, done[i].Load(), "%d of %d", i, n)
		}
	}
}

func TestEachStops(t *testing.T) {
	broken := errors.New("broken")
	var calls atomic.Int32
	err := parallel.Each(t.Context(), 2, 1000, func(_, i int) error {
		calls.Add(1)
		if i == 5 {
			return broken
		}
		return nil
	})
	require.ErrorIs(t, err, broken)

	ctx, cancel := context.WithCancel(t.Context())
	calls.Store(0)
	err = parallel.Each(ctx, 1, 1000, func(_, i int) error {
		calls.Add(1)
		if i == 5 {
			cancel()
		}
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 6, calls.Load())
}

func TestInOrder(t *testing.T) {
	const n, workers = 1000, 4
	var started atomic.Int32
	release := make(chan struct{})
	var got []int
	err := parallel.InOrder(t.Context(), workers, n, func(i int) int {
		if started.Add(1) == 4*workers {
			close(release) // the others may only run so far ahead of the first one
		}
		if i == 0 {
			<-release
			require.LessOrEqual(t, int(started.Load()), 4*workers)
		}
		return i * i
	}, func(i, square int) error {
		require.Equal(t, i*i, square)
		got = append(got, i)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, got, n)
	require.IsIncreasing(t, got)
}

func TestInOrderStops(t *testing.T) {
	broken := errors.New("broken")
	emitted := 0
	err := parallel.InOrder(t.Context(), 4, 1000, func(i int) int { return i }, func(i, _ int) error {
		emitted++
		if i == 5 {
			return broken
		}
		return nil
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, 6, emitted)

	ctx, cancel := context.WithCancel(t.Context())
	err = parallel.InOrder(ctx, 4, 1000, func(i int) int {
		if i == 0 {
			cancel() // while the others wait for their turn
			<-ctx.Done()
		}
		return i
	}, func(int, int) error { return nil })
	require.ErrorIs(t, err, context.Canceled)
}

func TestMemo(t *testing.T) {
	var m parallel.Memo[int, int]
	var calls atomic.Int32
	broken := errors.New("broken")
	require.NoError(t, parallel.Each(t.Context(), 4, 400, func(_, i int) error {
		v, err := m.Get(i%4, func() (int, error) {
			calls.Add(1)
			if i%4 == 3 {
				return 0, broken
			}
			return i % 4, nil
		})
		if i%4 == 3 {
			require.ErrorIs(t, err, broken)
			return nil
		}
		require.Equal(t, i%4, v)
		return err
	}))
	require.EqualValues(t, 4, calls.Load())
}
