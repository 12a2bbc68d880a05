package serve_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/serve"
)

// unsent counts requests, and never sends the last of them.
type unsent struct {
	requests atomic.Int32
	ended    atomic.Int32
}

func (f *unsent) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		next.ServeHTTP(w, r)
	})
}

func (f *unsent) Shutdown(ctx context.Context) error {
	f.ended.Add(1)
	<-ctx.Done()
	return ctx.Err()
}

// TestTelemetry shows that a server does not wait longer than the drain timeout until
// the last traces are sent.
func TestTelemetry(t *testing.T) {
	t.Parallel()
	f := new(unsent)
	s := start(t, samples(t), serve.Options{
		DrainTimeout: 100 * time.Millisecond,
		Telemetry: func(m *serve.Metrics) (serve.Telemetry, error) {
			found, err := m.Gatherer().Gather()
			assert.NotEmpty(t, found)
			return f, err
		},
	})
	status, _ := s.get("/schemas")
	assert.Equal(t, http.StatusOK, status)
	require.NoError(t, s.stop())
	assert.EqualValues(t, 1, f.requests.Load())
	assert.EqualValues(t, 1, f.ended.Load())
	assert.Contains(t, s.log.String(), "the last traces and metrics were not sent")
}

func TestTelemetryFails(t *testing.T) {
	t.Parallel()
	errBad := errors.New("bad settings")
	err := serve.Run(t.Context(), samples(t), &serve.Options{
		Addr: anyPort, Telemetry: func(*serve.Metrics) (serve.Telemetry, error) { return nil, errBad },
	})
	assert.ErrorIs(t, err, errBad)
}
