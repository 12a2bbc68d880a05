package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// page returns the lines of the metrics that are ours.
func page(t testing.TB, m *server.Metrics) []string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Page().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, rec.Code, rec.Body.String())
	var lines []string
	for line := range strings.Lines(rec.Body.String()) {
		if strings.HasPrefix(line, "datachain_") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestMetricsRequests(t *testing.T) {
	m := server.NewMetrics(nil)
	const route = "/api/v2/schemas/{version}/manifest"
	for range 2 {
		m.Observe(httpapi.Observation{Route: route, Method: "GET", Status: 200, Bytes: 50, Duration: 300 * time.Microsecond})
	}
	m.Observe(httpapi.Observation{Route: route, Method: "GET", Status: 404, Bytes: 1, Duration: 3 * time.Second})
	m.Observe(httpapi.Observation{Method: "GET", Status: 404})
	lines := page(t, m)
	for _, want := range []string{
		`datachain_http_requests_total{code="200",method="GET",route="` + route + `"} 2`,
		`datachain_http_requests_total{code="404",method="GET",route="` + route + `"} 1`,
		`datachain_http_requests_total{code="404",method="GET",route="none"} 1`,
		`datachain_http_response_bytes_total{route="` + route + `"} 101`,
		`datachain_http_request_duration_seconds_bucket{route="` + route + `",le="0.00025"} 0`,
		`datachain_http_request_duration_seconds_bucket{route="` + route + `",le="0.0005"} 2`,
		`datachain_http_request_duration_seconds_bucket{route="` + route + `",le="5"} 3`,
		`datachain_http_request_duration_seconds_count{route="` + route + `"} 3`,
		`datachain_http_requests_in_flight 0`,
	} {
		assert.Contains(t, lines, want)
	}
}

// TestMetricsBounded: clients can't create an unlimited number of series.
func TestMetricsBounded(t *testing.T) {
	m := server.NewMetrics(nil)
	before := len(page(t, m))
	for i := range 5000 {
		m.Observe(httpapi.Observation{Route: "/known", Method: fmt.Sprintf("M%d", i), Status: 1000 + i})
	}
	assert.Contains(t, page(t, m), `datachain_http_requests_total{code="other",method="other",route="/known"} 5000`)
	assert.Less(t, len(page(t, m))-before, 30)
}

func TestMetricsInFlight(t *testing.T) {
	m := server.NewMetrics(nil)
	inside := func() (line string) {
		m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			for _, l := range page(t, m) {
				if strings.HasPrefix(l, "datachain_http_requests_in_flight") {
					line = l
				}
			}
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		return line
	}
	assert.Equal(t, "datachain_http_requests_in_flight 1", inside())
	assert.Contains(t, page(t, m), "datachain_http_requests_in_flight 0")

	assert.Panics(t, func() {
		m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no") })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	})
	assert.Contains(t, page(t, m), "datachain_http_requests_in_flight 0", "a panic ends a request, too")
}

// TestMetricsInTrouble: the gauge is read each time, and omitted without InTrouble.
func TestMetricsInTrouble(t *testing.T) {
	now := false
	m := server.NewMetrics(&server.MetricsOptions{InTrouble: func() bool { return now }})
	assert.Contains(t, page(t, m), "datachain_store_in_trouble 0")
	now = true
	assert.Contains(t, page(t, m), "datachain_store_in_trouble 1")
	assert.NotContains(t, strings.Join(page(t, server.NewMetrics(nil)), "\n"), "in_trouble")
}

// TestMetricsServed: ages are counted from times, and omitted or 0 without them.
func TestMetricsServed(t *testing.T) {
	var now server.Served
	m := server.NewMetrics(&server.MetricsOptions{Served: func() server.Served { return now }})
	lines := page(t, m)
	assert.Contains(t, lines, "datachain_oldest_unread_change_seconds 0")
	assert.Contains(t, lines, "datachain_aliases_held 0")
	assert.Contains(t, lines, "datachain_index_age_seconds NaN")
	assert.NotContains(t, strings.Join(lines, "\n"), "datachain_log_refused{")
	now = server.Served{Confirmed: time.Now().Add(-time.Hour), Unread: time.Now().Add(-2 * time.Hour), HeldAliases: 3, Refused: "fork"}
	text := strings.Join(page(t, m), "\n")
	assert.Regexp(t, `\ndatachain_index_age_seconds 36\d\d`, text)
	assert.Regexp(t, `\ndatachain_oldest_unread_change_seconds 72\d\d`, text)
	assert.Contains(t, text, "datachain_aliases_held 3\n")
	assert.Contains(t, text, `datachain_log_refused{reason="fork"} 1`)
	now.Refused = "tile"
	text = strings.Join(page(t, m), "\n")
	assert.Contains(t, text, `datachain_log_refused{reason="tile"} 1`)
	assert.NotContains(t, text, "fork")
}

func TestMetricsLimiterAndBuild(t *testing.T) {
	m := server.NewMetrics(&server.MetricsOptions{
		Build: server.Build{Version: "v1", Revision: "abc", GoVersion: "go1.26"},
		Limiter: func() ratelimit.Stats {
			return ratelimit.Stats{Allowed: []uint64{ratelimit.Read: 3, ratelimit.Forms: 0}, Refused: []uint64{ratelimit.Read: 2, ratelimit.Forms: 0}, Keys: 4, Bytes: 5, Evicted: 6}
		},
	})
	m.Report(errors.New("disk failure"))
	lines := page(t, m)
	for _, want := range []string{
		`datachain_limiter_requests_total{bucket="read",outcome="allowed"} 3`,
		`datachain_limiter_requests_total{bucket="read",outcome="refused"} 2`,
		`datachain_limiter_keys 4`, `datachain_limiter_bytes 5`, `datachain_limiter_evicted_total 6`,
		`datachain_build_info{goversion="go1.26",revision="abc",version="v1"} 1`,
		`datachain_store_trouble_total 1`,
	} {
		assert.Contains(t, lines, want)
	}
}

// fullStore is a store with everything that a store may have.
type fullStore struct {
	taxonomy.Store
	err error
}

func (s *fullStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.Index(ctx)
}

func (s *fullStore) Icon(context.Context, *taxonomy.Release, string, string) ([]byte, error) {
	return nil, taxonomy.ErrNotFound
}

func (s *fullStore) Changes(context.Context) <-chan struct{} { return nil }

// TestMetricsStoreKeepsWhatItCan: the optional methods of a store still work, and a store
// without them does not get them.
func TestMetricsStoreKeepsWhatItCan(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	r, err := samples.Release(t.Context(), taxonomy.MustVersion("sensor@2026-06-15-stable"))
	require.NoError(t, err)
	full := &fullStore{Store: samples}
	for _, tt := range []struct {
		name     string
		store    taxonomy.Store
		notifies bool
	}{
		{"nothing", struct{ taxonomy.Store }{full}, false},
		{"icons", struct{ taxonomy.IconStore }{full}, false},
		{"changes", struct{ taxonomy.Notifier }{full}, true},
		{"all", full, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			counted := server.NewMetrics(nil).Store(tt.store)
			_, notifies := counted.(taxonomy.Notifier)
			assert.Equal(t, tt.notifies, notifies)
			icons, ok := counted.(taxonomy.IconStore)
			require.True(t, ok)
			_, err := icons.Icon(t.Context(), r, "x", "default")
			require.ErrorIs(t, err, taxonomy.ErrNotFound)
		})
	}
}

func TestMetricsStoreReads(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	full := &fullStore{Store: samples}
	m := server.NewMetrics(nil)
	counted := m.Store(full)
	v := taxonomy.MustVersion("sensor@2026-06-15-stable")

	_, err = counted.Index(t.Context())
	require.NoError(t, err)
	r, err := counted.Release(t.Context(), v)
	require.NoError(t, err)
	icons, ok := counted.(taxonomy.IconStore)
	require.True(t, ok)
	_, err = icons.Icon(t.Context(), r, "x", "default")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	full.err = io.ErrUnexpectedEOF
	_, err = counted.Index(t.Context())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = counted.Release(ended, v)
	require.ErrorIs(t, err, context.Canceled)

	lines := page(t, m)
	for _, want := range []string{
		`datachain_store_reads_total{kind="index",outcome="ok"} 1`,
		`datachain_store_reads_total{kind="index",outcome="error"} 1`,
		`datachain_store_reads_total{kind="release",outcome="ok"} 1`,
		`datachain_store_reads_total{kind="release",outcome="canceled"} 1`,
		`datachain_store_reads_total{kind="icon",outcome="not_found"} 1`,
		`datachain_store_read_duration_seconds_count{kind="index"} 2`,
	} {
		assert.Contains(t, lines, want)
	}
}

// TestMetricsReleases shows that the metrics have the releases that are loaded now.
func TestMetricsReleases(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	x, err := samples.Index(t.Context())
	require.NoError(t, err)
	loaded := []server.Loaded{{Entry: x.Entries()[0]}, {Entry: x.Entries()[1]}}
	m := server.NewMetrics(&server.MetricsOptions{Releases: func() []server.Loaded { return loaded }})
	infos := func() (found []string) {
		for _, line := range page(t, m) {
			if strings.HasPrefix(line, "datachain_release_info{") {
				found = append(found, line)
			}
		}
		return found
	}
	assert.Len(t, infos(), 2)
	loaded = loaded[1:]
	assert.Equal(t, []string{fmt.Sprintf("datachain_release_info{content_hash=%q,version=%q} 1", loaded[0].ContentHash, loaded[0].ID)}, infos())
}

// TestMetricsStore proves that a counted store is a store.
func TestMetricsStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, c storetest.Content) taxonomy.Store {
		s := new(memstore.Store)
		require.NoError(t, s.Set(c.Index, c.Releases...))
		return server.NewMetrics(nil).Store(s)
	})
}

func TestMetricsConcurrent(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	m := server.NewMetrics(nil)
	counted := m.Store(samples)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 200 {
				m.Observe(httpapi.Observation{Route: fmt.Sprint(n % 3), Method: "GET", Status: 200 + i%2, Bytes: 1})
				_, err := counted.Release(t.Context(), taxonomy.MustVersion("sensor@2026-06-15-stable"))
				if err != nil {
					t.Error(err)
				}
			}
			page(t, m)
		})
	}
	wg.Wait()
	assert.Contains(t, page(t, m), `datachain_store_reads_total{kind="release",outcome="ok"} 1600`)
}

func BenchmarkObserve(b *testing.B) {
	m := server.NewMetrics(nil)
	r := httpapi.Observation{Route: "/api/v2/schemas/{version}/manifest", Method: "GET", Status: 200, Bytes: 400, Duration: 300 * time.Microsecond}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			m.Observe(r)
		}
	})
}

// BenchmarkStore measures what counting adds to the two reads of a request.
func BenchmarkStore(b *testing.B) {
	samples, err := published.Store()
	require.NoError(b, err)
	v := taxonomy.MustVersion("sensor@2026-06-15-stable")
	for name, s := range map[string]taxonomy.Store{"plain": samples, "counted": server.NewMetrics(nil).Store(samples)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err1 := s.Index(b.Context())
				_, err2 := s.Release(b.Context(), v)
				if err1 != nil || err2 != nil {
					b.Fatal(err1, err2)
				}
			}
		})
	}
}

func ExampleMetrics() {
	m := server.NewMetrics(nil)
	m.Observe(httpapi.Observation{Route: "/api/v2/schemas", Method: http.MethodGet, Status: http.StatusOK})

	page := httptest.NewRecorder()
	m.Page().ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(page.Body.String()) {
		if strings.HasPrefix(line, "datachain_http_requests_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// datachain_http_requests_total{code="200",method="GET",route="/api/v2/schemas"} 1
}

// TestMetricsShared shows what is reported of Redis.
func TestMetricsShared(t *testing.T) {
	t.Parallel()
	m := server.NewMetrics(&server.MetricsOptions{Shared: func() server.ShareStats {
		return server.ShareStats{
			Unreachable: true, Outages: 2, Redis: 3, Local: 5, Checks: 7, Waited: 1500 * time.Millisecond,
			Errors: map[string]uint64{"timeout": 8}, Stored: 10, NotFound: 11,
		}
	}})
	page := get(m.Page(), "/metrics").Body.String()
	for _, want := range []string{
		"datachain_shared_away 1", "datachain_shared_away_total 2",
		`datachain_shared_decisions_total{by="redis"} 3`, `datachain_shared_decisions_total{by="local"} 5`,
		"datachain_shared_checks_total 7", "datachain_shared_wait_seconds_total 1.5",
		`datachain_shared_errors_total{kind="timeout"} 8`,
		`datachain_shared_pages_total{operation="put",outcome="redis"} 10`, `datachain_shared_pages_total{operation="get",outcome="none"} 11`,
	} {
		assert.Contains(t, page, want+"\n")
	}
}
