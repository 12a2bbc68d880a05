//go:build !linux

package cputime

import "time"

// thread reports that there is no clock per thread.
func thread() (time.Duration, bool) { return 0, false }
