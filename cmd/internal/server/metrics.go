package server

import (
	"cmp"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// namespace is the prefix of all metric names of this module.
const namespace = "datachain"

// MetricsOptions configure [Metrics]. The zero value and nil are the defaults.
type MetricsOptions struct {
	// Build identifies the running program.
	Build Build
	// Limiter returns the counts of a rate limiter; nil omits them. It is
	// called each time the metrics are read.
	Limiter func() ratelimit.Stats
	// Shared returns the state of what servers share through Redis; nil omits
	// it. It is called like Limiter.
	Shared func() ShareStats
	// InTrouble reports whether the store fails now, although last good data
	// is served; nil omits the metric. It is called like Limiter. Use the Err
	// method of a laststore.Store.
	InTrouble func() bool
	// Served returns what is served of the store; nil omits it. It is called
	// like Limiter. Use the Status method of a laststore.Store.
	Served func() Served
	// Releases returns the loaded releases; nil omits them. It is called like Limiter.
	Releases func() []Loaded
	// Documents counts the documents of a register; nil omits them. It is called like
	// Limiter.
	Documents func() DocumentStats
}

// DocumentStats are the documents of a register by their state.
type DocumentStats struct {
	Published, Retired, Withdrawn, Erased int
	// Refused are those that can't be published.
	Refused int
	// Failing is why origins are not read, or refused: a reason as trust.Reason names it,
	// or unreadable.
	Failing []string
	// Changed is when something changed last.
	Changed time.Time
}

// Build identifies a program.
type Build struct{ Version, Revision, GoVersion string }

// Metrics has Prometheus metrics for a service: requests, the rate
// limiter, reads of the store, and the loaded releases.
//
//	var store *laststore.Store
//	m := server.NewMetrics(&server.MetricsOptions{InTrouble: func() bool { return store.Err() != nil }})
//	store, err = laststore.New(m.Store(inner), &laststore.Options{Report: m.Report})
//	service, err := datachain.New(store, &datachain.Options{Report: m.Report})
//	http.Handle("/metrics", m.Page())
//
// The example also wires the HTTP handler and the limiter. Put the counted store
// inside the laststore.Store, which hides failures: then they are counted.
//
// The metrics are
//
//	datachain_http_requests_total{route,method,code}
//	datachain_http_request_duration_seconds{route}      histogram
//	datachain_http_response_bytes_total{route}
//	datachain_http_requests_in_flight                   in the handler of Handler
//	datachain_limiter_requests_total{bucket,outcome}    allowed or refused
//	datachain_limiter_keys
//	datachain_limiter_bytes
//	datachain_limiter_evicted_total
//	datachain_limiter_unchecked_total                   requests that passed because the limiter failed or was too slow
//	datachain_shared_away                               1 while Redis is unreachable
//	datachain_shared_away_total
//	datachain_shared_decisions_total{by}                redis or local
//	datachain_shared_checks_total                       by Redis
//	datachain_shared_wait_seconds_total
//	datachain_shared_errors_total{kind}
//	datachain_shared_pages_total{operation,outcome}     put or get; redis or none
//	datachain_store_reads_total{kind,outcome}           index, release or icon; ok, not_found, canceled or error
//	datachain_store_read_duration_seconds{kind}         histogram
//	datachain_store_trouble_total                       problems that were reported
//	datachain_store_in_trouble                          1 while the store has a problem
//	datachain_log_refused                               1 while the trusted log does not prove the index, by reason
//	datachain_index_age_seconds                         since the store was last found to have the served index
//	datachain_oldest_unread_change_seconds              since the index first named content that was not read
//	datachain_aliases_held                              aliases that wait for a version that can't be read
//	datachain_documents{state}                          published, retired, withdrawn or erased
//	datachain_documents_refused                         documents that can't be published
//	datachain_documents_in_trouble{reason}              origins of documents that fail: last good documents are served
//	datachain_documents_changed_timestamp_seconds       when a document changed last
//	datachain_release_info{version,content_hash}        1 for each loaded release
//	datachain_build_info{version,revision,goversion}    1
//
// and those of the Go runtime and the process (go_*, process_*).
//
// The number of series is bounded whatever clients send: a route is a pattern,
// all unknown URLs are one, and unknown methods and statuses are "other".
//
// It is safe for concurrent use. Make one with [NewMetrics].
type Metrics struct {
	options  MetricsOptions
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	inFlight prometheus.Gauge
	// unchecked counts requests without a decision of the limiter.
	unchecked prometheus.Counter

	reads   *prometheus.CounterVec
	reading *prometheus.HistogramVec
	trouble prometheus.Counter

	gathering sync.Mutex
	// These are set while gathering, since the values of their labels change.
	releases, refusedLog, documentsInTrouble *prometheus.GaugeVec
}

// The buckets of durations, in seconds: a cached response takes less than 0.1 ms,
// and the longest time limit is 5 s by default.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// NewMetrics returns metrics with a registry of their own.
func NewMetrics(o *MetricsOptions) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	if o != nil {
		m.options = *o
	}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f := factory{promauto.With(m.registry)}
	m.requests = f.counters("http_requests_total", "HTTP requests.", "route", "method", "code")
	m.duration = f.histograms("http_request_duration_seconds", "Duration of HTTP requests.", "route")
	m.bytes = f.counters("http_response_bytes_total", "Bytes of HTTP response bodies.", "route")
	m.inFlight = f.gauges("http_requests_in_flight", "HTTP requests in flight.").WithLabelValues()
	m.unchecked = f.counters("limiter_unchecked_total", "Requests that passed because the rate limiter failed or exceeded its budget.").WithLabelValues()
	m.reads = f.counters("store_reads_total", "Reads of the store.", "kind", "outcome")
	m.reading = f.histograms("store_read_duration_seconds", "Duration of reads of the store.", "kind")
	m.trouble = f.counters("store_trouble_total", "Reported problems of the store, including those hidden by last good data.").WithLabelValues()
	b := m.options.Build
	f.gauges("build_info", "The running program.", "version", "revision", "goversion").WithLabelValues(b.Version, b.Revision, b.GoVersion).Set(1)
	m.addStore(f)
	m.addDocuments(f)
	m.addLimiter(f)
	m.addShared(f)
	return m
}

// Page returns the handler that serves the metrics to Prometheus.
func (m *Metrics) Page() http.Handler {
	return promhttp.HandlerFor(prometheus.GathererFunc(m.gather), promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// gather reads the metrics.
func (m *Metrics) gather() ([]*dto.MetricFamily, error) {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	if m.options.Releases != nil {
		m.releases.Reset()
		for _, r := range m.options.Releases() {
			m.releases.WithLabelValues(r.ID.String(), r.ContentHash.String()).Set(1)
		}
	}
	if m.options.Served != nil {
		m.refusedLog.Reset()
		if reason := m.options.Served().Refused; reason != "" {
			m.refusedLog.WithLabelValues(reason).Set(1)
		}
	}
	if m.options.Documents != nil {
		m.documentsInTrouble.Reset()
		for _, reason := range m.options.Documents().Failing {
			m.documentsInTrouble.WithLabelValues(reason).Inc()
		}
	}
	return m.registry.Gather()
}

// Report counts a problem of the store. It is a Report function for
// [github.com/datachain-go/datachain/adapters/laststore.Options] and for
// [github.com/datachain-go/datachain.Options].
func (m *Metrics) Report(error) { m.trouble.Inc() }

// Label values that stand for many.
const (
	noRoute = "none"  // URLs without a route
	other   = "other" // methods and statuses that HTTP does not have
)

// Observe counts a request.
func (m *Metrics) Observe(r httpapi.Observation) {
	route := cmp.Or(r.Route, noRoute)
	m.requests.WithLabelValues(route, knownMethod(r.Method), knownStatus(r.Status)).Inc()
	m.bytes.WithLabelValues(route).Add(float64(max(0, r.Bytes)))
	m.duration.WithLabelValues(route).Observe(r.Duration.Seconds())
	if r.Unchecked {
		m.unchecked.Inc()
	}
}

// knownMethod returns a method of HTTP, or other.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	default:
		return other
	}
}

// knownStatus returns a status of HTTP, or other.
func knownStatus(status int) string {
	if http.StatusText(status) == "" {
		return other
	}
	return strconv.Itoa(status)
}

// Handler returns a handler that counts the requests in flight of another. [Metrics.Observe] counts
// everything else.
func (m *Metrics) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		next.ServeHTTP(w, r)
	})
}
