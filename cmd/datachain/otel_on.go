//go:build otel

package main

import (
	"github.com/datachain-go/datachain/adapters/metrics"
	"github.com/datachain-go/datachain/adapters/otel"
	"github.com/datachain-go/datachain/internal/serve"
)

// errNoTelemetry is why --otel can't be turned on.
var errNoTelemetry error

// export starts what --otel turns on.
func (s *settings) export(m *metrics.Metrics) (serve.Telemetry, error) {
	return otel.Start(&otel.Options{Metrics: m.Gatherer(), Version: s.Build.Version, Logger: s.Logger})
}
