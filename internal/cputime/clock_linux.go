package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// thread returns the CPU time of the current thread.
func thread() (time.Duration, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
