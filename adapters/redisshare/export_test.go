package redisshare

import (
	"time"
)

// Kind returns why Redis did not answer.
func Kind(err error) string { return explain(err).Kind }

// quick is how soon tests give Redis up.
const quick = 200 * time.Millisecond

// Patient returns options with another window, since the clock of Redis can't be
// moved, and a budget that holds on a slow machine. A window of 0 is the usual one.
func Patient(o Options, window time.Duration) *Options {
	o.window, o.Timeout, o.giveUp = window, 30*time.Second, quick
	return &o
}

// Tolerant returns options with a longer budget, so that only what a test does
// exceeds it.
func Tolerant(o Options) *Options {
	o.Timeout, o.giveUp = 250*time.Millisecond, quick
	return &o
}

// Reached returns whether the last probe reached Redis.
func Reached(s *Share) bool { return s.health.reached.Load() }
