//go:build !linux

package cputime

import "time"

// thread has no clock to ask.
func thread() (time.Duration, bool) { return 0, false }
