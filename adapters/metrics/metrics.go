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
)

// namespace begins the name of everything that is ours.
const namespace = "datachain"

// Options say what is told besides what is counted here. The zero value and nil
// are the defaults.
type Options struct {
	// Build is the program that is running. What is empty is taken from what
	// the go command wrote into it, as far as that knows: a program that was
	// not built from a repository has no revision.
	Build Build
	// Limiter returns what a limiter has counted; nil leaves it out. It is
	// asked each time that the metrics are read. The example turns the Stats
	// of a ratelimit.Memory into it.
	Limiter func() LimiterStats
	// InTrouble tells whether the store fails now, also where a last good
	// answer hides it; nil leaves it out. It is asked like Limiter. Report and
	// Recovered of the store's own options are what to know it from.
	InTrouble func() bool
}

// Build identifies a program.
type Build struct{ Version, Revision, GoVersion string }

// orStamped fills in what the go command wrote into the program.
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

// LimiterStats are the counts of a limiter since it was made.
type LimiterStats struct {
	Buckets []BucketStats
	// Keys and Bytes are what is held now.
	Keys  int
	Bytes int64
	// Evicted is how many keys were forgotten for want of room.
	Evicted uint64
}

// BucketStats are the counts of one bucket.
type BucketStats struct {
	Name             string
	Allowed, Refused uint64
}

// Metrics counts. It is safe for concurrent use. Make one with [New].
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	inFlight prometheus.Gauge
	series   sync.Map // from seriesKey to *series
	routes   routes

	reads   *prometheus.CounterVec
	reading *prometheus.HistogramVec
	trouble prometheus.Counter
	loaded  loaded
}

// The buckets of durations, in seconds: a cached answer takes less than a tenth
// of a millisecond, and five seconds are the most that is allowed.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// New returns metrics that have counted nothing yet.
func New(o *Options) *Metrics {
	var d Options
	if o != nil {
		d = *o
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("http_requests_total", "Requests that were answered.", "route", "method", "code"),
		duration: histograms("http_request_duration_seconds", "How long answering a request took.", "route"),
		bytes:    counters("http_response_bytes_total", "Bytes of bodies that were sent.", "route"),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		reads:   counters("store_reads_total", "Reads of the store.", "kind", "outcome"),
		reading: histograms("store_read_duration_seconds", "How long a read of the store took.", "kind"),
		trouble: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "store_trouble_total", Help: "Failures of the store that were reported, also where a last good answer hid them.",
		}),
	}
	m.registry.MustRegister(
		m.requests, m.duration, m.bytes, m.inFlight, m.reads, m.reading, m.trouble, &m.loaded,
		buildInfo(d.Build.orStamped()), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	if d.InTrouble != nil {
		m.registry.MustRegister(troubled(d.InTrouble))
	}
	if d.Limiter != nil {
		m.registry.MustRegister(limiter(d.Limiter))
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
		Namespace: namespace, Name: "store_in_trouble", Help: "1 while the store fails, also where a last good answer hides it.",
	}, func() float64 {
		if now() {
			return 1
		}
		return 0
	})
}

func buildInfo(b Build) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "The program that is running.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.GoVersion},
	})
	g.Set(1)
	return g
}

// Page returns the handler of the page that Prometheus reads.
func (m *Metrics) Page() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Report counts a failure of the store that somebody tells of. It is for the
// Report of [github.com/datachain-go/datachain.Options] and for that of the store;
// the package comment says why for both.
func (m *Metrics) Report(error) { m.trouble.Inc() }
