package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

// metric is a metric whose value is read when the metrics are.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

func gauge(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil), prometheus.GaugeValue}
}

func counter(name, help string, labels ...string) metric {
	return metric{prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil), prometheus.CounterValue}
}

// collector is a [prometheus.Collector] of metrics that belong together. Its function sends them.
type collector struct {
	metrics []metric
	collect func(send sendFunc)
}

type sendFunc func(m metric, value float64, labels ...string)

// Describe implements [prometheus.Collector].
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, m := range c.metrics {
		to <- m.desc
	}
}

// Collect implements [prometheus.Collector].
func (c collector) Collect(to chan<- prometheus.Metric) {
	c.collect(func(m metric, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, value, labels...)
	})
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var buildInfo = gauge("build_info", "The running program.", "version", "revision", "goversion")

// collectBuild collects what the program is.
func collectBuild(b Build) collector {
	return collector{[]metric{buildInfo}, func(send sendFunc) {
		send(buildInfo, 1, b.Version, b.Revision, b.GoVersion)
	}}
}

var storeInTrouble = gauge("store_in_trouble", "1 while the store has a problem, even if last good data is served.")

// collectTrouble collects whether the store fails.
func collectTrouble(now func() bool) collector {
	return collector{[]metric{storeInTrouble}, func(send sendFunc) { send(storeInTrouble, oneIf(now())) }}
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

var (
	indexAge    = gauge("index_age_seconds", "Time since the store was last found to have the index that is served.")
	unreadAge   = gauge("oldest_unread_change_seconds", "Time since the index first named content that was not read yet, 0 if all was read.")
	heldAliases = gauge("aliases_held", "Aliases that stay at a version until the one that the index names can be read.")
	refusedLog  = gauge("log_refused", "1 while the trusted log does not prove the index of the store, by reason.", "reason")
)

// collectServed collects what is served of a store.
func collectServed(stats func() Served) collector {
	return collector{[]metric{indexAge, unreadAge, heldAliases, refusedLog}, func(send sendFunc) {
		now := stats()
		if !now.Confirmed.IsZero() {
			send(indexAge, time.Since(now.Confirmed).Seconds())
		}
		unread := 0.0
		if !now.Unread.IsZero() {
			unread = time.Since(now.Unread).Seconds()
		}
		send(unreadAge, unread)
		send(heldAliases, float64(now.HeldAliases))
		if now.Refused != "" {
			send(refusedLog, 1, now.Refused)
		}
	}}
}

var (
	limiterRequests = counter("limiter_requests_total", "Decisions of the rate limiter.", "bucket", "outcome")
	limiterKeys     = gauge("limiter_keys", "Keys in the rate limiter.")
	limiterBytes    = gauge("limiter_bytes", "Memory used by the keys of the rate limiter.")
	limiterEvicted  = counter("limiter_evicted_total", "Keys that the rate limiter evicted while they still counted.")
)

// collectLimiter collects the counts of a limiter.
func collectLimiter(stats func() ratelimit.Stats) collector {
	return collector{[]metric{limiterRequests, limiterKeys, limiterBytes, limiterEvicted}, func(send sendFunc) {
		now := stats()
		for b := range now.Allowed {
			bucket := ratelimit.Bucket(b).String()
			send(limiterRequests, float64(now.Allowed[b]), bucket, "allowed")
			send(limiterRequests, float64(now.Refused[b]), bucket, "refused")
		}
		send(limiterKeys, float64(now.Keys))
		send(limiterBytes, float64(now.Bytes))
		send(limiterEvicted, float64(now.Evicted))
	}}
}

var (
	sharedAway      = gauge("shared_away", "1 while Redis is unreachable and this server decides by its share of the limits.")
	sharedTimesAway = counter("shared_away_total", "How often Redis went away.")
	sharedDecisions = counter("shared_decisions_total", "Decisions of the shared rate limiter: by Redis, or local.", "by")
	sharedChecks    = counter("shared_checks_total", "Checks of the rate limiter by Redis, which are a round trip each.")
	sharedWaited    = counter("shared_wait_seconds_total", "Time of these round trips.")
	sharedErrors    = counter("shared_errors_total", "Failures of Redis.", "kind")
	sharedPages     = counter("shared_pages_total", "Pages of sessions: in Redis, or not: too large, not found or lost.", "operation", "outcome")
)

// collectShared collects the state of what servers share.
func collectShared(stats func() redisshare.Stats) collector {
	all := []metric{sharedAway, sharedTimesAway, sharedDecisions, sharedChecks, sharedWaited, sharedErrors, sharedPages}
	return collector{all, func(send sendFunc) {
		now := stats()
		send(sharedAway, oneIf(now.Unreachable))
		send(sharedTimesAway, float64(now.Outages))
		send(sharedDecisions, float64(now.Redis), "redis")
		send(sharedDecisions, float64(now.Local), "local")
		send(sharedChecks, float64(now.Checks))
		send(sharedWaited, now.Waited.Seconds())
		for kind, n := range now.Errors {
			send(sharedErrors, float64(n), kind)
		}
		send(sharedPages, float64(now.Stored), "put", "redis")
		send(sharedPages, float64(now.NotStored), "put", "none")
		send(sharedPages, float64(now.Found), "get", "redis")
		send(sharedPages, float64(now.NotFound), "get", "none")
	}}
}

var (
	documentStates   = gauge("documents", "Documents of the register.", "state")
	documentsRefused = gauge("documents_refused", "Documents that can't be published.")
	documentsFailing = gauge("documents_in_trouble", "Origins of documents that can't be read or are refused, by reason; last good documents are served.", "reason")
	documentsChanged = gauge("documents_changed_timestamp_seconds", "Time of the last change of the register.")
)

// collectDocuments collects the documents of a register.
func collectDocuments(stats func() DocumentStats) collector {
	return collector{[]metric{documentStates, documentsRefused, documentsFailing, documentsChanged}, func(send sendFunc) {
		now := stats()
		send(documentStates, float64(now.Published), "published")
		send(documentStates, float64(now.Retired), "retired")
		send(documentStates, float64(now.Withdrawn), "withdrawn")
		send(documentStates, float64(now.Erased), "erased")
		send(documentsRefused, float64(now.Refused))
		failing := make(map[string]int)
		for _, reason := range now.Failing {
			failing[reason]++
		}
		for reason, n := range failing {
			send(documentsFailing, float64(n), reason)
		}
		send(documentsChanged, float64(now.Changed.UnixMilli())/1000)
	}}
}
