// Package limit has the convention of options: zero is the default, and a negative value is no
// limit.
package limit

import (
	"cmp"
	"time"
)

// Of returns a limit of the options of a server: 0 is the default, and a negative one
// is no limit.
func Of[T int | int64 | time.Duration](of, standard, none T) T {
	if of < 0 {
		return none
	}
	return cmp.Or(of, standard)
}
