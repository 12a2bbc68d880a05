package fsstore

import (
	"cmp"
	"errors"
)

// The defaults of [Options].
const (
	DefaultMaxRelease = 1 << 30
	DefaultMaxSVG     = 1 << 20
)

// Options configure a [Store]. The zero value and nil are the defaults.
type Options struct {
	// MaxRelease is the maximum size of a release.json and its symbols
	// together, and of a pack, in bytes; 0 means [DefaultMaxRelease].
	MaxRelease int64
	// MaxSVG is the maximum size of a symbol or a pre-baked icon, in bytes; 0
	// means [DefaultMaxSVG].
	MaxSVG int64
	// VerifiedDir is a directory of the user, such as one in [os.UserCacheDir],
	// in which the store remembers the packed releases that it has verified,
	// by their files' paths, sizes, times and hashes: opening one again skips
	// the checks of its hashes. It is created if needed. If it is "", or on a
	// system without times of changes, every release is verified when it is
	// opened.
	VerifiedDir string
	// AllowDamaged lets [Open] and [OpenDir] succeed if index.json exists but
	// can't be read or decoded. Every call fails until it is repaired. It is
	// for servers, which recover without a restart.
	AllowDamaged bool
	// Report is called with problems that do not change what is served: a pack
	// whose form of the release does not fit, so that the release is decoded in
	// full each time. It may be called from several goroutines at once.
	Report func(error)
}

func (o *Options) check() error {
	if o != nil && (o.MaxRelease < 0 || o.MaxSVG < 0) {
		return errors.New("fsstore: MaxRelease and MaxSVG must not be negative")
	}
	return nil
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxRelease = cmp.Or(d.MaxRelease, DefaultMaxRelease)
	d.MaxSVG = cmp.Or(d.MaxSVG, DefaultMaxSVG)
	return d
}
