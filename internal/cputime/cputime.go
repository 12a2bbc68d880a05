// Package cputime measures how much of a processor some work has used, so that
// a limit holds for the work and not for the load of the machine.
package cputime

import (
	"runtime"
	"time"
)

// Clock measures one piece of work, of one goroutine, between [Start] and Stop.
type Clock struct {
	cpu   time.Duration // of the thread, at the start
	wall  time.Time
	exact bool
}

// Start begins to measure. The goroutine stays on its thread until Stop.
func Start() *Clock {
	runtime.LockOSThread()
	c := &Clock{wall: time.Now()}
	c.cpu, c.exact = thread()
	return c
}

// Used returns the time since Start: of the processor, or, where the system has
// no clock for that, of the wall.
func (c *Clock) Used() time.Duration {
	if c.exact {
		if now, ok := thread(); ok {
			return now - c.cpu
		}
	}
	return time.Since(c.wall)
}

// Stop ends the measurement.
func (c *Clock) Stop() { runtime.UnlockOSThread() }
