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

// Rest makes the connection of the batches one that was not used for long.
func Rest(s *Share) {
	s.batches.mu.Lock()
	defer s.batches.mu.Unlock()
	s.link.used = time.Time{}
}

// Holds returns whether the batches hold a connection.
func Holds(s *Share) bool {
	s.batches.mu.Lock()
	defer s.batches.mu.Unlock()
	return s.link.conn != nil
}

// Waiting returns whether checks are under way, and how many wait for the next batch.
func Waiting(s *Share) (busy bool, waiting int) {
	s.batches.mu.Lock()
	defer s.batches.mu.Unlock()
	return s.batches.busy, len(s.batches.waiting)
}

// Reached returns whether the last probe reached Redis.
func Reached(s *Share) bool { return s.health.reached.Load() }
