// Package parallel runs independent pieces of work on several goroutines.
package parallel

import (
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
