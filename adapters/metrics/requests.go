package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Label values that stand for many.
const (
	noRoute = "none" // URLs without a route
	other   = "other"
)

// maxRoutes is how many routes get their own label value. A handler has far
// fewer: the limit is for one that passes paths instead of patterns.
const maxRoutes = 256

// Request is a finished request.
type Request struct {
	// Route is the pattern of the path, or "" if there is none.
	Route    string
	Method   string
	Status   int
	Bytes    int64
	Duration time.Duration
	// Unchecked means that the request passed without a decision of the rate
	// limiter.
	Unchecked bool
}

// seriesKey identifies a series.
type seriesKey struct {
	route, method string
	status        int
}

// series holds the metrics of a key, so that they are looked up once.
type series struct {
	count    prometheus.Counter
	bytes    prometheus.Counter
	duration prometheus.Observer
}

// Observe counts a request.
func (m *Metrics) Observe(r Request) {
	key := seriesKey{r.Route, knownMethod(r.Method), knownStatus(r.Status)}
	found, ok := m.series.Load(key)
	if !ok {
		found = m.newSeries(key)
	}
	s := found.(*series) //nolint:errcheck // nothing else is in the map
	s.count.Inc()
	s.bytes.Add(float64(max(0, r.Bytes)))
	s.duration.Observe(r.Duration.Seconds())
	if r.Unchecked {
		m.unchecked.Inc()
	}
}

func (m *Metrics) newSeries(key seriesKey) any {
	route := m.routes.name(key.route)
	code := other
	if key.status != 0 {
		code = strconv.Itoa(key.status)
	}
	s := &series{
		count:    m.requests.WithLabelValues(route, key.method, code),
		bytes:    m.bytes.WithLabelValues(route),
		duration: m.duration.WithLabelValues(route),
	}
	if route == other {
		return s // not kept, since there may be any number of keys
	}
	found, _ := m.series.LoadOrStore(key, s)
	return found
}

// knownMethod returns a method of HTTP, or other.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	default:
		return other
	}
}

// knownStatus returns a status of HTTP, or 0.
func knownStatus(status int) int {
	if http.StatusText(status) == "" {
		return 0
	}
	return status
}

// routes are those that have their own label value.
type routes struct {
	mu    sync.Mutex
	known map[string]bool
}

// name returns the label value of a route.
func (rs *routes) name(route string) string {
	if route == "" {
		return noRoute
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.known == nil {
		rs.known = make(map[string]bool)
	}
	if !rs.known[route] && len(rs.known) >= maxRoutes {
		return other
	}
	rs.known[route] = true
	return route
}

// Handler returns a handler that counts the requests in flight of another. All
// else about requests is counted by [Metrics.Observe].
func (m *Metrics) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		next.ServeHTTP(w, r)
	})
}
