//go:build !linux

package growthtest

import "time"

var start = time.Now()

// now returns the wall time since the start.
func now() time.Duration { return time.Since(start) }
