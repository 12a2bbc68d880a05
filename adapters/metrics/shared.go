package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Shared describes what servers share through Redis: the counts of a limiter, and
// the pages of sessions.
type Shared struct {
	// Away is whether Redis is away, and TimesAway how often it went.
	Away      bool
	TimesAway uint64
	// Redis, Repeated and Local are decisions of the limiter: by Redis, by
	// repeating a refusal of it, and by this server alone.
	Redis, Repeated, Local uint64
	// Batches is the number of round trips, Checks the number of checks in
	// them, and Waited the time that they took.
	Batches, Checks uint64
	Waited          time.Duration
	// Errors are failures of Redis by kind.
	Errors map[string]uint64
	// Refusals is the number of refusals that are remembered.
	Refusals int
	// Stored and Read are what became of pages.
	Stored, Read SharedPages
}

// SharedPages are numbers of pages: in Redis, and nowhere.
type SharedPages struct{ Redis, None uint64 }

// shared collects the state of what servers share.
type shared func() Shared

var (
	sharedAway      = describe("shared_away", "1 while Redis is away and this server decides by its share of the limits.")
	sharedTimesAway = describe("shared_away_total", "How often Redis went away.")
	sharedDecisions = describe("shared_decisions_total", "Decisions of the shared rate limiter: by Redis, repeated refusals of it, or local.", "by")
	sharedBatches   = describe("shared_batches_total", "Round trips to Redis for checks of the rate limiter.")
	sharedChecks    = describe("shared_checks_total", "Checks in these round trips.")
	sharedWaited    = describe("shared_wait_seconds_total", "Time of these round trips.")
	sharedErrors    = describe("shared_errors_total", "Failures of Redis.", "kind")
	sharedRefusals  = describe("shared_refusals", "Refusals of Redis that are repeated without asking it.")
	sharedPages     = describe("shared_pages_total", "Pages of sessions: in Redis, or not: too large, not found or lost.", "operation", "outcome")
)

// Describe implements [prometheus.Collector].
func (s shared) Describe(c chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		sharedAway, sharedTimesAway, sharedDecisions, sharedBatches, sharedChecks, sharedWaited, sharedErrors, sharedRefusals, sharedPages,
	} {
		c <- d
	}
}

// Collect implements [prometheus.Collector].
func (s shared) Collect(c chan<- prometheus.Metric) {
	now := s()
	gauge := func(d *prometheus.Desc, v float64) { c <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		c <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	away := 0.0
	if now.Away {
		away = 1
	}
	gauge(sharedAway, away)
	gauge(sharedRefusals, float64(now.Refusals))
	counter(sharedTimesAway, float64(now.TimesAway))
	counter(sharedDecisions, float64(now.Redis), "redis")
	counter(sharedDecisions, float64(now.Repeated), "repeated")
	counter(sharedDecisions, float64(now.Local), "local")
	counter(sharedBatches, float64(now.Batches))
	counter(sharedChecks, float64(now.Checks))
	counter(sharedWaited, now.Waited.Seconds())
	for kind, n := range now.Errors {
		counter(sharedErrors, float64(n), kind)
	}
	for operation, pages := range map[string]SharedPages{"put": now.Stored, "get": now.Read} {
		counter(sharedPages, float64(pages.Redis), operation, "redis")
		counter(sharedPages, float64(pages.None), operation, "none")
	}
}
