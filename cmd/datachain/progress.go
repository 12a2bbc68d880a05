package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/parallel"
)

// When the progress line appears, and how often it is redrawn.
const (
	progressAfter = 300 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress shows on a terminal how far some work is, on a line that is removed in
// the end. Short work shows nothing.
type progress struct {
	w    io.Writer
	what string
	now  func() time.Time

	mu    sync.Mutex
	next  time.Time // when to draw
	drawn bool
}

// progress begins to show how far some work is. It returns nil, which shows
// nothing, if standard error is not a terminal.
func (p *program) progress(what string) *progress {
	if !p.stderrTerminal {
		return nil
	}
	return &progress{w: p.stderr, what: what, now: p.now, next: p.now().Add(progressAfter)}
}

// each calls do for each of n parts of some work at once, and shows how far it is. It returns when
// ctx ends: a part may be standard input, which may never end.
func (p *program) each(ctx context.Context, what string, n int, do func(i int) error) error {
	bar := p.progress(what)
	defer bar.end()
	var done atomic.Int64
	_, err := await(ctx, func() (any, error) {
		return nil, parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, i int) error {
			defer func() { bar.update(int(done.Add(1)), n) }()
			return do(i)
		})
	})
	return err
}

// update says how much of the work is done.
func (p *progress) update(done, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.drawn, p.next = true, now.Add(progressEvery)
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d", p.what, done, total)
}

// end removes the line.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.next = p.next.AddDate(1, 0, 0) // work that was abandoned may still report
}
