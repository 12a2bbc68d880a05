package server

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// factory registers metrics of the namespace.
type factory struct{ promauto.Factory }

func (f factory) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return f.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return f.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) histograms(name, help string, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

// gauge registers a gauge that is read while gathering.
func (f factory) gauge(name, help string, labels prometheus.Labels, read func() float64) {
	f.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels}, read)
}

// counter registers a counter that is read while gathering.
func (f factory) counter(name, help string, labels prometheus.Labels, read func() uint64) {
	f.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels}, func() float64 { return float64(read()) })
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
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

// addStore adds the state of the store.
func (m *Metrics) addStore(f factory) {
	if trouble := m.options.InTrouble; trouble != nil {
		f.gauge("store_in_trouble", "1 while the store has a problem, even if last good data is served.", nil, func() float64 { return oneIf(trouble()) })
	}
	if m.options.Releases != nil {
		m.releases = f.gauges("release_info", "Releases that are loaded.", "version", "content_hash")
	}
	served := m.options.Served
	if served == nil {
		return
	}
	f.gauge("index_age_seconds", "Time since the store was last found to have the index that is served, NaN if there is none.", nil, func() float64 {
		if confirmed := served().Confirmed; !confirmed.IsZero() {
			return time.Since(confirmed).Seconds()
		}
		return math.NaN()
	})
	f.gauge("oldest_unread_change_seconds", "Time since the index first named content that was not read yet, 0 if all was read.", nil, func() float64 {
		if unread := served().Unread; !unread.IsZero() {
			return time.Since(unread).Seconds()
		}
		return 0
	})
	f.gauge("aliases_held", "Aliases that stay at a version until the one that the index names can be read.", nil, func() float64 { return float64(served().HeldAliases) })
	m.refusedLog = f.gauges("log_refused", "1 while the trusted log does not prove the index of the store, by reason.", "reason")
}

// addDocuments adds the documents of a register.
func (m *Metrics) addDocuments(f factory) {
	stats := m.options.Documents
	if stats == nil {
		return
	}
	for state, count := range map[string]func(DocumentStats) int{
		"published": func(s DocumentStats) int { return s.Published },
		"retired":   func(s DocumentStats) int { return s.Retired },
		"withdrawn": func(s DocumentStats) int { return s.Withdrawn },
		"erased":    func(s DocumentStats) int { return s.Erased },
	} {
		f.gauge("documents", "Documents of the register.", prometheus.Labels{"state": state}, func() float64 { return float64(count(stats())) })
	}
	f.gauge("documents_refused", "Documents that can't be published.", nil, func() float64 { return float64(stats().Refused) })
	f.gauge("documents_changed_timestamp_seconds", "Time of the last change of the register.", nil, func() float64 { return float64(stats().Changed.UnixMilli()) / 1000 })
	m.documentsInTrouble = f.gauges("documents_in_trouble", "Origins of documents that can't be read or are refused, by reason; last good documents are served.", "reason")
}

// addLimiter adds the counts of a limiter.
func (m *Metrics) addLimiter(f factory) {
	stats := m.options.Limiter
	if stats == nil {
		return
	}
	const decisions = "Decisions of the rate limiter."
	for b := range stats().Allowed {
		bucket := ratelimit.Bucket(b).String()
		f.counter("limiter_requests_total", decisions, prometheus.Labels{"bucket": bucket, "outcome": "allowed"}, func() uint64 { return stats().Allowed[b] })
		f.counter("limiter_requests_total", decisions, prometheus.Labels{"bucket": bucket, "outcome": "refused"}, func() uint64 { return stats().Refused[b] })
	}
	f.gauge("limiter_keys", "Keys in the rate limiter.", nil, func() float64 { return float64(stats().Keys) })
	f.gauge("limiter_bytes", "Memory used by the keys of the rate limiter.", nil, func() float64 { return float64(stats().Bytes) })
	f.counter("limiter_evicted_total", "Keys that the rate limiter evicted while they still counted.", nil, func() uint64 { return stats().Evicted })
}

// addShared adds the state of what servers share.
func (m *Metrics) addShared(f factory) {
	stats := m.options.Shared
	if stats == nil {
		return
	}
	f.gauge("shared_away", "1 while Redis is unreachable and this server decides by its share of the limits.", nil, func() float64 { return oneIf(stats().Unreachable) })
	f.counter("shared_away_total", "How often Redis went away.", nil, func() uint64 { return stats().Outages })
	const decisions = "Decisions of the shared rate limiter: by Redis, or local."
	f.counter("shared_decisions_total", decisions, prometheus.Labels{"by": "redis"}, func() uint64 { return stats().Redis })
	f.counter("shared_decisions_total", decisions, prometheus.Labels{"by": "local"}, func() uint64 { return stats().Local })
	f.counter("shared_checks_total", "Checks of the rate limiter by Redis, which are a round trip each.", nil, func() uint64 { return stats().Checks })
	f.NewCounterFunc(prometheus.CounterOpts{Namespace: namespace, Name: "shared_wait_seconds_total", Help: "Time of these round trips."},
		func() float64 { return stats().Waited.Seconds() })
	for kind := range stats().Errors {
		f.counter("shared_errors_total", "Failures of Redis.", prometheus.Labels{"kind": kind}, func() uint64 { return stats().Errors[kind] })
	}
	const pages = "Pages of sessions: in Redis, or not: too large, not found or lost."
	f.counter("shared_pages_total", pages, prometheus.Labels{"operation": "put", "outcome": "redis"}, func() uint64 { return stats().Stored })
	f.counter("shared_pages_total", pages, prometheus.Labels{"operation": "put", "outcome": "none"}, func() uint64 { return stats().NotStored })
	f.counter("shared_pages_total", pages, prometheus.Labels{"operation": "get", "outcome": "redis"}, func() uint64 { return stats().Found })
	f.counter("shared_pages_total", pages, prometheus.Labels{"operation": "get", "outcome": "none"}, func() uint64 { return stats().NotFound })
}
