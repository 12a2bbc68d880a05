package redisshare

import (
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// A decider is what a decision came from.
type decider int

const (
	byRedis   decider = iota
	byRefusal         // repeated from one of Redis
	byShare           // of this server, since Redis was away or late, or there is no limit
	deciders
)

// counts are what a [Share] counts.
type counts struct {
	by               [deciders]atomic.Uint64
	allowed, refused [4]atomic.Uint64 // by bucket
	batches, checks  atomic.Uint64
	took             atomic.Int64 // in nanoseconds
	errors           [9]atomic.Uint64
	stored, read     outcomes
}

// decided counts a decision and returns it.
func (c *counts) decided(by decider, d ratelimit.Decision) ratelimit.Decision {
	c.by[by].Add(1)
	if d.Allowed {
		c.allowed[d.Bucket].Add(1)
	} else {
		c.refused[d.Bucket].Add(1)
	}
	return d
}

func (c *counts) batch(checks int, took time.Duration) {
	c.batches.Add(1)
	c.checks.Add(uint64(checks))
	c.took.Add(int64(took))
}

func (c *counts) failed(kind string) {
	for i, k := range kinds() {
		if k == kind {
			c.errors[i].Add(1)
		}
	}
}

// Stats are counts since the Share was opened, and its state.
type Stats struct {
	// Away is whether Redis is away, and TimesAway how often it went.
	Away      bool
	TimesAway uint64
	// Redis, Repeated and Local are the numbers of decisions by Redis, by
	// repeating a refusal of it, and by this server alone.
	Redis, Repeated, Local uint64
	// Batches is the number of round trips for checks, Checks the number of
	// checks in them, and Waited the time that they took.
	Batches, Checks uint64
	Waited          time.Duration
	// Errors are the failures by kind, of checks, probes and pages.
	Errors map[string]uint64
	// Refusals is the number of refusals that are remembered.
	Refusals int
	// Stored and Read are what became of pages.
	Stored, Read PageStats
}

// PageStats are counts of pages.
type PageStats struct {
	// Redis counts those that are in Redis, and None those that were not found,
	// are too large, or were lost because Redis did not answer.
	Redis, None uint64
}

// Stats returns a snapshot.
func (s *Share) Stats() Stats {
	c := &s.counts
	times, _ := s.health.state()
	st := Stats{
		Away: s.health.away.Load(), TimesAway: times,
		Redis: c.by[byRedis].Load(), Repeated: c.by[byRefusal].Load(), Local: c.by[byShare].Load(),
		Batches: c.batches.Load(), Checks: c.checks.Load(), Waited: time.Duration(c.took.Load()),
		Errors: make(map[string]uint64), Refusals: s.refused.len(),
		Stored: c.stored.load(), Read: c.read.load(),
	}
	for i, kind := range kinds() {
		st.Errors[kind] = c.errors[i].Load()
	}
	return st
}

// Limiter returns the decisions by bucket, and the memory for the counts of this
// server.
func (s *Share) Limiter() ratelimit.Stats {
	st := s.local.Stats()
	for b := range st.Buckets {
		st.Buckets[b].Allowed, st.Buckets[b].Refused = s.counts.allowed[b].Load(), s.counts.refused[b].Load()
	}
	return st
}

// outcomes are what became of pages.
type outcomes struct{ redis, none atomic.Uint64 }

func (o *outcomes) load() PageStats {
	return PageStats{Redis: o.redis.Load(), None: o.none.Load()}
}
