package parallel_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/parallel"
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
