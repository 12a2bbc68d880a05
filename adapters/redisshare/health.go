package redisshare

import (
	"sync"
	"sync/atomic"
)

// health knows whether Redis is there. Checks and probes tell it what became of
// them. At the start Redis counts as away, without a call of Away, until the first
// probe or until it is given up.
type health struct {
	onAway func(error)
	onBack func()

	away     atomic.Bool
	reached  atomic.Bool // by the last probe, though perhaps not within the budget
	answered atomic.Bool // since the last probe
	settled  chan struct{}

	mu       sync.Mutex
	failures int   // in a row
	err      error // why it is away now, if that was reported
	times    uint64
	started  bool // settled is closed
}

func newHealth(o *Options) *health {
	h := &health{onAway: o.Away, onBack: o.Back, settled: make(chan struct{})}
	h.away.Store(true)
	return h
}

// checked takes the outcome of a batch.
func (h *health) checked(err error) {
	if err == nil {
		h.answered.Store(true)
		if h.away.Load() {
			return // a late answer: only a probe brings it back
		}
		h.mu.Lock()
		h.failures = 0
		h.mu.Unlock()
		return
	}
	h.failed(err, failuresUntilAway)
}

// probed takes the outcome of a probe. While Redis is away, one that succeeds is
// enough.
func (h *health) probed(err error) {
	if err != nil {
		h.failed(err, failuresUntilAway)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures = 0
	if !h.away.Load() {
		return
	}
	h.away.Store(false)
	if h.err != nil {
		h.err = nil
		h.onBack()
	}
	h.settle()
}

// giveUp ends the first contact.
func (h *health) giveUp(err error) { h.failed(err, 0) }

// failed counts a failure, and reports that Redis is away if there were enough.
func (h *health) failed(err error, enough int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures++
	switch {
	case h.err != nil: // known, but perhaps for another reason
		h.err = err
		return
	case h.failures < enough, enough > 0 && !h.started: // the first contact is given up by the clock
		return
	}
	h.away.Store(true)
	h.err = err
	h.times++
	h.onAway(err)
	h.settle()
}

// settle closes settled once. The caller holds mu.
func (h *health) settle() {
	if !h.started {
		h.started = true
		close(h.settled)
	}
}

// state returns how often Redis went away, and why it is away now.
func (h *health) state() (times uint64, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.times, h.err
}
