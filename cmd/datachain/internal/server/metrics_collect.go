package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// Served describes what is served of a store. Its first fields are those of
// laststore.Status.
type Served struct {
	Confirmed   time.Time
	Unread      time.Time
	HeldAliases int
	// Refused is why the index of the store is refused, as trust.Reason names it, or "".
	Refused string
}

// served collects what is served of a store.
type served func() Served

var (
	indexAge    = describe("index_age_seconds", "Time since the store was last found to have the index that is served.")
	unreadAge   = describe("oldest_unread_change_seconds", "Time since the index first named content that was not read yet, 0 if all was read.")
	heldAliases = describe("aliases_held", "Aliases that stay at a version until the one that the index names can be read.")
	refusedLog  = describe("log_refused", "1 while the trusted log does not prove the index of the store, by reason.", "reason")
)

// Describe implements [prometheus.Collector].
func (s served) Describe(c chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{indexAge, unreadAge, heldAliases, refusedLog} {
		c <- d
	}
}

// Collect implements [prometheus.Collector].
func (s served) Collect(c chan<- prometheus.Metric) {
	now := s()
	if !now.Confirmed.IsZero() {
		c <- prometheus.MustNewConstMetric(indexAge, prometheus.GaugeValue, time.Since(now.Confirmed).Seconds())
	}
	unread := 0.
	if !now.Unread.IsZero() {
		unread = time.Since(now.Unread).Seconds()
	}
	c <- prometheus.MustNewConstMetric(unreadAge, prometheus.GaugeValue, unread)
	c <- prometheus.MustNewConstMetric(heldAliases, prometheus.GaugeValue, float64(now.HeldAliases))
	if now.Refused != "" {
		c <- prometheus.MustNewConstMetric(refusedLog, prometheus.GaugeValue, 1, now.Refused)
	}
}

// limiter collects the counts of a limiter.
type limiter func() ratelimit.Stats

var (
	limiterRequests = describe("limiter_requests_total", "Decisions of the rate limiter.", "bucket", "outcome")
	limiterKeys     = describe("limiter_keys", "Keys in the rate limiter.")
	limiterBytes    = describe("limiter_bytes", "Memory used by the keys of the rate limiter.")
	limiterEvicted  = describe("limiter_evicted_total", "Keys that the rate limiter evicted while they still counted.")
)

// Describe implements [prometheus.Collector].
func (l limiter) Describe(c chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{limiterRequests, limiterKeys, limiterBytes, limiterEvicted} {
		c <- d
	}
}

// Collect implements [prometheus.Collector].
func (l limiter) Collect(c chan<- prometheus.Metric) {
	s := l()
	for b := range s.Allowed {
		bucket := ratelimit.Bucket(b).String()
		c <- prometheus.MustNewConstMetric(limiterRequests, prometheus.CounterValue, float64(s.Allowed[b]), bucket, "allowed")
		c <- prometheus.MustNewConstMetric(limiterRequests, prometheus.CounterValue, float64(s.Refused[b]), bucket, "refused")
	}
	c <- prometheus.MustNewConstMetric(limiterKeys, prometheus.GaugeValue, float64(s.Keys))
	c <- prometheus.MustNewConstMetric(limiterBytes, prometheus.GaugeValue, float64(s.Bytes))
	c <- prometheus.MustNewConstMetric(limiterEvicted, prometheus.CounterValue, float64(s.Evicted))
}

// shared collects the state of what servers share.
type shared func() redisshare.Stats

var (
	sharedAway      = describe("shared_away", "1 while Redis is unreachable and this server decides by its share of the limits.")
	sharedTimesAway = describe("shared_away_total", "How often Redis went away.")
	sharedDecisions = describe("shared_decisions_total", "Decisions of the shared rate limiter: by Redis, or local.", "by")
	sharedChecks    = describe("shared_checks_total", "Checks of the rate limiter by Redis, which are a round trip each.")
	sharedWaited    = describe("shared_wait_seconds_total", "Time of these round trips.")
	sharedErrors    = describe("shared_errors_total", "Failures of Redis.", "kind")
	sharedPages     = describe("shared_pages_total", "Pages of sessions: in Redis, or not: too large, not found or lost.", "operation", "outcome")
)

// Describe implements [prometheus.Collector].
func (s shared) Describe(c chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		sharedAway, sharedTimesAway, sharedDecisions, sharedChecks, sharedWaited, sharedErrors, sharedPages,
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
	if now.Unreachable {
		away = 1
	}
	gauge(sharedAway, away)
	counter(sharedTimesAway, float64(now.Outages))
	counter(sharedDecisions, float64(now.Redis), "redis")
	counter(sharedDecisions, float64(now.Local), "local")
	counter(sharedChecks, float64(now.Checks))
	counter(sharedWaited, now.Waited.Seconds())
	for kind, n := range now.Errors {
		counter(sharedErrors, float64(n), kind)
	}
	counter(sharedPages, float64(now.Stored), "put", "redis")
	counter(sharedPages, float64(now.NotStored), "put", "none")
	counter(sharedPages, float64(now.Found), "get", "redis")
	counter(sharedPages, float64(now.NotFound), "get", "none")
}

// counted collects the documents of a register.
type counted func() DocumentStats

var (
	documentStates   = describe("documents", "Documents of the register.", "state")
	documentsRefused = describe("documents_refused", "Documents that can't be published.")
	documentsFailing = describe("documents_in_trouble", "Origins of documents that can't be read or are refused, by reason; last good documents are served.", "reason")
	documentsChanged = describe("documents_changed_timestamp_seconds", "Time of the last change of the register.")
)

// Describe implements [prometheus.Collector].
func (d counted) Describe(c chan<- *prometheus.Desc) {
	for _, one := range []*prometheus.Desc{documentStates, documentsRefused, documentsFailing, documentsChanged} {
		c <- one
	}
}

// Collect implements [prometheus.Collector].
func (d counted) Collect(c chan<- prometheus.Metric) {
	now := d()
	for _, state := range []struct {
		name string
		n    int
	}{{"published", now.Published}, {"retired", now.Retired}, {"withdrawn", now.Withdrawn}, {"erased", now.Erased}} {
		c <- prometheus.MustNewConstMetric(documentStates, prometheus.GaugeValue, float64(state.n), state.name)
	}
	c <- prometheus.MustNewConstMetric(documentsRefused, prometheus.GaugeValue, float64(now.Refused))
	failing := make(map[string]int)
	for _, reason := range now.Failing {
		failing[reason]++
	}
	for reason, n := range failing {
		c <- prometheus.MustNewConstMetric(documentsFailing, prometheus.GaugeValue, float64(n), reason)
	}
	c <- prometheus.MustNewConstMetric(documentsChanged, prometheus.GaugeValue, float64(now.Changed.UnixMilli())/1000)
}
