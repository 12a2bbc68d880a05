//go:build full

package otel

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
)

// delivery sends one kind of data, and logs when that begins to fail and when it
// works again.
type delivery struct {
	what string
	log  *slog.Logger
	// ended ends what is being sent, since the SDK lets it go on after a
	// shutdown.
	ended context.Context //nolint:containedctx // it belongs to the exporter, not to a call

	mu     sync.Mutex
	failed bool
}

// send calls a function that sends something. Failures end here: the SDK would pass
// each of them to its error handler.
func (d *delivery) send(ctx context.Context, deliver func(context.Context) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.ended, cancel)()
	err := deliver(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case err != nil && !d.failed:
		d.log.Warn("sending "+d.what+" to the OpenTelemetry collector failed", "error", brief(err))
	case err == nil && d.failed:
		d.log.Info("sending " + d.what + " to the OpenTelemetry collector works again")
	}
	d.failed = err != nil
}

// spanExporter is a [trace.SpanExporter] that logs failures.
type spanExporter struct {
	trace.SpanExporter
	delivery
}

// ExportSpans implements [trace.SpanExporter].
func (e *spanExporter) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	e.send(ctx, func(ctx context.Context) error { return e.SpanExporter.ExportSpans(ctx, spans) })
	return nil
}

// metricExporter is a [metric.Exporter] that logs failures.
type metricExporter struct {
	metric.Exporter
	delivery
}

// Export implements [metric.Exporter].
func (e *metricExporter) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	e.send(ctx, func(ctx context.Context) error { return e.Exporter.Export(ctx, m) })
	return nil
}

// repeated is an error handler that does not log the same error twice in a row.
type repeated struct {
	log *slog.Logger

	mu   sync.Mutex
	last string
}

// Handle implements the ErrorHandler of OpenTelemetry.
func (r *repeated) Handle(err error) {
	text := brief(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if text != r.last {
		r.log.Warn("OpenTelemetry failed", "error", text)
		r.last = text
	}
}

// maxError is the length of the longest error that is logged: it may contain what a
// collector has answered.
const maxError = 500

func brief(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), maxError)], "")
}
