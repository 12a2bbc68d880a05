// Package concurrent helps goroutines to share work and its results ([Cache]), to keep a
// value for each session ([Slots]), to hear of changes, to end at a deadline, to keep limits,
// to measure the CPU time that they use, and to know the request on whose behalf they work
// ([Trace]).
package concurrent

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"
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

// InOrder calls do with every i from 0 to n-1, at most workers of them at a time, and
// emit with each i and its result, in order and one after the other. Few results wait for
// their turn. It returns the first error of emit; after that, or when ctx ends, it starts
// no further call.
func InOrder[T any](ctx context.Context, workers, n int, do func(i int) T, emit func(i int, result T) error) error {
	const ahead = 4 // results that may wait for each worker
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

// Hub notifies any number of listeners of changes. Its zero value is empty. It is safe for concurrent
// use.
type Hub struct {
	mu        sync.Mutex
	listeners map[chan struct{}]struct{}
}

// Listen returns a channel that receives after each [Hub.Tell], perhaps once for
// several of them. When ctx ends the channel is closed.
func (h *Hub) Listen(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = make(map[chan struct{}]struct{})
	}
	h.listeners[c] = struct{}{}
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners, c)
		close(c)
	})
	return c
}

// Tell notifies all listeners. It never blocks.
func (h *Hub) Tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.listeners {
		select {
		case c <- struct{}{}:
		default: // one is pending already
		}
	}
}

// Limit returns a limit of the options of a server: 0 is the default, and a negative one
// is no limit.
func Limit[T int | int64 | time.Duration](of, standard, none T) T {
	if of < 0 {
		return none
	}
	return cmp.Or(of, standard)
}
