package serve

import (
	"context"
	"net/http"
	"time"
)

// Telemetry sends traces and metrics of a server elsewhere; see package otel.
type Telemetry interface {
	// Handler returns a handler that traces the requests of another.
	Handler(next http.Handler) http.Handler
	// Shutdown sends what has not been sent yet. It returns when ctx ends at the
	// latest.
	Shutdown(ctx context.Context) error
}

// flushTimeout is how long a server that has stopped waits until traces and metrics
// are sent.
const flushTimeout = 5 * time.Second

// trace starts the export of traces and metrics, if it is turned on, and returns a
// handler that traces the requests of another.
func (s *server) trace(next http.Handler) (http.Handler, error) {
	if s.Telemetry == nil {
		return next, nil
	}
	var err error
	if s.telemetry, err = s.Telemetry(s.metrics); err != nil {
		return nil, err
	}
	return s.telemetry.Handler(next), nil
}

// endTelemetry sends the last traces and metrics, in what is left of the time to
// drain.
func (s *server) endTelemetry() {
	if s.telemetry == nil {
		return
	}
	end := time.Now().Add(flushTimeout)
	if !s.drainUntil.IsZero() && s.drainUntil.Before(end) {
		end = s.drainUntil
	}
	ctx, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	if err := s.telemetry.Shutdown(ctx); err != nil {
		s.Logger.Warn("the last traces and metrics were not sent", "error", err)
	}
}
