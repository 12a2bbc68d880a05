package metrics

import (
	"cmp"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// namespace is the prefix of all metric names of this module.
const namespace = "datachain"

// Options configure [Metrics]. The zero value and nil are the defaults.
type Options struct {
	// Build identifies the running program. Empty fields are taken from the
	// build information that the go command adds, if it has them: a program
	// that was not built from a repository has no revision.
	Build Build
	// Limiter returns the counts of a rate limiter; nil omits them. It is
	// called each time the metrics are read.
	Limiter func() ratelimit.Stats
	// Shared returns the state of what servers share through Redis; nil omits
	// it. It is called like Limiter.
	Shared func() Shared
	// InTrouble reports whether the store fails now, although last good data
	// is served; nil omits the metric. It is called like Limiter. Use the Err
	// method of a laststore.Store.
	InTrouble func() bool
	// Served returns what is served of the store; nil omits it. It is called
	// like Limiter. Use the Status method of a laststore.Store.
	Served func() Served
}

// Build identifies a program.
type Build struct{ Version, Revision, GoVersion string }

// orStamped fills empty fields from the build information.
func (b Build) orStamped() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.GoVersion = cmp.Or(b.GoVersion, runtime.Version())
		return b
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = cmp.Or(b.Revision, s.Value)
		}
	}
	b.Version = cmp.Or(b.Version, info.Main.Version)
	b.GoVersion = cmp.Or(b.GoVersion, info.GoVersion)
	return b
}

// Metrics counts requests and reads of the store. It is safe for concurrent use.
// Make one with [New].
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	inFlight prometheus.Gauge
	// unchecked counts requests without a decision of the limiter.
	unchecked prometheus.Counter
	series    sync.Map // from seriesKey to *series
	routes    routes

	reads   *prometheus.CounterVec
	reading *prometheus.HistogramVec
	trouble prometheus.Counter
	loaded  loaded
}

// The buckets of durations, in seconds: a cached response takes less than 0.1 ms,
// and the longest time limit is 5 s by default.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// New returns metrics with a registry of their own.
func New(o *Options) *Metrics {
	var d Options
	if o != nil {
		d = *o
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("http_requests_total", "HTTP requests.", "route", "method", "code"),
		duration: histograms("http_request_duration_seconds", "Duration of HTTP requests.", "route"),
		bytes:    counters("http_response_bytes_total", "Bytes of HTTP response bodies.", "route"),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "http_requests_in_flight", Help: "HTTP requests in flight.",
		}),
		unchecked: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "limiter_unchecked_total", Help: "Requests that passed because the rate limiter failed or exceeded its budget.",
		}),
		reads:   counters("store_reads_total", "Reads of the store.", "kind", "outcome"),
		reading: histograms("store_read_duration_seconds", "Duration of reads of the store.", "kind"),
		trouble: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "store_trouble_total", Help: "Reported problems of the store, including those hidden by last good data.",
		}),
	}
	m.registry.MustRegister(
		m.requests, m.duration, m.bytes, m.inFlight, m.unchecked, m.reads, m.reading, m.trouble, &m.loaded,
		buildInfo(d.Build.orStamped()), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	if d.InTrouble != nil {
		m.registry.MustRegister(troubled(d.InTrouble))
	}
	if d.Served != nil {
		m.registry.MustRegister(served(d.Served))
	}
	if d.Limiter != nil {
		m.registry.MustRegister(limiter(d.Limiter))
	}
	if d.Shared != nil {
		m.registry.MustRegister(shared(d.Shared))
	}
	return m
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func histograms(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

func troubled(now func() bool) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "store_in_trouble", Help: "1 while the store has a problem, even if last good data is served.",
	}, func() float64 {
		if now() {
			return 1
		}
		return 0
	})
}

func buildInfo(b Build) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "The running program.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.GoVersion},
	})
	g.Set(1)
	return g
}

// Page returns the handler that serves the metrics to Prometheus.
func (m *Metrics) Page() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Gatherer returns the metrics for programs that send them elsewhere.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Report counts a problem of the store. It is a Report function for
// [github.com/datachain-go/datachain/adapters/laststore.Options] and for
// [github.com/datachain-go/datachain.Options].
func (m *Metrics) Report(error) { m.trouble.Inc() }
