// Package parallel spreads work over goroutines.
package parallel

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// Each calls do with every i from 0 to n-1, at most workers of them at a time,
// and returns the first error. After an error, or when ctx ends, it starts no
// further call. The worker number, below workers, lets do reuse a buffer.
func Each(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range min(workers, n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(worker, i); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// InOrder calls do with every i from 0 to n-1, at most workers of them at a time, and emit with
// each i and its result, in order and one at a time. It keeps only a few results that wait to be
// emitted. It returns the first error of emit; after that, or when ctx ends, it starts no
// further call.
func InOrder[T any](ctx context.Context, workers, n int, do func(i int) T, emit func(i int, result T) error) error {
	const ahead = 4 // how many results per worker may wait
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	next, waiting := 0, make(map[int]T)
	var failed error
	defer context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		turn.Broadcast()
	})()
	wait := func(i int) error {
		mu.Lock()
		defer mu.Unlock()
		for i >= next+ahead*workers && failed == nil && ctx.Err() == nil {
			turn.Wait()
		}
		return cmp.Or(failed, ctx.Err())
	}
	return Each(ctx, workers, n, func(_, i int) error {
		if err := wait(i); err != nil {
			return err
		}
		result := do(i)
		mu.Lock()
		defer mu.Unlock()
		waiting[i] = result
		for failed == nil {
			result, ok := waiting[next]
			if !ok {
				break
			}
			delete(waiting, next)
			failed = emit(next, result)
			next++
		}
		turn.Broadcast()
		return failed
	})
}
