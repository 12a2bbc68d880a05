// Package limit resolves limits in options: zero is the default, and a negative value is no
// limit.
package limit

import (
	"cmp"
	"time"
)

// Of returns an option, or its default if it is 0, or unlimited if it is negative.
func Of[T int | int64 | time.Duration](option, byDefault, unlimited T) T {
	if option < 0 {
		return unlimited
	}
	return cmp.Or(option, byDefault)
}
