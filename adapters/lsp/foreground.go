package lsp

import (
	"context"
	"sync"
	"time"
)

// foreground counts the work that a user waits for. Other work waits until there is
// none.
type foreground struct {
	mu    sync.Mutex
	count int
	quiet chan struct{} // closed when there is none; nil if nothing waits
}

func (f *foreground) enter() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
}

func (f *foreground) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count--; f.count == 0 && f.quiet != nil {
		close(f.quiet)
		f.quiet = nil
	}
}

// wait waits until there is no work, or ctx ends.
func (f *foreground) wait(ctx context.Context) {
	for ctx.Err() == nil {
		f.mu.Lock()
		if f.count == 0 {
			f.mu.Unlock()
			return
		}
		if f.quiet == nil {
			f.quiet = make(chan struct{})
		}
		quiet := f.quiet
		f.mu.Unlock()
		select {
		case <-quiet:
		case <-ctx.Done():
		}
	}
}

// waitFor is wait with a limit, for work that a request may be waiting for.
func (f *foreground) waitFor(ctx context.Context, most time.Duration) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	f.wait(limited)
}
