//go:build full

package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	global "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	api "go.opentelemetry.io/otel/trace"

	"github.com/datachain-go/datachain/internal/concurrent"
)

// scope names what made the spans. Collectors filter by it, so it stays as it was published.
const scope = "github.com/datachain-go/datachain/adapters/otel"

// ExportOptions configure [StartExport].
type ExportOptions struct {
	// Metrics are sent; nil sends none.
	Metrics prometheus.Gatherer
	// Version is that of the program; it may be empty.
	Version string
	// Logger gets the failures; nil discards them.
	Logger *slog.Logger
}

// Export sends traces and metrics to a collector, with OTLP over HTTP. It is safe for concurrent
// use. Make one with [StartExport].
//
// The SDK reads its settings from the usual environment variables, such as
// OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES,
// OTEL_TRACES_SAMPLER and OTEL_METRIC_EXPORT_INTERVAL. A collector that fails or hangs does
// not delay requests: spans wait in a queue of bounded size, and are dropped if it is full.
// Its failure is logged once.
type Export struct {
	tracer  api.Tracer
	traces  *trace.TracerProvider
	metrics *metric.MeterProvider
	// abandon ends what is being sent.
	abandon context.CancelFunc
}

// StartExport begins to send traces and metrics. It does not wait for the collector, so
// the error is one of the settings. The name of the service is datachain unless
// the environment names it.
//
// StartExport sets the logger and the error handler of OpenTelemetry, of which a program
// has one each.
func StartExport(o *ExportOptions) (*Export, error) {
	var d ExportOptions
	if o != nil {
		d = *o
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	global.SetLogger(logr.FromSlogHandler(d.Logger.Handler()))
	global.SetErrorHandler(&repeated{log: d.Logger})
	ctx, abandon := context.WithCancel(context.Background())
	e, err := startExport(ctx, &d)
	if err != nil {
		abandon()
		return nil, fmt.Errorf("otel: %w", err)
	}
	e.abandon = abandon
	return e, nil
}

// startExport opens both exporters. What they send ends with ctx.
func startExport(ctx context.Context, o *ExportOptions) (*Export, error) {
	origin, err := o.resource(ctx)
	if err != nil {
		return nil, err
	}
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	points, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, errors.Join(err, spans.Shutdown(ctx))
	}
	var producers []metric.PeriodicReaderOption
	if o.Metrics != nil {
		producers = append(producers, metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(o.Metrics))))
	}
	e := &Export{
		traces: trace.NewTracerProvider(trace.WithResource(origin),
			trace.WithBatcher(&spanExporter{spans, delivery{what: "traces", log: o.Logger, ended: ctx}})),
		metrics: metric.NewMeterProvider(metric.WithResource(origin),
			metric.WithReader(metric.NewPeriodicReader(&metricExporter{points, delivery{what: "metrics", log: o.Logger, ended: ctx}}, producers...))),
	}
	e.tracer = e.traces.Tracer(scope, api.WithInstrumentationVersion(o.Version))
	return e, nil
}

// resource describes the program. Each process is an instance, so that the metrics
// of several servers are told apart.
func (o *ExportOptions) resource(ctx context.Context) (*resource.Resource, error) {
	program := []attribute.KeyValue{semconv.ServiceName("datachain")}
	if o.Version != "" {
		program = append(program, semconv.ServiceVersion(o.Version))
	}
	return resource.New(ctx,
		resource.WithSchemaURL(semconv.SchemaURL), resource.WithTelemetrySDK(), resource.WithHost(), resource.WithService(),
		resource.WithAttributes(program...),
		resource.WithFromEnv(), // the last one overrides the others
	)
}

// Shutdown sends what has not been sent yet. It returns when ctx ends at the
// latest; what is left then is lost, and the error says so.
func (e *Export) Shutdown(ctx context.Context) error {
	defer e.abandon()
	defer context.AfterFunc(ctx, e.abandon)()
	var traces, metrics error
	var both sync.WaitGroup
	both.Go(func() { traces = e.traces.Shutdown(ctx) })
	both.Go(func() { metrics = e.metrics.Shutdown(ctx) })
	both.Wait()
	if err := errors.Join(traces, metrics); err != nil {
		return fmt.Errorf("otel: %w", err)
	}
	return nil
}

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

// Attributes of spans that no convention names.
const (
	schemaVersion = attribute.Key("datachain.schema_version")
	requestID     = attribute.Key("datachain.request_id")
)

// maxText is the length of the longest attribute, so that queued spans have a
// bounded size.
const maxText = 256

// Handler returns a handler that makes a span for each request of another. The span
// continues the trace of the client, if it sent a traceparent, and its name is the
// pattern that the other handler sets in the request. That handler sees a
// traceparent that names the span.
func (e *Export) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := spanMethod(r.Method)
		ctx, span := e.tracer.Start(parent(r), spanName(method, ""), api.WithSpanKind(api.SpanKindServer),
			api.WithAttributes(semconv.HTTPRequestMethodKey.String(method), semconv.URLPath(shorten(r.URL.EscapedPath()))))
		r = r.WithContext(ctx)
		r.Header = maps.Clone(r.Header)
		r.Header.Del("Tracestate")
		propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(r.Header))
		if !span.IsRecording() {
			next.ServeHTTP(w, r)
			return
		}
		answer := &recorder{ResponseWriter: w}
		defer func() { answer.finish(span, method, r) }()
		next.ServeHTTP(answer, r)
		answer.complete = true
	})
}

// parent returns the context of a request with the span of its client.
func parent(r *http.Request) context.Context {
	o := concurrent.ReadTrace("", r.Header)
	if o.Parent == "" {
		return r.Context()
	}
	return propagation.TraceContext{}.Extract(r.Context(), propagation.MapCarrier{"traceparent": o.Parent, "tracestate": o.State})
}

// recorder is a response that remembers its status.
type recorder struct {
	http.ResponseWriter
	status   int
	complete bool // false after a panic
}

// WriteHeader implements [http.ResponseWriter].
func (a *recorder) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *recorder) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (a *recorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// finish ends the span of a request.
func (a *recorder) finish(span api.Span, method string, r *http.Request) {
	defer span.End()
	if r.Pattern != "" {
		span.SetName(spanName(method, r.Pattern))
		span.SetAttributes(semconv.HTTPRoute(r.Pattern))
	}
	if version := wildcard("{version}", r); version != "" {
		span.SetAttributes(schemaVersion.String(shorten(version)))
	}
	if id := a.Header().Get("X-Request-Id"); id != "" {
		span.SetAttributes(requestID.String(shorten(id)))
	}
	if a.status == 0 && a.complete {
		a.status = http.StatusOK // as net/http has it
	}
	if a.status != 0 {
		span.SetAttributes(semconv.HTTPResponseStatusCode(a.status))
	}
	switch {
	case !a.complete:
		span.SetStatus(codes.Error, "the response was aborted")
	case a.status >= http.StatusInternalServerError:
		span.SetStatus(codes.Error, http.StatusText(a.status))
	}
}

// wildcard returns the segment of the path of a request that a segment of its
// pattern stands for, or "".
func wildcard(name string, r *http.Request) string {
	path := r.URL.EscapedPath()
	for rest := r.Pattern; rest != ""; {
		var want, segment string
		want, rest, _ = strings.Cut(rest, "/")
		segment, path, _ = strings.Cut(path, "/")
		if want == name {
			return segment
		}
	}
	return ""
}

// shorten returns the part of a text that is kept. Invalid UTF-8 would make the
// whole batch of spans invalid.
func shorten(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxText)], "") }

// spanName returns the name of a span as the conventions for HTTP have it.
func spanName(method, route string) string {
	if method == otherMethod {
		method = "HTTP"
	}
	if route == "" {
		return method
	}
	return method + " " + route
}

// otherMethod stands for methods that are not of HTTP.
const otherMethod = "_OTHER"

func spanMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodTrace:
		return method
	}
	return otherMethod
}
