// Package cputime measures the CPU time that a goroutine uses.
package cputime

import (
	"runtime"
	"time"
)

// Clock measures the CPU time of a goroutine between [Start] and [Clock.Stop].
type Clock struct {
	cpu   time.Duration // of the thread, at the start
	wall  time.Time
	exact bool // whether the system has a clock per thread
}

// Start starts a measurement. The goroutine stays on its thread until Stop.
func Start() *Clock {
	runtime.LockOSThread()
	c := &Clock{wall: time.Now()}
	c.cpu, c.exact = thread()
	return c
}

// Used returns the CPU time since the start, or the wall time if the system has no clock per
// thread.
func (c *Clock) Used() time.Duration {
	if c.exact {
		if now, ok := thread(); ok {
			return now - c.cpu
		}
	}
	return time.Since(c.wall)
}

// Exceeds reports whether more CPU time than a limit was used since the start. CPU time is
// never more than wall time, so it reads the clock of the thread, which takes ten times as
// long as the wall clock, only if enough wall time has passed.
func (c *Clock) Exceeds(limit time.Duration) bool {
	return time.Since(c.wall) > limit && c.Used() > limit
}

// Skip runs a function whose time does not count, such as reading a store.
func (c *Clock) Skip(do func()) {
	wall := time.Now()
	cpu, exact := thread()
	do()
	if now, ok := thread(); ok && exact {
		c.cpu += now - cpu
	}
	c.wall = c.wall.Add(time.Since(wall))
}

// Stop ends the measurement.
func (c *Clock) Stop() { runtime.UnlockOSThread() }
