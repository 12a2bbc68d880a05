// Package deadline makes contexts that end at a time, and cost next to nothing
// where nobody waits for that.
package deadline

import (
	"context"
	"sync"
	"time"
)

// Context ends at a time, like one of [context.WithDeadline], but its timer is
// made when somebody first waits for the end: what has its answer at hand never
// does. Make one with [New].
type Context struct {
	context.Context
	end time.Time

	mu      sync.Mutex
	stopped bool
	timed   context.Context // nil until somebody waits, or it is over
	cancel  context.CancelFunc
}

// New returns a context that ends when another does, or at a time if that is
// earlier; the zero time is never. The caller stops it when it is no longer
// needed.
func New(parent context.Context, end time.Time) *Context {
	return &Context{Context: parent, end: end}
}

// Half returns a context that ends when half of the time is over that another
// has left, if that has an end.
func Half(parent context.Context) *Context {
	end, ok := parent.Deadline()
	if !ok {
		return New(parent, time.Time{})
	}
	return New(parent, end.Add(-time.Until(end)/2))
}

// Deadline is when the context ends.
func (c *Context) Deadline() (time.Time, bool) {
	end, ok := c.Context.Deadline()
	if c.end.IsZero() || ok && end.Before(c.end) {
		return end, ok
	}
	return c.end, true
}

// Done is closed when the context ends.
func (c *Context) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.real().Done()
}

// Err says why the context has ended, or is nil.
func (c *Context) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs(time.Now()) {
		return nil
	}
	return c.real().Err()
}

// runs reports whether the context has not ended. Of several that are made of one
// another, only one looks at the clock. The caller holds mu.
func (c *Context) runs(now time.Time) bool {
	switch {
	case c.timed != nil:
		return c.timed.Err() == nil
	case c.stopped, !c.end.IsZero() && !now.Before(c.end):
		return false
	}
	if parent, ok := c.Context.(*Context); ok {
		parent.mu.Lock()
		defer parent.mu.Unlock()
		return parent.runs(now)
	}
	return c.Context.Err() == nil
}

// Value returns a value of the context that this one was made of. Contexts made
// of this one find the timer by it.
func (c *Context) Value(key any) any {
	c.mu.Lock()
	timed := c.timed
	c.mu.Unlock()
	if timed != nil {
		return timed.Value(key)
	}
	return c.Context.Value(key)
}

// Stop ends the context.
func (c *Context) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.cancel != nil {
		c.cancel()
	}
}

// real makes the context with the timer, which is in the end what it was by then:
// an end that was told once stays the same. The caller holds mu.
func (c *Context) real() context.Context {
	if c.timed != nil {
		return c.timed
	}
	if c.end.IsZero() || c.stopped {
		c.timed, c.cancel = context.WithCancel(c.Context)
	} else {
		c.timed, c.cancel = context.WithDeadline(c.Context, c.end)
	}
	if c.stopped {
		c.cancel()
	}
	return c.timed
}
