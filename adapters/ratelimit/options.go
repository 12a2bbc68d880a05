package ratelimit

import (
	"fmt"
	"math"
	"time"
)

// Off as a limit lets everything pass.
const Off = -1

// maxLimit is what the counters of a window can hold.
const maxLimit = math.MaxUint16

// The most keys that a [Memory] can be told to hold, in about 12 GiB.
const maxKeys = 1 << 26

// Limits are how many requests of a key pass in 60 seconds, by bucket. 0 is the
// default, [Off] no limit, and 65535 the most.
type Limits struct {
	Read     int // 300
	Icons    int // 1200
	Validate int // 30
	Resolve  int // 15, rendering and validating what is resolved included
}

// Options tune a [Memory]. A nil *Options is the defaults.
type Options struct {
	Limits Limits
	// MaxKeys bounds the memory: the most keys that are held, at 64 bytes a
	// key for one with a few requests, and less than 192 at worst. By default
	// 262,144, which is 16 MiB, and 48 at worst. Memory that was needed once
	// is kept for the next keys.
	MaxKeys int
	// Now is the clock, time.Now by default. It is called with a lock held,
	// so it must not call the limiter.
	Now func() time.Time
}

// withDefaults returns the options to go by, or says what is wrong with them.
func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	if d.MaxKeys == 0 {
		d.MaxKeys = 1 << 18
	}
	if d.MaxKeys < 0 || d.MaxKeys > maxKeys {
		return d, fmt.Errorf("ratelimit: MaxKeys is %d: give a number from 1 to %d, or 0 for the default", d.MaxKeys, maxKeys)
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return d, nil
}

// byBucket returns the limits to go by, in the order of [Buckets].
func (l Limits) byBucket() ([bucketCount]int, error) {
	given := [bucketCount]int{Read: l.Read, Icons: l.Icons, Validate: l.Validate, Resolve: l.Resolve}
	limits := [bucketCount]int{Read: 300, Icons: 1200, Validate: 30, Resolve: 15}
	for b, n := range given {
		if n < Off || n > maxLimit {
			return limits, fmt.Errorf("ratelimit: the limit of %s is %d: give a number from 1 to %d, 0 for the default (%d), or %d for no limit",
				Bucket(b), n, maxLimit, limits[b], Off)
		}
		if n != 0 {
			limits[b] = n
		}
	}
	return limits, nil
}
