//go:build full

package otel_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	v1 "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

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
