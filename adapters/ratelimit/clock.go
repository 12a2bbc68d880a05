package ratelimit

import "time"

// A clock turns times into slot numbers that never go back.
type clock struct {
	at   time.Time // when it was last looked at
	part time.Duration
	slot uint32
}

// advance returns the slot of a time. If the time lies before the last one,
// the clock stands still, and goes on from there.
func (c *clock) advance(now time.Time) uint32 {
	d := now.Sub(c.at)
	c.at = now
	if d <= 0 {
		return c.slot
	}
	// After two windows everything has expired, and more changes nothing; but
	// leaps of a century would bring the slot numbers around.
	if d > 2*Window {
		d = 2*Window + d%time.Second
	}
	c.part += d
	c.slot += uint32(c.part / time.Second)
	c.part %= time.Second
	return c.slot
}
