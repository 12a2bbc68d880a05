//go:build full

package serve_test

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	v1 "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/datachain-go/datachain/internal/serve"
)

const (
	traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	spanID  = "00f067aa0ba902b7"
	parent  = "00-" + traceID + "-" + spanID + "-01"
)

// startExport begins to send, with a log.
func startExport(t *testing.T, metrics prometheus.Gatherer) (*serve.Export, *lockedBuffer) {
	t.Helper()
	log := new(lockedBuffer)
	e, err := serve.StartExport(&serve.ExportOptions{Metrics: metrics, Version: "v1.2.3", Logger: slog.New(slog.NewTextHandler(log, nil))})
	require.NoError(t, err)
	return e, log
}

// api is a handler like the one of the API. A header of the request says how it
// answers.
func api(t *testing.T, seen *http.Header) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen != nil {
			*seen = r.Header
		}
		r.Pattern = "/api/v2/schemas/{version}/manifest"
		w.Header().Set("X-Request-Id", "request-7")
		switch r.Header.Get("Want") {
		case "abort":
			panic(http.ErrAbortHandler)
		case "503":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "nothing":
		default:
			assert.NoError(t, http.NewResponseController(w).Flush())
			_, err := w.Write([]byte("{}"))
			assert.NoError(t, err)
		}
	})
}

// ask serves one request.
func ask(h http.Handler, method, path string, header http.Header) {
	r := httptest.NewRequest(method, path, nil)
	r.Header = header
	h.ServeHTTP(httptest.NewRecorder(), r)
}

func TestOtelSpan(t *testing.T) {
	c := newCollector(t, nil)
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
	e, log := startExport(t, nil)
	var seen http.Header
	sent := http.Header{"Traceparent": {parent}, "Tracestate": {"a=b"}}
	ask(e.Handler(api(t, &seen)), http.MethodGet, "/api/v2/schemas/ai@latest/manifest", sent)
	require.NoError(t, e.Shutdown(t.Context()))

	require.Len(t, c.spans, 1)
	span := c.spans[0]
	assert.Equal(t, traceID, hex.EncodeToString(span.TraceId))
	assert.Equal(t, spanID, hex.EncodeToString(span.ParentSpanId))
	assert.Equal(t, "GET /api/v2/schemas/{version}/manifest", span.Name)
	assert.Equal(t, traces.Span_SPAN_KIND_SERVER, span.Kind)
	assert.Equal(t, traces.Status_STATUS_CODE_UNSET, span.Status.GetCode())
	assert.Equal(t, map[string]any{
		"http.request.method": "GET", "http.route": "/api/v2/schemas/{version}/manifest", "http.response.status_code": int64(200),
		"url.path": "/api/v2/schemas/ai@latest/manifest", "datachain.schema_version": "ai@latest", "datachain.request_id": "request-7",
	}, values(span.Attributes))
	// What is asked on behalf of the request belongs to its span.
	assert.Equal(t, "00-"+traceID+"-"+hex.EncodeToString(span.SpanId)+"-01", seen.Get("Traceparent"))
	assert.Equal(t, "a=b", seen.Get("Tracestate"))
	assert.Equal(t, parent, sent.Get("Traceparent"), "the headers of the caller are changed")
	origin := values(c.resources[0].Attributes)
	assert.Equal(t, "datachain", origin["service.name"])
	assert.Equal(t, "v1.2.3", origin["service.version"])
	assert.Equal(t, "test", origin["deployment.environment"])
	assert.NotEmpty(t, origin["service.instance.id"])
	assert.Empty(t, log.String())
}

func TestOtelStatus(t *testing.T) {
	c := newCollector(t, nil)
	e, _ := startExport(t, nil)
	h := e.Handler(api(t, nil))
	ask(h, http.MethodGet, "/", http.Header{"Want": {"503"}})
	ask(h, http.MethodGet, "/", http.Header{"Want": {"nothing"}})
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { ask(h, http.MethodGet, "/", http.Header{"Want": {"abort"}}) })
	require.NoError(t, e.Shutdown(t.Context()))
	require.Len(t, c.spans, 3)
	for i, want := range []any{int64(503), int64(200), nil} {
		assert.Equal(t, want, values(c.spans[i].Attributes)["http.response.status_code"])
		assert.Equal(t, i != 1, c.spans[i].Status.GetCode() == traces.Status_STATUS_CODE_ERROR)
	}
}

// TestOtelHostile shows that no request makes a batch invalid, or a span large.
func TestOtelHostile(t *testing.T) {
	c := newCollector(t, nil)
	e, log := startExport(t, nil)
	h := e.Handler(api(t, nil))
	ask(h, http.MethodGet, "/api/v2/schemas/%ff%fe/manifest", http.Header{"X-Request-Id": {"\xff"}})
	ask(h, http.MethodGet, "/"+strings.Repeat("%c3%a9", 10000), http.Header{"Traceparent": {parent, parent}})
	ask(h, "BREW", "/", http.Header{"Traceparent": {"\xff"}, "Tracestate": {"\xff"}})
	ask(h, http.MethodGet, "/", http.Header{"Traceparent": {parent}, "Tracestate": {"\xff,=,=="}})
	require.NoError(t, e.Shutdown(t.Context()))
	require.Len(t, c.spans, 4, log)
	for i, span := range c.spans {
		assert.Equal(t, i == 3, hex.EncodeToString(span.TraceId) == traceID)
		for key, value := range values(span.Attributes) {
			if text, ok := value.(string); ok {
				assert.LessOrEqual(t, len(text), 256, key)
			}
		}
	}
	assert.Equal(t, "%ff%fe", values(c.spans[0].Attributes)["datachain.schema_version"])
	assert.True(t, strings.HasPrefix(c.spans[2].Name, "HTTP "), c.spans[2].Name)
}

func TestOtelSampler(t *testing.T) {
	c := newCollector(t, nil)
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	t.Setenv("OTEL_SERVICE_NAME", "chains")
	e, _ := startExport(t, prometheus.NewRegistry())
	var seen http.Header
	ask(e.Handler(api(t, &seen)), http.MethodGet, "/", http.Header{"Traceparent": {parent}})
	require.NoError(t, e.Shutdown(t.Context()))
	assert.Empty(t, c.spans)
	assert.True(t, strings.HasPrefix(seen.Get("Traceparent"), "00-"+traceID) && strings.HasSuffix(seen.Get("Traceparent"), "-00"), seen)
}

func TestOtelMetrics(t *testing.T) {
	c := newCollector(t, nil)
	t.Setenv("OTEL_SERVICE_NAME", "chains")
	registry := prometheus.NewRegistry()
	count := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total"}, []string{"route"})
	duration := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "duration_seconds", Buckets: []float64{1, 2}})
	registry.MustRegister(count, duration)
	count.WithLabelValues("/a").Add(3)
	duration.Observe(1.5)
	e, log := startExport(t, registry)
	require.NoError(t, e.Shutdown(t.Context()))
	require.Contains(t, c.metrics, "requests_total", log)
	point := c.metrics["requests_total"].GetSum().DataPoints[0]
	assert.InDelta(t, 3, point.GetAsDouble(), 0)
	assert.Equal(t, map[string]any{"route": "/a"}, values(point.Attributes))
	assert.Equal(t, []uint64{0, 1, 0}, c.metrics["duration_seconds"].GetHistogram().DataPoints[0].BucketCounts)
	assert.Equal(t, "chains", values(c.resources[0].Attributes)["service.name"])
}

// TestOtelHanging serves more requests than the queue holds while the collector does
// not answer, and then stops without it.
func TestOtelHanging(t *testing.T) {
	others := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, others) }) // after that of the collector
	hang := make(chan struct{})
	c := newCollector(t, hang)
	defer close(hang)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
	t.Setenv("OTEL_BSP_MAX_QUEUE_SIZE", "64")
	e, log := startExport(t, prometheus.NewRegistry())
	h := e.Handler(api(t, nil))
	for c.asked.Load() == 0 {
		ask(h, http.MethodGet, "/", http.Header{})
	}
	for range 1000 {
		ask(h, http.MethodGet, "/", http.Header{})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, e.Shutdown(ctx), context.DeadlineExceeded)
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "sending traces") }, 30*time.Second, time.Millisecond,
		"what is being sent is not ended")
}

// TestOtelFailing shows that a failure is logged once, until it is over.
func TestOtelFailing(t *testing.T) {
	c := newCollector(t, nil)
	c.status.Store(http.StatusInternalServerError)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
	e, log := startExport(t, nil)
	h := e.Handler(api(t, nil))
	asked := func(what string, done func() bool) {
		require.Eventually(t, func() bool {
			ask(h, http.MethodGet, "/", http.Header{})
			return done()
		}, 30*time.Second, 2*time.Millisecond, what)
	}
	asked("spans are not sent", func() bool { return c.asked.Load() > 5 })
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log)
	assert.Contains(t, log.String(), "sending traces to the OpenTelemetry collector failed")
	assert.Less(t, len(log.String()), 1000)
	c.status.Store(0)
	asked("it does not recover", func() bool { return strings.Contains(log.String(), "works again") })
	require.NoError(t, e.Shutdown(t.Context()))
	assert.Equal(t, 2, strings.Count(log.String(), "\n"), log)
}

// TestOtelSettings shows that the SDK's complaints are in the log.
func TestOtelSettings(t *testing.T) {
	newCollector(t, nil)
	t.Setenv("OTEL_TRACES_SAMPLER", "nonsense")
	e, log := startExport(t, nil)
	require.NoError(t, e.Shutdown(t.Context()))
	assert.Contains(t, log.String(), "nonsense")
	e, err := serve.StartExport(nil)
	require.NoError(t, err)
	require.NoError(t, e.Shutdown(t.Context()))
}

// collector is an OpenTelemetry collector in memory.
type collector struct {
	t *testing.T
	// status is the answer to everything, if it is not 0, and asked counts the
	// requests.
	status, asked atomic.Int32
	// hang makes requests wait until it is closed, if it is not nil.
	hang chan struct{}

	mu        sync.Mutex
	spans     []*traces.Span
	metrics   map[string]*v1.Metric
	resources []*resource.Resource
}

// newCollector starts a collector that the SDK finds in the environment.
func newCollector(t *testing.T, hang chan struct{}) *collector {
	t.Helper()
	c := &collector{t: t, metrics: map[string]*v1.Metric{}, hang: hang}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return c
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	c.asked.Add(1)
	if c.hang != nil {
		<-c.hang
		return
	}
	assert.NoError(c.t, err)
	if status := c.status.Load(); status != 0 {
		w.WriteHeader(int(status))
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<16))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.URL.Path {
	case "/v1/traces":
		got := new(collecttraces.ExportTraceServiceRequest)
		assert.NoError(c.t, proto.Unmarshal(body, got))
		for _, rs := range got.ResourceSpans {
			c.resources = append(c.resources, rs.Resource)
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
	case "/v1/metrics":
		got := new(collectmetrics.ExportMetricsServiceRequest)
		assert.NoError(c.t, proto.Unmarshal(body, got))
		for _, rm := range got.ResourceMetrics {
			c.resources = append(c.resources, rm.Resource)
			for _, sm := range rm.ScopeMetrics {
				for _, m := range sm.Metrics {
					c.metrics[m.Name] = m
				}
			}
		}
	default:
		assert.Fail(c.t, r.URL.Path)
	}
}

// values returns attributes as a map.
func values(list []*common.KeyValue) map[string]any {
	m := map[string]any{}
	for _, kv := range list {
		switch v := kv.Value.Value.(type) {
		case *common.AnyValue_StringValue:
			m[kv.Key] = v.StringValue
		case *common.AnyValue_IntValue:
			m[kv.Key] = v.IntValue
		}
	}
	return m
}
