//go:build full

package otel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	global "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	api "go.opentelemetry.io/otel/trace"
)

// scope names what made the spans. Collectors filter by it, so it stays as it was published.
const scope = "github.com/datachain-go/datachain/adapters/otel"

// Options configure [Start].
type Options struct {
	// Metrics are sent; nil sends none.
	Metrics prometheus.Gatherer
	// Version is that of the program; it may be empty.
	Version string
	// Logger gets the failures; nil discards them.
	Logger *slog.Logger
}

// Export sends traces and metrics. It is safe for concurrent use. Make one with
// [Start].
type Export struct {
	tracer  api.Tracer
	traces  *trace.TracerProvider
	metrics *metric.MeterProvider
	// abandon ends what is being sent.
	abandon context.CancelFunc
}

// Start begins to send traces and metrics. It does not wait for the collector, so
// the error is one of the settings. The name of the service is datachain unless
// the environment names it.
//
// Start sets the logger and the error handler of OpenTelemetry, of which a program
// has one each.
func Start(o *Options) (*Export, error) {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	global.SetLogger(logr.FromSlogHandler(d.Logger.Handler()))
	global.SetErrorHandler(&repeated{log: d.Logger})
	ctx, abandon := context.WithCancel(context.Background())
	e, err := start(ctx, &d)
	if err != nil {
		abandon()
		return nil, fmt.Errorf("otel: %w", err)
	}
	e.abandon = abandon
	return e, nil
}

// start opens both exporters. What they send ends with ctx.
func start(ctx context.Context, o *Options) (*Export, error) {
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
func (o *Options) resource(ctx context.Context) (*resource.Resource, error) {
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
