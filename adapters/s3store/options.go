package s3store

import (
	"cmp"
	"errors"
	"time"
)

// The defaults of [Options].
const (
	DefaultMaxAge         = time.Second
	DefaultTimeout        = 10 * time.Second
	DefaultReleaseTimeout = 2 * time.Minute
	DefaultMaxRelease     = 1 << 30
	DefaultMaxSVG         = 1 << 20
)

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	Access
	// CacheDir is a directory for copies that remain after the program ends.
	// It is created if necessary, and may be shared, even by stores of
	// different buckets. "" means no copies.
	CacheDir string
	// AcceptRemovals accepts the first index that is read even if it goes back
	// from the one in CacheDir; see [taxonomy.ErrRollback].
	AcceptRemovals bool
	// MaxAge is how long the result of a request for the index is used, also
	// of one that failed, before another is made; 0 means [DefaultMaxAge]. If
	// it is negative, every call makes a request.
	MaxAge time.Duration
	// Interval makes the store request the index regularly until it is closed,
	// so that calls do not wait for requests, and see changes that are older
	// than Interval and the time of a request. MaxAge is then at least twice as
	// long. 0 means that only calls make requests.
	Interval time.Duration
	// Timeout is the time limit for reading the index, and ReleaseTimeout for
	// reading a release, with all attempts; 0 means [DefaultTimeout] and
	// [DefaultReleaseTimeout]. Calls that need the index fail after 3 seconds
	// without an answer, while the store still waits for it.
	Timeout, ReleaseTimeout time.Duration
	// MaxRelease is the maximum size of a release.json, and of a pack, in
	// bytes; 0 means [DefaultMaxRelease].
	MaxRelease int64
	// MaxSVG is the maximum size of a symbol or a pre-baked icon, in bytes; 0
	// means [DefaultMaxSVG].
	MaxSVG int64
	// Report is called with problems that do not change what is served: a copy
	// that can't be kept or used, or a pack whose form of the release does not
	// fit, so that the release is decoded in full. It may be called from several
	// goroutines at once.
	Report func(error)
}

func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Interval < 0 || d.Timeout < 0 || d.ReleaseTimeout < 0 || d.MaxRelease < 0 || d.MaxSVG < 0 {
		return d, errors.New("s3store: Interval, Timeout, ReleaseTimeout, MaxRelease and MaxSVG must not be negative")
	}
	d.MaxAge = cmp.Or(d.MaxAge, DefaultMaxAge)
	d.Timeout = cmp.Or(d.Timeout, DefaultTimeout)
	d.ReleaseTimeout = cmp.Or(d.ReleaseTimeout, DefaultReleaseTimeout)
	d.MaxRelease = cmp.Or(d.MaxRelease, DefaultMaxRelease)
	d.MaxSVG = cmp.Or(d.MaxSVG, DefaultMaxSVG)
	if d.Interval > 0 {
		// A request that takes long does not make calls wait for another.
		d.MaxAge = max(d.MaxAge, 2*d.Interval, d.Interval+d.Timeout)
	}
	return d, nil
}
