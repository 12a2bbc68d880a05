//go:build full

package main

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// TestOtelServer makes a request to a server, and finds its span and the metrics at the
// collector after the server has stopped.
func TestOtelServer(t *testing.T) {
	const traceID, clientSpan = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	parents := map[string]string{} // by the id of a span of the trace
	metrics := map[string]bool{}
	var mu sync.Mutex
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/v1/metrics" {
			got := new(collectmetrics.ExportMetricsServiceRequest)
			assert.NoError(t, proto.Unmarshal(body, got))
			for _, scope := range got.ResourceMetrics[0].ScopeMetrics {
				for _, m := range scope.Metrics {
					metrics[m.Name] = true
				}
			}
			return
		}
		got := new(collecttraces.ExportTraceServiceRequest)
		assert.NoError(t, proto.Unmarshal(body, got))
		for _, scope := range got.ResourceSpans[0].ScopeSpans {
			for _, span := range scope.Spans {
				if hex.EncodeToString(span.TraceId) == traceID {
					parents[hex.EncodeToString(span.SpanId)] = hex.EncodeToString(span.ParentSpanId)
				}
			}
		}
	}))
	t.Cleanup(collector.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "3600000") // until the end
	t.Setenv("OTEL_METRIC_EXPORT_INTERVAL", "3600000")

	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort, "--otel", "on", fastDrain)
	assert.Contains(t, s.log.String(), "Sending traces and metrics by OpenTelemetry\n")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.api+"/schemas", nil)
	require.NoError(t, err)
	r.Header.Set("Traceparent", "00-"+traceID+"-"+clientSpan+"-01")
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Zero(t, s.stop())

	mu.Lock()
	defer mu.Unlock()
	require.Len(t, parents, 1, s.log)
	for _, parent := range parents {
		assert.Equal(t, clientSpan, parent)
	}
	for _, name := range []string{"datachain_http_requests_total", "datachain_http_request_duration_seconds", "datachain_build_info", "go_goroutines"} {
		assert.Contains(t, metrics, name)
	}
	assert.Contains(t, s.log.String(), "trace_id="+traceID)
}
