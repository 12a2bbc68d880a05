// Package otel sends traces and metrics of a server to an OpenTelemetry collector,
// with OTLP over HTTP. It is empty unless programs are built with the tag full, so
// that others do not contain the SDK:
//
//	go build -tags full ./cmd/datachain
//
// [Start] begins to send, [Export.Handler] makes a span for each request, and the
// metrics are those of a Prometheus registry, such as that of package metrics. The
// SDK reads its settings from the usual environment variables, such as
// OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES,
// OTEL_TRACES_SAMPLER and OTEL_METRIC_EXPORT_INTERVAL.
//
// A collector that fails or hangs does not delay requests: spans wait in a queue of
// bounded size, and are dropped if it is full. Its failure is logged once.
package otel
