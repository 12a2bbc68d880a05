package fsstore

import (
	"cmp"
	"time"
)

// Options say how a [Store] reads. A nil *Options is the defaults.
type Options struct {
	// Report is told of each failure to read the index or a release, once as
	// long as it stays the same, also where a last good copy hides it from
	// callers. Recovered is called when there is no failure left. Neither is
	// called while the other is, and they must not call the store. By default
	// nobody is told.
	Report    func(error)
	Recovered func()
	// MaxRelease is the most bytes that a release.json and its symbols may
	// have together; by default 1 GiB.
	MaxRelease int64
	// MaxSVG is the most bytes of a symbol or a pre-baked icon; by default
	// 1 MiB.
	MaxSVG int64
	// RetryAfter is how long a release that could not be read is left alone
	// before it is tried again, so that a damaged one does not cost every
	// caller a reading; by default 1 second. One that takes long to read is
	// left alone ten times as long as that took. If it is negative, every
	// call tries again. A new content hash is never delayed.
	RetryAfter time.Duration
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Report == nil {
		d.Report = func(error) {}
	}
	if d.Recovered == nil {
		d.Recovered = func() {}
	}
	d.MaxRelease = cmp.Or(d.MaxRelease, 1<<30)
	d.MaxSVG = cmp.Or(d.MaxSVG, 1<<20)
	d.RetryAfter = cmp.Or(d.RetryAfter, time.Second)
	return d
}
