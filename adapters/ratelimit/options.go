package ratelimit

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Off as a limit lets every request pass.
const Off = -1

const (
	maxLimit = math.MaxUint16 // what the counters of a window hold
	maxKeys  = 1 << 26        // about 12 GiB
)

// Limits are the numbers of requests of a key that pass in 60 seconds: 0 is the
// default, a negative number, such as [Off], is no limit, and 65535 the maximum.
type Limits struct {
	Read     int // 300
	Icons    int // 1200
	Validate int // 30
	Resolve  int // 15
}

// Options configure a [Memory]. Nil and the zero value mean the defaults.
type Options struct {
	Limits Limits
	// MaxKeys limits the number of keys and with it the memory; 0 means
	// 262,144. A key with a few requests takes 64 bytes, at worst 192.
	// Memory once used is kept for other keys.
	MaxKeys int
	// Now is the clock, which must not go back; nil means [time.Now], which
	// does not, even if the system clock is set. It is called with a lock
	// held, so it must not call the limiter.
	Now func() time.Time
}

// withDefaults returns the effective options.
func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	if d.MaxKeys < 0 || d.MaxKeys > maxKeys {
		return d, fmt.Errorf("ratelimit: MaxKeys is %d: it must be from 1 to %d, or 0 for the default", d.MaxKeys, maxKeys)
	}
	d.MaxKeys = cmp.Or(d.MaxKeys, 1<<18)
	if d.Now == nil {
		d.Now = time.Now
	}
	return d, nil
}

// Effective returns the limits in the order of [Buckets], with the defaults
// filled in, and [Off] for none. It fails if one is out of range.
func (l Limits) Effective() ([]int, error) {
	limits := []int{Read: l.Read, Icons: l.Icons, Validate: l.Validate, Resolve: l.Resolve}
	for b, standard := range []int{Read: 300, Icons: 1200, Validate: 30, Resolve: 15} {
		if n := limits[b]; n > maxLimit {
			return nil, fmt.Errorf("ratelimit: the limit of %s is %d: it must be from 1 to %d, 0 for the default (%d), or negative for no limit",
				Bucket(b), n, maxLimit, standard)
		}
		limits[b] = max(cmp.Or(limits[b], standard), Off)
	}
	return limits, nil
}
