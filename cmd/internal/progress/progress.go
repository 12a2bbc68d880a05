// Package progress shows on a terminal how far some work is.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// When the line appears, and how often it is redrawn.
const (
	after = 300 * time.Millisecond
	every = 100 * time.Millisecond
)

// Bar shows how far some work is, on a line that is removed in the end. Short work shows nothing,
// and nor does nil.
type Bar struct {
	w    io.Writer
	what string
	now  func() time.Time

	mu    sync.Mutex
	next  time.Time // when to draw
	drawn bool
}

// Start begins to show how far some work is.
func Start(w io.Writer, what string, now func() time.Time) *Bar {
	return &Bar{w: w, what: what, now: now, next: now().Add(after)}
}

// Update says how much of the work is done.
func (b *Bar) Update(done, total int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if now.Before(b.next) {
		return
	}
	b.drawn, b.next = true, now.Add(every)
	_, _ = fmt.Fprintf(b.w, "\r\x1b[K%s: %d of %d", b.what, done, total)
}

// End removes the line.
func (b *Bar) End() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn {
		_, _ = fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.next = b.next.AddDate(1, 0, 0) // work that was abandoned may still report
}
