package pages_test

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/pages"
)

// BenchmarkPage sends a cached page, and the same bytes with a bare handler.
func BenchmarkPage(b *testing.B) {
	h := handler(b)
	for _, path := range []string{"/", "/t/" + stable, "/t/" + stable + "/e/input_data.health"} {
		again(b, h, path)
	}
}

// BenchmarkMake makes pages and searches, without a cache and without a network.
func BenchmarkMake(b *testing.B) {
	store, err := published.Store()
	require.NoError(b, err)
	h, err := pages.New(must(datachain.New(store, nil)), &pages.Options{CacheBytes: -1})
	require.NoError(b, err)
	for _, path := range []string{"/", "/t/" + stable, "/t/" + stable + "?q=data+storage&part=results", "/t/" + stable + "/e/input_data.health"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, browser(b, path))
				require.Equal(b, http.StatusOK, w.Code)
			}
		})
	}
}

// BenchmarkRegister sends cached lists of 10,000 documents, and the same bytes with a bare
// handler, and makes new lists and pages.
func BenchmarkRegister(b *testing.B) {
	shelf := newShelf(b)
	for i := range 10_000 {
		shelf.put(strconv.Itoa(i)+".json", "benefits.json", map[string]any{
			"id":    "benefits-" + strconv.Itoa(i),
			"title": []any{map[string]any{"locale": "en", "value": "Benefits of district " + strconv.Itoa(i)}},
			"register": map[string]any{
				"status": []string{"planned", "trial", "in_use", "paused", "retired"}[i%5], "themes": []any{"Theme " + strconv.Itoa(i%20)},
				"organisation": map[string]any{"name": "Department " + strconv.Itoa(i%50)},
				"places": []any{map[string]any{"name": "District " + strconv.Itoa(i), "geometry": map[string]any{
					"type": "Point", "coordinates": []any{12 + float64(i%97)/97, 51 + float64(i%89)/89},
				}}},
			},
		})
	}
	service, register := shelf.register()
	site := must(pages.New(service, &pages.Options{Documents: register}))
	h := served(b, service, site)
	for _, path := range []string{"/d?status=in_use", "/d?q=district+housing", "/d.json?q=district+housing+7"} {
		again(b, h, path)
	}
	uncached := must(pages.New(service, &pages.Options{Documents: register, CacheBytes: -1}))
	// The number changes the query, or only the page.
	for _, path := range []string{"/d?page=#", "/d?theme=Theme+#", "/d?q=district+housing+#&part=results", "/d?q=benefits+#", "/d/benefits-7", "/d/camera/history"} {
		uncached.ServeHTTP(httptest.NewRecorder(), browser(b, path)) // which prepares what lists need
		b.Run("new"+path, func(b *testing.B) {
			clock := cputime.Start() // other programs may be busy, too
			defer clock.Stop()
			for n := 0; b.Loop(); n++ {
				w := httptest.NewRecorder()
				uncached.ServeHTTP(w, browser(b, strings.Replace(path, "#", strconv.Itoa(n%20), 1)))
				require.Equal(b, http.StatusOK, w.Code)
			}
			b.ReportMetric(float64(clock.Used().Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// handler returns the pages as the command serves it.
func handler(b *testing.B) http.Handler {
	b.Helper()
	store, err := published.Store()
	require.NoError(b, err)
	service := must(datachain.New(store, nil))
	return served(b, service, must(pages.New(service, nil)))
}

func served(b *testing.B, service *datachain.Service, site *pages.Handler) http.Handler {
	b.Helper()
	h, err := httpapi.New(service, &httpapi.Options{
		Mounts: []httpapi.Mount{{Path: "/", Handler: site, Bucket: site.Bucket, Refuse: site.Refuse}}, Logger: slog.New(slog.DiscardHandler), Observe: func(httpapi.Observation) {},
	})
	require.NoError(b, err)
	return h
}

// browser returns a request as a browser sends it.
func browser(b *testing.B, path string) *http.Request {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, http.NoBody)
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Accept-Language", "fr-CA,fr;q=0.8,en;q=0.5")
	return r
}

// again sends a page that was sent before, and the same header and bytes with a bare handler,
// in turn: over the loopback interface, client included, and without a network. It reports
// the time of both, and the median of the ratio of rounds. With GOMAXPROCS=1 and nothing else
// to do, time is CPU time.
func again(b *testing.B, h http.Handler, path string) {
	b.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, browser(b, path))
	require.Equal(b, http.StatusOK, w.Code)
	body, header := w.Body.Bytes(), w.Header()
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), header)
		_, _ = w.Write(body)
	})
	for name, sender := range map[string]func(*testing.B, http.Handler, string) func(){"network": overNetwork, "handler": withoutNetwork} {
		b.Run("again"+path+"/"+name, func(b *testing.B) {
			send := [2]func(){sender(b, bare, path), sender(b, h, path)}
			var total [2]time.Duration
			var ratios []float64
			for n := 0; b.Loop(); n++ {
				var round [2]time.Duration
				for k := range 2 * 50 {
					began := time.Now()
					send[k%2]()
					round[k%2] += time.Since(began)
				}
				if n > 0 { // caches and connections are warm
					ratios = append(ratios, round[1].Seconds()/round[0].Seconds())
					total[0], total[1] = total[0]+round[0], total[1]+round[1]
				}
			}
			if len(ratios) > 0 {
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "ratio")
				for i, unit := range []string{"bare-µs", "ours-µs"} {
					b.ReportMetric(float64(total[i].Microseconds())/float64(50*len(ratios)), unit)
				}
			}
			b.ReportMetric(0, "ns/op") // which is that of a round
		})
	}
}

// overNetwork returns a function that sends a request over the loopback interface.
func overNetwork(b *testing.B, h http.Handler, path string) func() {
	b.Helper()
	server := httptest.NewServer(h)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	b.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+path, http.NoBody)
	require.NoError(b, err)
	request.Header = browser(b, path).Header
	return func() {
		res, err := client.Do(request)
		require.NoError(b, err)
		_, err = io.Copy(io.Discard, res.Body)
		require.NoError(b, err)
		require.NoError(b, res.Body.Close())
	}
}

// withoutNetwork returns a function that calls a handler.
func withoutNetwork(b *testing.B, h http.Handler, path string) func() {
	b.Helper()
	r := browser(b, path)
	return func() { h.ServeHTTP(&discard{header: make(http.Header)}, r.Clone(r.Context())) }
}

// discard is a response that nobody reads.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header            { return d.header }
func (d *discard) WriteHeader(int)                {}
func (d *discard) Write(text []byte) (int, error) { return len(text), nil }
